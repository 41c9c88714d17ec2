import Foundation
import Glibc
import PassFixtures
import PassModel
import PassService
import PassSession
import PassSigning
import Platform
import Testing

@testable import ServiceCommands

/// Runs passconduit-serve with its own home folder and store.
struct ServiceProgram {
    let folder: URL
    let maker: PassMaker

    init() throws {
        folder = try fixtureFolder()
        maker = try PassMaker()
    }

    struct Result {
        let code: ExitCode
        let output: String
        let errors: String

        /// The JSON records.
        var records: [[String: Any]] {
            get throws {
                try output.split(separator: "\n").compactMap {
                    try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
                }
            }
        }
    }

    var store: String { folder.appending(path: "store").path }

    func run(_ arguments: [String]) async throws -> Result {
        let files = ["output", "errors"].map { folder.appending(path: $0).path }
        let streams = try files.map { path in
            let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            try #require(number >= 0)
            return FileDescriptor(number)
        }
        let shell = ServiceShell(
            Environment(["HOME": folder.path]), output: streams[0], errors: streams[1])
        let code = await PassconduitServe.run(arguments, in: shell)
        for stream in streams { stream.close() }
        let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
        return Result(code: code, output: texts[0], errors: texts[1])
    }

    /// Runs a command on the store, trusting the tests' authority.
    func run(_ command: String, _ arguments: String...) async throws -> Result {
        try await run(
            [command, "--store", store, "--trust-root", maker.authority] + arguments)
    }

    /// Adds the certificate and key of the tests' pass type to the signing folder.
    ///
    /// - Parameter change: Changes the certificate.
    func addKey(_ change: (inout CertificateRecipe) -> Void = { _ in }) throws {
        let signer = try CertificateRecipe.signer(of: PassMaker.type, team: PassMaker.team)
            .changed(change).make()
        let pkcs12 = try PassFixtures.run(
            [
                "openssl", "pkcs12", "-export", "-in", signer.path, "-inkey", signer.keyPath,
                "-keypbe", "NONE", "-certpbe", "NONE", "-nomac", "-passout", "pass:",
            ], input: [])
        let keys = folder.appending(path: ".config/passconduit/signing")
        _ = try SigningFolder(keys).add(pkcs12: pkcs12, password: nil)
    }

    /// Writes a file of the folder and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// Writes the folder of a pass and returns its path.
    func writeSource(_ name: String, _ json: String) throws -> String {
        _ = try write(json, to: "\(name)/pass.json")
        for icon in ["icon", "icon@2x"] {
            _ = try PassFixtures.run(
                [
                    "python3", "-c", Self.icon, folder.appending(path: "\(name)/\(icon).png").path,
                    icon == "icon" ? "38" : "76",
                ], input: [])
        }
        return folder.appending(path: name).path
    }

    /// Writes the folder of a template with the columns serial, token and gate, and returns its path.
    func writeTemplate() throws -> String {
        try writeSource(
            "Ticket.pass",
            """
            {"formatVersion": 1, "passTypeIdentifier": "\(PassMaker.type)",
            "teamIdentifier": "\(PassMaker.team)", "serialNumber": "{{serial}}",
            "organizationName": "Example", "description": "Ticket",
            "webServiceURL": "https://wallet.example/", "authenticationToken": "{{token}}",
            "generic": {"primaryFields": [
                {"key": "gate", "value": "{{gate}}", "changeMessage": "%@"}]}}
            """)
    }

    /// Python code that writes a grey PNG of a given width and height.
    private static let icon = """
        import struct, sys, zlib
        size = int(sys.argv[2])
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data \
                + struct.pack(">I", zlib.crc32(kind + data))
        rows = zlib.compress((b"\\0" + b"\\x80" * size) * size)
        with open(sys.argv[1], "wb") as file:
            file.write(b"\\x89PNG\\r\\n\\x1a\\n"
                + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0))
                + chunk(b"IDAT", rows) + chunk(b"IEND", b""))
        """

    /// Runs a Python program with the published file of a pass as `archive` and its pass.json as
    /// `contents`, and returns its output.
    func published(_ serial: String, _ program: String) async throws -> String {
        let identity = PassIdentity(passTypeIdentifier: PassMaker.type, serialNumber: serial)
        let store = try await ServiceStore(at: URL(filePath: store))
        let bytes = try #require(try await store.file(of: identity)).bytes
        let beginning = """
            import io, json, sys, zipfile
            archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
            text = archive.read("pass.json").decode()
            contents = json.loads(text)
            """
        let output = try PassFixtures.run(
            ["python3", "-c", "\(beginning)\n\(program)"], input: bytes)
        return String(decoding: output, as: UTF8.self)
    }
}
