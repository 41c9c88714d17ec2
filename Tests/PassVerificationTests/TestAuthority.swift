import Foundation
import Testing

/// A certificate authority made by the openssl program for one run of the tests, with certificates of
/// every kind that a pass could be signed with. Its keys live as long as the run.
final class TestAuthority: Sendable {
    static let shared = Result { try TestAuthority() }

    static let passType = "pass.com.example.test"
    static let team = "TEAM123456"

    private let folder: URL

    private init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "passconduit-authority-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let authority = ["basicConstraints=critical,CA:TRUE", "keyUsage=keyCertSign,cRLSign"]
        try make(
            "root", "/CN=Sample Root", authority, issuer: nil, from: "2020-01-01", days: 9000,
            key: ["rsa:2048"])
        try make("intermediate", "/CN=Sample Intermediate", authority, issuer: "root")
        try make("md5", "/CN=Sample MD5", authority, issuer: "root", digest: "md5")
        try make("short", "/CN=Sample Short", authority, issuer: "root", days: 365)
        try make("stranger", "/CN=Stranger", authority, issuer: nil)
        // The name of the intermediate, another key, vouched for by nobody.
        try make("impostor", "/CN=Sample Intermediate", authority, issuer: "stranger")

        let type = Self.passType
        let subject = "/UID=\(type)/CN=Pass Type ID: \(type)/OU=\(Self.team)/O=Sample/C=US"
        let purpose = "extendedKeyUsage=1.2.840.113635.100.4.14"
        let named = "1.2.840.113635.100.6.1.16=ASN1:UTF8String:"
        let leaf = ["basicConstraints=CA:FALSE", purpose, named + type]
        try make("leaf", subject, leaf)
        try make("rsa", subject, leaf, key: ["rsa:2048"])
        try make("weak", subject, leaf, key: ["rsa:512"])
        try make("72-bits", subject, leaf, key: ["rsa:768"])
        try make("80-bits", subject, leaf, key: ["rsa:1024"])
        try make("purposeless", subject, [named + type])
        try make("mail", subject, ["extendedKeyUsage=emailProtection", named + type])
        try make("unnamed", subject, [purpose])
        try make("misnamed", subject, [purpose, named + "pass.com.example.other"])
        try make(
            "printable", subject,
            [purpose, "1.2.840.113635.100.6.1.16=ASN1:PRINTABLESTRING:\(type)"])
        try make("nobody", "/CN=x/OU=\(Self.team)", leaf)
        try make("lookalike", "/UID=pass.com.example.TEST/CN=x/OU=\(Self.team)", leaf)
        try make("two-types", "/UID=\(type)/UID=pass.com.example.other/CN=x/OU=\(Self.team)", leaf)
        try make("stranger-team", "/UID=\(type)/CN=x/OU=OTHERTEAM1", leaf)
        try make("two-teams", "/UID=\(type)/CN=x/OU=OTHERTEAM1/OU=\(Self.team)", leaf)
        let bare = ["authorityKeyIdentifier=none"]
        try make(
            "root-impostor", "/CN=Sample Root", authority + bare, issuer: nil, key: ["rsa:2048"])
        try make("forged", subject, leaf, issuer: "impostor")
        try make("forged-bare", subject, leaf + bare, issuer: "impostor")
        try make("forged-root", subject, leaf + bare, issuer: "root-impostor")
        try make("self-signed", subject, leaf, issuer: nil)
        try make("by-leaf", subject, leaf, issuer: "leaf")
        try make("by-md5", subject, leaf, issuer: "md5")
        try make("by-short", subject, leaf, issuer: "short", days: 3000)
        try make("by-root", subject, leaf, issuer: "root", days: 8000)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func pem(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: "\(name).pem")))
    }

    /// A signature by the openssl program, made on `date`.
    func sign(
        _ content: [UInt8], by signers: [String], with others: [String], on date: String,
        _ options: [String]
    ) throws -> [UInt8] {
        var arguments = ["cms", "-sign", "-outform", "DER"]
        for signer in signers {
            arguments += ["-signer", path("\(signer).pem"), "-inkey", path("\(signer).key")]
        }
        arguments += options
        let bag = path("\(UUID().uuidString).bag")
        let certificates = try others.flatMap { try pem($0) }
        if !certificates.isEmpty {
            try Data(certificates).write(to: URL(filePath: bag))
            arguments += ["-certfile", bag]
        }
        return try run(
            ["faketime", "-f", "\(date) 12:00:00", "openssl"] + arguments, input: content)
    }

    /// Whether the openssl program finds that the signature verifies, whoever made it.
    func opensslVerifies(_ signature: [UInt8], over content: [UInt8]) throws -> Bool {
        let name = UUID().uuidString
        try Data(signature).write(to: folder.appending(path: "\(name).p7"))
        try Data(content).write(to: folder.appending(path: "\(name).json"))
        let arguments = [
            "openssl", "cms", "-verify", "-noverify", "-binary", "-inform", "DER", "-in",
            path("\(name).p7"), "-content", path("\(name).json"), "-out", "/dev/null",
        ]
        do {
            _ = try run(arguments, input: [])
            return true
        } catch is ProgramFailure {
            return false
        }
    }

    private func make(
        _ name: String, _ subject: String, _ extensions: [String], issuer: String? = "intermediate",
        from date: String = "2021-01-01", days: Int = 730, digest: String = "sha256",
        key: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    ) throws {
        let request = ["openssl", "req", "-new", "-nodes", "-newkey"] + key
        _ = try run(
            request + [
                "-keyout", path("\(name).key"), "-out", path("\(name).csr"), "-subj", subject,
            ],
            input: [])
        try Data(extensions.joined(separator: "\n").utf8).write(
            to: folder.appending(path: "\(name).ext"))
        let signer =
            issuer.map { ["-CA", path("\($0).pem"), "-CAkey", path("\($0).key")] }
            ?? ["-signkey", path("\(name).key")]
        let made = [
            "x509", "-req", "-in", path("\(name).csr"), "-extfile", path("\(name).ext"),
            "-days", "\(days)", "-\(digest)", "-out", path("\(name).pem"),
        ]
        _ = try run(["faketime", "-f", "\(date) 00:00:00", "openssl"] + made + signer, input: [])
    }

    func keyPath(_ name: String) -> String { path("\(name).key") }
    func certificatePath(_ name: String) -> String { path("\(name).pem") }

    private func path(_ name: String) -> String {
        folder.appending(path: name).path(percentEncoded: false)
    }
}

struct ProgramFailure: Error {
    let arguments: [String]
    let message: String
}

/// What a program writes to standard output.
func run(_ arguments: [String], input: [UInt8]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    // Debian's own programs: a version manager's stand-ins take longer to start than to run.
    process.environment = ["PATH": "/usr/bin:/bin:/usr/local/bin"]
    let folder = FileManager.default.temporaryDirectory
    let (inputFile, errorFile) = (
        folder.appending(path: UUID().uuidString), folder.appending(path: UUID().uuidString)
    )
    try Data(input).write(to: inputFile)
    try Data().write(to: errorFile)
    defer {
        try? FileManager.default.removeItem(at: inputFile)
        try? FileManager.default.removeItem(at: errorFile)
    }
    let output = Pipe()
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        let message = String(decoding: try Data(contentsOf: errorFile), as: UTF8.self)
        throw ProgramFailure(arguments: arguments, message: message)
    }
    return Array(bytes)
}
