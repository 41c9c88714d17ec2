import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("The proxy on loopback connects to the server")
struct LoopbackProxyTests {
    @Test("through a tunnel, under a name that only the proxy knows")
    func tunnel() async throws {
        let certificate = try ServerCertificate(names: ["tickets.example"])
        let trust = try ServerAuthority.path
        try await LoopbackServer.run(certificate: certificate) { server in
            server.serve("/", .generated(3_000_000))
            try await LoopbackProxy.run(ports: ["tickets.example": server.port]) { proxy in
                let result = try Curl(
                    "--cacert", trust, "-x", proxy.url, "https://tickets.example/")
                #expect(result.body == Data(GeneratedBody().bytes(in: 0..<3_000_000)))
                #expect(proxy.inquiries.map(\.method) == ["CONNECT"])
                #expect(proxy.inquiries.map(\.target) == ["tickets.example:443"])
                #expect(proxy.inquiries.first?["Proxy-Authorization"] == nil)
            }
        }
    }

    @Test("with plain requests too, and only with the right credentials")
    func credentials() async throws {
        try await LoopbackServer.run { server in
            server.serve("/a", .bytes("x".utf8))
            // user:password
            let credentials = "Basic dXNlcjpwYXNzd29yZA=="
            try await LoopbackProxy.run(credentials: credentials) { proxy in
                #expect(try Curl("-x", proxy.url, server.url("/a")).code == 407)
                #expect(server.requests.isEmpty)
                let allowed = "http://user:password@127.0.0.1:\(proxy.port)"
                let plain = try Curl(server.url("/a"), environment: ["http_proxy": allowed])
                #expect(plain.body == Data("x".utf8))
                let tunnelled = try Curl("-p", "-x", allowed, server.url("/a"))
                #expect(tunnelled.body == Data("x".utf8))
                #expect(proxy.inquiries.map(\.method) == ["GET", "GET", "CONNECT"])
                #expect(proxy.inquiries.last?["Proxy-Authorization"] == credentials)
                #expect(server.requests.count == 2)
                #expect(server.requests.allSatisfy { $0["Proxy-Authorization"] == nil })
            }
        }
    }

    @Test("unknown hosts are refused")
    func unknown() async throws {
        try await LoopbackProxy.run { proxy in
            let refused = try Curl("-x", proxy.url, "http://unknown.example/")
            #expect(refused.code == 502)
        }
    }
}
