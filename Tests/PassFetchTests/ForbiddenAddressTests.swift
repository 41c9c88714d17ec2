import Fetching
import Loopback
import Testing

@Suite("Nothing is asked of addresses that are not to be connected to")
struct ForbiddenAddressTests {
    private var careful: FetchConfiguration {
        var configuration = FetchProgram.configuration
        configuration.allowsPrivateAddresses = false
        return configuration
    }

    @Test(
        "in no notation, and under no name",
        arguments: [
            "127.0.0.1", "localhost", "0x7f.1", "2130706433", "0177.0.0.1", "127.1", "0",
            "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "localhost.",
            "LOCALHOST",
        ])
    func loopback(host: String) async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .bytes("x".utf8))
            let outcome = try FetchProgram(careful).fetch("http://\(host):\(server.port)/")
            #expect(outcome.failure?.code == .address)
            #expect(outcome.failure?.isTransient == false)
            #expect(server.connections == 0)
        }
    }

    @Test("with what is said of them")
    func words() throws {
        let program = try FetchProgram(careful)
        #expect(
            try program.fetch("http://169.254.169.254/latest/meta-data/").failure?.detail
                == "169.254.169.254 is a link-local address, which is not fetched from "
                + "(--allow-private allows it)")
        let named = try program.fetch("https://localhost/").failure?.detail
        #expect(
            named == "localhost is 127.0.0.1, a loopback address, which is not fetched from "
                + "(--allow-private allows it)"
                || named == "localhost is ::1, a loopback address, which is not fetched from "
                    + "(--allow-private allows it)"
        )
    }

    @Test("also not where an answer leads to them: a proxy is not even asked")
    func redirect() async throws {
        try await LoopbackServer.run { server in
            try await LoopbackProxy.run(ports: ["passes.example": server.port]) { proxy in
                server.serve("/a", .redirect(to: "http://169.254.169.254/latest/meta-data/"))
                server.serve("/b", .redirect(to: "http://localhost/"))
                server.serve("/c", .redirect(to: "http://metadata.internal/"))
                server.serve("/d", .redirect(to: "http://2852039166/"))
                server.serve("/e", .bytes("x".utf8))
                var configuration = careful
                configuration.proxies = ["http_proxy": proxy.url]
                let program = try FetchProgram(configuration)
                for path in ["/a", "/b", "/c", "/d"] {
                    let outcome = try program.fetch("http://passes.example\(path)")
                    #expect(outcome.failure?.code == .address)
                }
                #expect(try program.fetch("http://passes.example/e").size == 1)
                #expect(Set(proxy.inquiries.map(\.target)) == ["passes.example:80"])
            }
        }
    }
}
