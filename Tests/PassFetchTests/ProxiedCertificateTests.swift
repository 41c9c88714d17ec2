import Fetching
import Loopback
import PassFixtures
import Testing

@Suite("Through a proxy a certificate must be valid for the requested server")
struct ProxiedCertificateTests {
    /// Fetches through a proxy at another address from a server with a certificate for these hosts.
    private func fetch(
        _ host: String, certificateFor hosts: [String]
    ) async throws -> (FetchProgram.Outcome, requests: Int) {
        let certificate = try ServerCertificate(for: hosts)
        return try await LoopbackServer.run(certificate: certificate) { server in
            let ports = ["passes.example": server.port, "localhost": server.port]
            return try await LoopbackProxy.run(on: "127.0.0.2", ports: ports) { proxy in
                server.serve("/", .bytes("x".utf8))
                var configuration = FetchProgram.configuration
                configuration.authorities = try ServerAuthority.path
                configuration.proxies = ["https_proxy": proxy.url]
                let port = host == "127.0.0.1" ? ":\(server.port)" : ""
                let outcome = try FetchProgram(configuration).fetch("https://\(host)\(port)/")
                // The second connection finds out why the certificate was refused.
                #expect(proxy.inquiries.count == (outcome.size == 1 ? 1 : 2))
                return (outcome, server.requests.count)
            }
        }
    }

    @Test(
        "as without a proxy",
        arguments: [
            (["DNS:passes.example"], "passes.example", nil),
            (["IP:127.0.0.1"], "127.0.0.1", nil),
            (["IP:127.0.0.2"], "localhost", "127.0.0.2"),
            (["IP:127.0.0.2"], "passes.example", "127.0.0.2"),
            (["IP:127.0.0.2"], "127.0.0.1", "127.0.0.2"),
            (["DNS:localhost"], "passes.example", "localhost"),
        ] as [([String], String, String?)])
    func tunnels(hosts: [String], host: String, owner: String?) async throws {
        let (outcome, requests) = try await fetch(host, certificateFor: hosts)
        #expect(outcome.size == (owner == nil ? 1 : nil))
        #expect(requests == (owner == nil ? 1 : 0))
        guard let owner else { return }
        #expect(outcome.failure?.code == .tls)
        guard case .certificate(let place, let fault) = outcome.failure?.reason else {
            Issue.record("\(String(describing: outcome.failure))")
            return
        }
        #expect(place.hasPrefix(host))
        #expect(fault == .forOtherHosts([owner], more: 0))
    }
}
