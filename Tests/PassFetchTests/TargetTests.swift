import Fetching
import Testing

@testable import PassFetch

@Suite("URLs are normalised before the request")
struct TargetTests {
    @Test(
        "the normalised request",
        arguments: [
            ("https://h.example/a", "https://h.example/a"),
            ("HTTPS://H.Example:443/A?b#c", "https://h.example/A?b"),
            ("https://h.example", "https://h.example/"),
            ("https://h.example?x", "https://h.example/?x"),
            ("https://h.example./", "https://h.example/"),
            ("https://h.example:8443/", "https://h.example:8443/"),
            ("http://h.example:80/", "http://h.example/"),
            ("https://user:secret@h.example/", "https://h.example/"),
            ("https://h.example/a b", "https://h.example/a%20b"),
            ("https://h.example/%2e%2F?q=%26", "https://h.example/%2e%2F?q=%26"),
            ("https://%68.example/", "https://h.example/"),
            // RFC 3492, 7.1 has no example as short; this one is from Python's
            // `"b\u{FC}cher".encode("idna")`.
            ("https://bücher.example/", "https://xn--bcher-kva.example/"),
            ("http://0x7f.1/", "http://127.0.0.1/"), ("http://2130706433/", "http://127.0.0.1/"),
            ("http://127.0.0.1./", "http://127.0.0.1/"),
            ("http://[::FFFF:127.0.0.1]:8080/", "http://[::ffff:127.0.0.1]:8080/"),
            ("http://[0:0::1]/", "http://[::1]/"),
        ])
    func canonical(text: String, url: String) throws {
        #expect(try Target(text, allowsHTTP: true).url == url)
    }

    @Test(
        "refused URLs",
        arguments: [
            "", "h.example", "ftp://h.example/", "file:///etc/passwd", "https:///x",
            "https:h.example", "https://h.example:0/", "https://h.example:99999/",
            "https://a..b/", "https://a%0d%0aX:%20y/", "https://a%00b/", "https://a b/",
            "https://[::1", "https://[fe80::1%25eth0]/", "https://[v1.x]/",
            "https://\(String(repeating: "a", count: 64)).example/", "javascript:alert(1)",
        ])
    func refused(text: String) {
        let failure = #expect(throws: FetchFailure.self) { try Target(text, allowsHTTP: true) }
        #expect(failure?.code == .url)
    }

    @Test("http is fetched only if allowed")
    func insecure() {
        let failure = #expect(throws: FetchFailure.self) {
            try Target("http://h.example/secret?token", allowsHTTP: false)
        }
        #expect(failure?.code == .insecure)
        #expect(failure?.reason == .insecure(host: "h.example"))
    }

    /// Expected: RFC 7617, 2.
    @Test("a user name and password are taken from the URL and sent as Basic")
    func credentials() throws {
        let target = try Target("https://Aladdin:open%20sesame@h.example/", allowsHTTP: false)
        #expect(target.credentials == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(try Target("https://h.example/", allowsHTTP: false).credentials == nil)
    }

    /// Expected: RFC 3986, 5.4.
    @Test(
        "targets of redirects",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"), ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"),
            ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../../../g", "http://a/g"),
            ("https://h.example/x", "https://h.example/x"),
        ])
    func redirects(location: String, url: String) throws {
        let target = try Target("http://a/b/c/d;p?q", allowsHTTP: true)
        #expect(try target.redirected(to: location, allowsHTTP: true).url == url)
    }

    @Test(
        "refused targets of redirects",
        arguments: [
            ("http://h.example/", FetchFailure.Code.insecure), ("ftp://h.example/", .redirect),
            ("https://user:secret@h.example/", .redirect), ("https:///", .redirect),
            ("data:,x", .redirect), ("file:///etc/passwd", .redirect),
            ("https://a\u{0}b/", .redirect),
        ])
    func refusedRedirects(location: String, code: FetchFailure.Code) throws {
        let target = try Target("https://a.example/b", allowsHTTP: false)
        let failure = #expect(throws: FetchFailure.self) {
            try target.redirected(to: location, allowsHTTP: false)
        }
        #expect(failure?.code == code)
        #expect(!"\(failure, default: "")".contains("secret"))
    }

    @Test("servers are the same if scheme, host and port are equal")
    func origins() throws {
        func origin(_ text: String) throws -> Origin { try Target(text, allowsHTTP: true).origin }
        #expect(try origin("https://h.example/a") == origin("https://H.EXAMPLE:443/b"))
        #expect(try origin("https://h.example/") != origin("https://h.example:8443/"))
        #expect(try origin("https://h.example/") != origin("http://h.example:443/"))
        #expect(try origin("https://h.example/") != origin("https://www.h.example/"))
    }
}
