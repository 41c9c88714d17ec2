import Foundation
import PassFixtures
import Synchronization

/// Keys and certificates that the openssl program makes once for each run of the tests.
enum TestKey: String, CaseIterable {
    case rsa, otherRSA, p256, p384, p521

    /// In PKCS #8 as PEM.
    func pem() throws -> [UInt8] { try Self.made[self, default: .failure(Missing())].get() }

    /// A self-signed certificate in DER.
    func certificate(named name: String = "Sample") throws -> [UInt8] {
        let identifier = [rawValue, name]
        if let known = Self.certificates.withLock({ $0[identifier] }) { return known }
        let certificate = try openssl(
            "req -new -x509 -key /dev/stdin -subj /CN=\(name) -days 30 -outform DER", try pem())
        return Self.certificates.withLock { known in
            // Another thread may have been faster.
            known[identifier] = known[identifier] ?? certificate
            return known[identifier] ?? certificate
        }
    }

    private static let certificates = Mutex<[[String]: [UInt8]]>([:])

    private struct Missing: Error {}

    private static let made: [TestKey: Result<[UInt8], any Error>] = Dictionary(
        uniqueKeysWithValues: allCases.map { key in
            (key, Result { try openssl("genpkey \(key.options)") })
        })

    private var options: String {
        switch self {
        case .rsa, .otherRSA: "-algorithm RSA -pkeyopt rsa_keygen_bits:2048"
        case .p256: "-algorithm EC -pkeyopt ec_paramgen_curve:P-256"
        case .p384: "-algorithm EC -pkeyopt ec_paramgen_curve:P-384"
        case .p521: "-algorithm EC -pkeyopt ec_paramgen_curve:P-521"
        }
    }
}

/// Runs the openssl program; returns what it writes.
///
/// - Parameter command: Without the name of the program, its arguments without spaces.
func openssl(_ command: String, _ input: [UInt8] = []) throws -> [UInt8] {
    try run(["openssl"] + command.split(separator: " ").map(String.init), input: input)
}

/// Runs a Python script of this folder; returns what it writes.
func python(_ script: String, _ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: script)
        .path(percentEncoded: false)
    return try run(["python3", "-B", path] + arguments, input: input)
}

/// Calls `body` with the paths of files with these contents, which exist until it returns.
func withFiles<Result>(_ contents: [[UInt8]], _ body: ([String]) throws -> Result) throws -> Result
{
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "passconduit-keys-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try contents.enumerated().map { index, bytes in
        let file = folder.appending(path: "\(index)")
        try Data(bytes).write(to: file)
        return file.path(percentEncoded: false)
    }
    return try body(files)
}
