import Fetching
import Testing

@testable import PassFetch

/// Expected: the choice of curl 7.88.1 with the same variables, or of curl(1) where the two differ.
@Suite("Proxies are chosen as curl chooses them")
struct ProxyChoiceTests {
    @Test(
        "servers without a proxy",
        arguments: [
            ("a.invalid", "", true), ("a.invalid", "*", false), ("a.invalid", "*,b", true),
            ("a.invalid", "a.invalid", false), ("www.a.invalid", "a.invalid", false),
            ("www.a.invalid", ".a.invalid", false), ("a.invalid", ".a.invalid", false),
            ("nota.invalid", "a.invalid", true), ("a.invalid", "A.INVALID", false),
            ("a.invalid", "a.invalid.", false), ("a.invalid", "b.invalid, a.invalid", false),
            ("a.invalid", "b.invalid a.invalid", false), ("a.invalid", "a.invalid:80", true),
            ("a.invalid", "..a.invalid", true), ("a.invalid", ",,a.invalid", false),
            ("a.invalid", " a.invalid ", false), ("a.invalid", "invalid", false),
            ("a.invalid", "*.invalid", true), ("192.0.2.7", "192.0.2.7", false),
            ("192.0.2.7", "192.0.2.0/24", false), ("192.0.3.7", "192.0.2.0/24", true),
            ("192.0.2.7", "192.0.2.0/33", true), ("192.0.2.7", "0.0.0.0/0", true),
            ("192.0.2.7", "192.0.2.7/0", false), ("192.0.2.7", "192.0.2", true),
            ("192.0.2.7", ".0.2.7", true), ("2001:db8::1", "2001:db8::1", false),
            ("2001:db8::1", "2001:db9::/32", true), ("192.0.2.7", "a.invalid,192.0.2.7", false),
            ("127.0.0.1", "localhost", true), ("localhost", "127.0.0.1", true),
            ("a.invalid", ".", true),
            // curl(1) documents prefix lengths for IPv6 as well, but 7.88.1 ignores them.
            ("2001:db8::1", "2001:db8::/32", false),
        ])
    func exceptions(host: String, list: String, isProxied: Bool) throws {
        let choice = ProxyChoice(["http_proxy": "http://proxy.example:9", "no_proxy": list])
        let origin = Origin(isSecure: false, host: host, port: 80)
        #expect(try (choice.proxy(for: origin) != nil) == isProxied)
    }

    @Test("each scheme has its own variable, and one variable is for all schemes")
    func variables() throws {
        let plain = Origin(isSecure: false, host: "a.example", port: 80)
        let secure = Origin(isSecure: true, host: "a.example", port: 443)
        let both = ProxyChoice(["http_proxy": "p:1", "https_proxy": "s:2"])
        #expect(try both.proxy(for: plain)?.description == "p:1")
        #expect(try both.proxy(for: secure)?.description == "s:2")
        let all = ProxyChoice(["http_proxy": "", "all_proxy": "all:3"])
        #expect(try all.proxy(for: plain)?.description == "all:3")
        #expect(try all.proxy(for: secure)?.description == "all:3")
        #expect(try ProxyChoice(["http_proxy": "p:1"]).proxy(for: secure) == nil)
        #expect(try ProxyChoice([:]).proxy(for: plain) == nil)
    }

    @Test(
        "the forms of a variable",
        arguments: [
            ("127.0.0.1:9", Proxy.Resolution.byProxy, "127.0.0.1", 9),
            ("127.0.0.1", .byProxy, "127.0.0.1", 1080),
            ("http://proxy.example:8080/x", .byProxy, "proxy.example", 8080),
            ("HTTP://[::1]:3128", .byProxy, "::1", 3128),
            ("http://u:p%40@127.0.0.1:9/x", .byProxy, "127.0.0.1", 9),
            ("https://proxy.example", .byProxy, "proxy.example", 443),
            ("socks4://proxy.example", .local, "proxy.example", 1080),
            ("socks4a://proxy.example", .byProxy, "proxy.example", 1080),
            ("socks5://proxy.example", .local, "proxy.example", 1080),
            ("socks5://u:p@proxy.example", .local, "proxy.example", 1080),
            ("socks5h://proxy.example:1", .byProxyAlone, "proxy.example", 1),
        ])
    func values(text: String, resolution: Proxy.Resolution, host: String, port: Int) throws {
        let proxy = try Proxy(text)
        #expect(proxy.resolution == resolution)
        #expect(proxy.host == host)
        #expect(proxy.port == port)
        #expect(proxy.description == (host == "::1" ? "[::1]:3128" : "\(host):\(port)"))
    }

    @Test(
        "unsupported proxies are reported",
        arguments: [
            "foo://a", "http://", "http://a:0", "foo://u:p@a", "http://u:p@", "http://u:p@a:99999",
        ])
    func refused(text: String) {
        let failure = #expect(throws: FetchFailure.self) { try Proxy(text) }
        #expect(failure?.code == .proxy)
        #expect(!"\(failure, default: "")".contains("u:p"))
    }
}
