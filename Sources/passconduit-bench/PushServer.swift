import Foundation

/// A fake of Apple's push service on loopback.
struct PushServer {
    let port: UInt16
    private let folder: URL
    private let programs: Programs

    init(in corpus: URL, _ programs: Programs) throws {
        folder = corpus.absoluteURL.standardizedFileURL.appendingPathComponent("apns")
        self.programs = programs
        port = try freePorts(1).first ?? 0
    }

    /// The authority that issued the server's certificate.
    var authority: String { path("authority.pem") }
    /// A file with the certificate of a pass type, the certificate of its issuer, and the key.
    var identity: String { path("identity.pem") }
    /// The body of a push.
    var body: String { path("body") }

    static let type = "pass.com.example.bench"

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// - Returns: The server process. The caller terminates it.
    func open() throws -> Process {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try makeCertificates()
        try Data("{}".utf8).write(to: URL(filePath: body))
        let server = Process()
        server.executableURL = URL(filePath: programs.built("push-probe"))
        server.arguments = [
            "apns", path("server.pem"), path("server.key"), path("issuer.pem"), "\(port)",
        ]
        // The server exits at the end of its input.
        server.standardInput = Pipe()
        server.standardOutput = FileHandle.nullDevice
        try server.run()
        for _ in 0..<100 where server.isRunning {
            let url = "https://localhost:\(port)/"
            let answer = try? Child(["curl", "-s", "-k", "-o", "/dev/null", url], in: folder)
            if answer != nil { return server }
            usleep(50_000)
        }
        server.terminate()
        throw BenchError.failed("push-probe does not answer")
    }

    private func makeCertificates() throws {
        let rsa = ["rsa:2048"]
        let curve = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        func make(_ name: String, _ key: [String], _ words: [String]) throws {
            _ = try Child(
                [
                    "openssl", "req", "-x509", "-nodes", "-days", "2", "-newkey",
                ] + key + ["-keyout", path("\(name).key"), "-out", path("\(name).pem")] + words,
                in: folder)
        }
        for (name, key) in [("authority", curve), ("issuer", rsa)] {
            try make(name, key, ["-subj", "/CN=passconduit bench \(name)"])
        }
        try make(
            "server", curve,
            signed(by: "authority") + [
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            ])
        try make(
            "client", rsa,
            signed(by: "issuer") + [
                "-subj", "/UID=\(Self.type)/CN=Pass Type ID: \(Self.type)/OU=A1B2C3D4E5",
                "-addext", "extendedKeyUsage=clientAuth,1.2.840.113635.100.4.14",
            ])
        var identity = Data()
        for name in ["client.pem", "issuer.pem", "client.key"] {
            identity += try Data(contentsOf: URL(filePath: path(name)))
        }
        try identity.write(to: URL(filePath: self.identity))
    }

    private func signed(by issuer: String) -> [String] {
        [
            "-CA", path("\(issuer).pem"), "-CAkey", path("\(issuer).key"),
            "-addext", "basicConstraints=CA:FALSE",
        ]
    }
}
