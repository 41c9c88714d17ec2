import Fetching
import Foundation
import Loopback
import Testing

@Suite("A certificate that is not good is refused, and it is said why")
struct CertificateTests {
    private func outcome(
        _ kind: ServerCertificate.Kind, trusted: Bool = true, host: String? = nil
    ) async throws -> (FetchProgram.Outcome, [RecordedRequest], String) {
        let certificate = try ServerCertificate(kind)
        return try await LoopbackServer.run(certificate: certificate) { server in
            server.serve("/", .bytes("x".utf8))
            var configuration = FetchProgram.configuration
            if trusted { configuration.authorities = try ServerAuthority.shared.get().path }
            let outcome = try FetchProgram(configuration).fetch(server.url("/", host: host))
            return (outcome, server.requests, server.authority(host: host))
        }
    }

    @Test("a good one is taken, for a name and for an address", arguments: ["localhost", nil])
    func good(host: String?) async throws {
        #expect(try await outcome(.good, host: host).0.size == 1)
    }

    @Test(
        "others are not",
        arguments: [
            (ServerCertificate.Kind.forAnotherHost, "is for other.example"),
            (.expired, "ended on "), (.notYetValid, "begins only on "),
            (.selfSigned, "is signed by itself alone"),
            (.byStranger, "is signed by Servers on Loopback, which this computer does not trust"),
        ])
    func refused(kind: ServerCertificate.Kind, reason: String) async throws {
        let (outcome, requests, place) = try await outcome(kind, host: "localhost")
        #expect(outcome.failure?.code == .tls)
        #expect(outcome.failure?.isTransient == false)
        #expect(
            outcome.failure?.detail.hasPrefix("the certificate of \(place) \(reason)") == true)
        #expect(requests.isEmpty)
    }

    @Test("nor one for another host than an address")
    func address() async throws {
        let (outcome, requests, place) = try await outcome(.forAnotherHost)
        #expect(outcome.failure?.detail == "the certificate of \(place) is for other.example")
        #expect(requests.isEmpty)
    }

    @Test("an authority that the system does not know is not trusted unless it is given")
    func unknownAuthority() async throws {
        let (outcome, requests, _) = try await outcome(.good, trusted: false)
        #expect(outcome.failure?.code == .tls)
        #expect(outcome.failure?.detail.contains("Servers on Loopback") == true)
        #expect(requests.isEmpty)
    }

    /// Expected: SSL_CERT_DIR of openssl-verification-options(1).
    @Test("a folder of authorities is used as openssl rehash leaves it")
    func folder() async throws {
        let home = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-authorities-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let file = home.appendingPathComponent("authority.pem")
        try FileManager.default.copyItem(
            atPath: try ServerAuthority.shared.get().path, toPath: file.path)
        try await LoopbackServer.run(certificate: try ServerCertificate()) { server in
            server.serve("/", .bytes("x".utf8))
            var configuration = FetchProgram.configuration
            configuration.authorityFolder = "/nonexistent:\(home.path)"
            let before = try FetchProgram(configuration)
            #expect(try before.fetch(server.url()).failure?.code == .tls)
            let rehash = Process()
            rehash.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            rehash.arguments = ["rehash", home.path]
            try rehash.run()
            rehash.waitUntilExit()
            let after = try FetchProgram(configuration)
            #expect(try after.fetch(server.url()).size == 1)
        }
    }

    @Test("a server without TLS is told from one with a bad certificate")
    func noTLS() async throws {
        try await LoopbackServer.run { server in
            let url = server.url("/").replacing("http://", with: "https://")
            let failure = try FetchProgram().fetch(url).failure
            #expect(failure?.code == .tls || failure?.code == .connection)
            #expect(failure?.detail.contains("certificate") == false)
        }
    }

    @Test("a file of authorities that is not there is said to be missing")
    func noAuthorities() async throws {
        var configuration = FetchProgram.configuration
        configuration.authorities = "/nonexistent"
        let failure = try FetchProgram(configuration).fetch("https://127.0.0.1:1/").failure
        #expect(failure?.code == .tls)
        #expect(failure?.detail.contains("SSL_CERT_FILE") == true)
    }
}
