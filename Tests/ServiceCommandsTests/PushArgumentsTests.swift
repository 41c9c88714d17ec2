import ArgumentParser
import Bytes
import Cryptography
import Foundation
import Logging
import PassFixtures
import PassService
import PassSession
import PassSigning
import Platform
import Testing

@testable import ServiceCommands

@Suite("run pushes with certificates and keys from files that other users cannot read")
struct PushArgumentsTests {
    private let folder: URL
    private let errors: FileDescriptor
    private let shell: ServiceShell

    init() throws {
        folder = try fixtureFolder()
        errors = try FileDescriptor.temporary(at: folder.appending(path: "errors").path)
        shell = ServiceShell(Environment(["HOME": folder.path]), errors: errors)
    }

    /// Runs the command with options that it refuses before it serves.
    private func refused(_ options: [String]) async throws -> (
        code: PassSession.ExitCode, problem: String
    ) {
        let store = folder.appending(path: "store").path
        let code = await PassconduitServe.run(["run", "--store", store] + options, in: shell)
        let problem = try String(
            contentsOf: folder.appending(path: "errors"), encoding: .utf8)
        return (code, problem)
    }

    private func credential(_ options: [String]) async throws -> PushSender? {
        let store = try await ServiceStore(at: folder.appending(path: "store"))
        return try PushArguments.parse(options).sender(
            for: store, in: shell, logger: Logger(label: "test"))
    }

    /// A file that only its owner can read.
    private func write(_ bytes: [UInt8], _ name: String, mode: Int = 0o600) throws -> String {
        let path = folder.appending(path: name).path
        try Data(bytes).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private func signer() throws -> (certificate: [UInt8], key: [UInt8]) {
        let signer = try CertificateRecipe.signer(of: "pass.example.push", team: "TEAM123456")
            .make()
        let files = [signer.path, try CertificateRecipe.root.make().path]
        let certificates = try files.flatMap { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
        return (certificates, [UInt8](try Data(contentsOf: URL(filePath: signer.keyPath))))
    }

    private func pem(mode: Int = 0o600) throws -> String {
        let (certificate, key) = try signer()
        return try write(certificate + key, "push.pem", mode: mode)
    }

    /// A PKCS #12 file with the password "sesame".
    private func pkcs12() throws -> String {
        let file = try run(
            ["openssl", "pkcs12", "-export", "-in", pem(), "-passout", "pass:sesame"], input: [])
        return try write(file, "push.p12")
    }

    private func tokenKey() throws -> String {
        let key = try run(
            ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
            input: [])
        return try write(key, "AuthKey_ABC1234567.p8")
    }

    @Test("without options, nothing is pushed")
    func none() async throws {
        #expect(try await credential([]) == nil)
    }

    @Test("certificates in PEM and PKCS #12, and a key, are accepted")
    func credentials() async throws {
        let root = try ServerAuthority.path
        let server = ["--apns", "localhost:2197", "--apns-root", root]
        #expect(try await credential(["--push-certificate", pem()] + server) != nil)
        let password = try write(Array("sesame\n".utf8), "password")
        #expect(
            try await credential([
                "--push-certificate", pkcs12(), "--push-password-file", password,
                "--push-certificate", pem(),
            ]) != nil)
        #expect(
            try await credential([
                "--push-key", tokenKey(), "--push-key-id", "ABC1234567", "--push-team",
                "TEAM123456",
            ]) != nil)
    }

    @Test("--push uses the certificates of the signing folder")
    func folderCertificates() async throws {
        let missing = try await refused(["--push"])
        #expect(missing.code == .unreadable)
        #expect(missing.problem.contains("there is no certificate with its key in it"))
        let keys = SigningFolder(
            URL(filePath: shell.session.environment.signingFolder, directoryHint: .isDirectory))
        let password: Secret? = Secret(Array("sesame".utf8))
        _ = try keys.add(
            pkcs12: [UInt8](Data(contentsOf: URL(filePath: pkcs12()))), password: password)
        #expect(try await credential(["--push"]) != nil)
    }

    @Test(
        "options that do not belong together are refused",
        arguments: [
            ["--push-key", "a.p8"], ["--push-key-id", "ABC1234567"], ["--push-team", "TEAM123456"],
            ["--push-password-file", "a"], ["--push-certificate", ""],
            ["--apns", "localhost:2197"],
            ["--apns-root", "a.pem"], ["--push", "--apns", "localhost"],
            ["--push", "--apns", ":2197"], ["--push", "--apns", "localhost:0"],
            ["--push", "--apns", "localhost:65536"],
        ])
    func usage(options: [String]) async throws {
        #expect(try await refused(options).code == .usage)
    }

    @Test("a file that other users can read is refused, and the message names it")
    func readable() async throws {
        let (code, problem) = try await refused(["--push-certificate", pem(mode: 0o644)])
        #expect(code == .unreadable)
        let path = folder.appending(path: "push.pem").path
        #expect(
            problem == "passconduit-serve: other users can read \(path); run: chmod 600 \(path)\n")
    }

    @Test("a certificate without its issuer is refused")
    func issuer() async throws {
        let (certificates, key) = try signer()
        let text = String(streamSafe: certificates)
        let end = try #require(text.range(of: "-----END CERTIFICATE-----\n")?.upperBound)
        let file = try write(Array(text[..<end].utf8) + key, "alone.pem")
        let (code, problem) = try await refused(["--push-certificate", file])
        #expect(code == .unreadable)
        #expect(problem.contains("the certificate of its issuer is missing: add it to the file"))
    }

    @Test("a missing password, a wrong password and a file without a key are refused")
    func passwords() async throws {
        let file = try pkcs12()
        let missing = try await refused(["--push-certificate", file])
        #expect(missing.problem.hasSuffix("a password is needed: use --push-password-file\n"))
        let password = try write(Array("other\n".utf8), "password")
        let wrong = try await refused([
            "--push-certificate", file, "--push-password-file", password,
        ])
        #expect(wrong.problem.hasSuffix("\(file): the password is wrong\n"))
        let bare = try write(signer().certificate, "bare.pem")
        let keyless = try await refused(["--push-certificate", bare])
        #expect(keyless.code == .unreadable)
        #expect(keyless.problem.hasSuffix("\(bare): not a private key in PEM or DER\n"))
    }
}
