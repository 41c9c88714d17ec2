import Fetching
import Loopback
import Testing

@Suite("Forbidden addresses are never contacted")
struct ForbiddenAddressTests {
    private func fetch(
        _ url: String, _ program: FetchProgram
    ) throws -> FetchProgram.Outcome {
        try program.fetch(url) { $0.terms.allowsPrivateAddresses = false }
    }

    @Test(
        "in any notation, and under any name",
        arguments: [
            "127.0.0.1", "localhost", "0x7f.1", "2130706433", "0177.0.0.1", "127.1", "0",
            "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "localhost.",
            "LOCALHOST",
        ])
    func loopback(host: String) async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .bytes("x".utf8))
            let outcome = try fetch("http://\(host):\(server.port)/", FetchProgram())
            #expect(outcome.failure?.code == .address)
            #expect(outcome.failure?.isTransient == false)
            #expect(server.connections == 0)
        }
    }

    @Test("the error explains the reason")
    func words() throws {
        let program = try FetchProgram()
        #expect(
            try fetch("http://169.254.169.254/latest/meta-data/", program).failure?.reason
                == .forbiddenAddress(host: nil, address: "169.254.169.254", .linkLocal))
        let named = try fetch("https://localhost/", program).failure?.reason
        #expect(
            named == .forbiddenAddress(host: "localhost", address: "127.0.0.1", .loopback)
                || named == .forbiddenAddress(host: "localhost", address: "::1", .loopback))
    }

    @Test(
        "a name that stands for one is refused",
        .enabled(if: HostsFile.loopback != nil, HostsFile.reason))
    func name() async throws {
        let (address, name) = try #require(HostsFile.loopback)
        try await LoopbackServer.run(on: address) { server in
            let outcome = try fetch("http://\(name):\(server.port)/", FetchProgram())
            guard case .forbiddenAddress(host: name, _, .loopback)? = outcome.failure?.reason else {
                Issue.record("\(String(describing: outcome.failure))")
                return
            }
            #expect(server.connections == 0)
        }
    }

    @Test("a redirect to one is not followed, not even through a proxy")
    func redirect() async throws {
        try await LoopbackServer.run { server in
            try await LoopbackProxy.run(ports: ["passes.example": server.port]) { proxy in
                server.serve("/a", .redirect(to: "http://169.254.169.254/latest/meta-data/"))
                server.serve("/b", .redirect(to: "http://localhost/"))
                server.serve("/c", .redirect(to: "http://metadata.internal/"))
                server.serve("/d", .redirect(to: "http://2852039166/"))
                server.serve("/e", .bytes("x".utf8))
                var configuration = FetchProgram.configuration
                configuration.proxies = ["http_proxy": proxy.url]
                let program = try FetchProgram(configuration)
                for path in ["/a", "/b", "/c", "/d"] {
                    let outcome = try fetch("http://passes.example\(path)", program)
                    #expect(outcome.failure?.code == .address)
                }
                #expect(try fetch("http://passes.example/e", program).size == 1)
                #expect(
                    proxy.inquiries.map(\.target)
                        == ["/a", "/b", "/c", "/d", "/e"].map { "http://passes.example\($0)" })
            }
        }
    }

    @Test("permission for another request to the same server does not count")
    func otherRequests() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .bytes("x".utf8))
            let program = try FetchProgram()
            #expect(try program.fetch(server.url()).size == 1)
            #expect(try fetch(server.url(), program).failure?.code == .address)
            #expect(try program.fetch(server.url()).size == 1)
            let insecure = try program.fetch(server.url()) { $0.terms.allowsHTTP = false }
            #expect(insecure.failure?.code == .insecure)
            #expect(server.requests.count == 2)
        }
    }
}
