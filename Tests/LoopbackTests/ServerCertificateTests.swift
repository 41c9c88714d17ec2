import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("The server's certificate is of the requested kind")
struct ServerCertificateTests {
    /// Exit code 60: the certificate is not accepted.
    @Test(
        "as curl sees it",
        arguments: [
            (.good, ""), (.forAnotherHost, "no alternative certificate subject name matches"),
            (.expired, "certificate has expired"), (.notYetValid, "certificate is not yet valid"),
            (.selfSigned, "self-signed certificate"),
            (.byStranger, "SSL certificate problem"),
        ] as [(ServerCertificate.Kind, String)])
    func kinds(kind: ServerCertificate.Kind, reason: String) async throws {
        let certificate = try ServerCertificate(kind, names: ["tickets.example"])
        let trust = try ServerAuthority.path
        try await LoopbackServer.run(certificate: certificate) { server in
            server.serve("/", .bytes("x".utf8))
            let hosts = ["127.0.0.1", "localhost", "tickets.example"]
            for host in hosts {
                let result = try Curl(
                    "--cacert", trust, "--resolve", "tickets.example:\(server.port):127.0.0.1",
                    server.url(host: host))
                #expect(result.status == (kind == .good ? 0 : 60), "\(host)")
                #expect(result.errors.contains(reason) || reason.isEmpty)
            }
            #expect(server.requests.count == (kind == .good ? hosts.count : 0))
            #expect(try Curl(server.url()).status == 60)
        }
    }

    @Test("answers over TLS are sent and cut off in the same way")
    func cut() async throws {
        let trust = try ServerAuthority.path
        try await LoopbackServer.run(certificate: try ServerCertificate()) { server in
            server.serve("/", Answer.generated(2_000_000).cut(after: 1_500_000))
            let result = try Curl("--cacert", trust, server.url())
            #expect(result.status == 18)
            #expect(result.body == Data(GeneratedBody().bytes(in: 0..<1_500_000)))
        }
    }
}
