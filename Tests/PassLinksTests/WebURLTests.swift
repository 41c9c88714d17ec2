import Foundation
import Testing

@testable import PassLinks

@Suite("A URL is normalised as browsers do")
struct WebURLTests {
    // The examples of "URL parsing" at https://url.spec.whatwg.org/#urls, with differences: RFC
    // 3986 does not allow a bare `%` or brackets, and Foundation encodes such a URL again.
    @Test(
        "the examples of the standard",
        arguments: [
            ("https://user:password@example.org/", "https://user:password@example.org/"),
            ("https://example.org/foo bar", "https://example.org/foo%20bar"),
            ("https://EXAMPLE.com/../x", "https://example.com/x"),
            ("https://////example.com///", "https://example.com///"),
            ("\thttps://example.com:443/a?\u{E9}#x ", "https://example.com/a?%C3%A9"),
            ("https://example.com/././foo", "https://example.com/foo"),
            ("https://example.com/[]?[]#[]", "https://example.com/%5B%5D?%5B%5D"),
            ("https://example/%?%#%", "https://example/%25?%25"),
            ("https://example.org//", "https://example.org//"),
            ("https://ex%41mple.com:8443", "https://example.com:8443/"),
            ("https://ex ample.org/", nil), ("https://example.com:demo", nil),
            ("http://[www.example.com]/", nil), ("https://exa%23mple.org", nil),
            ("https://", nil), ("https:///?a", nil), ("https://a%2fb/", nil),
        ])
    func standard(text: String, written: String?) {
        #expect(WebURL(text)?.text == written)
    }

    @Test(
        "URLs as people and pages write them",
        arguments: [
            ("HTTP://X.Example:80/A", "http://x.example/A"),
            ("http://x.example:443/", "http://x.example:443/"),
            ("https://x.example:/a", "https://x.example/a"),
            ("https:\\\\x.example\\a\\b?c\\d", "https://x.example/a/b?c%5Cd"),
            ("https://x.example/a\r\n\tb", "https://x.example/ab"),
            ("https://x.example/a%20b c", "https://x.example/a%20b%20c"),
            ("https://x.example/%E4%f6", "https://x.example/%E4%f6"),
            ("https://x.example/%2e%2E/a/%2e/b/.%2e", "https://x.example/a/"),
            ("https://x.example/a/b/..", "https://x.example/a/"),
            ("https://x.example/a/...", "https://x.example/a/..."),
            ("https://x.example?a=/../b", "https://x.example/?a=/../b"),
            ("https://[2001:DB8::1]:8443/a", "https://[2001:db8::1]:8443/a"),
            ("https://m\u{FC}nchen.example/", "https://m\u{FC}nchen.example/"),
            ("https://a:b@c@x.example/", "https://a:b%40c@x.example/"),
            ("https://x.example/\u{202E}", "https://x.example/%E2%80%AE"),
            ("https://x.example/`{|}^<>\"", "https://x.example/%60%7B%7C%7D%5E%3C%3E%22"),
            ("https://x.example:65536/", nil), ("https://x.example:-1/", nil),
            ("https:x.example", nil), ("https:/x.example", nil), ("ftp://x.example/", nil),
            ("//x.example/", nil), ("", nil), ("https://[::1", nil), ("https://[::1]x/", nil),
        ])
    func written(text: String, written: String?) {
        #expect(WebURL(text)?.text == written)
    }

    @Test("Foundation leaves a normalised URL unchanged")
    func settled() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let tail = (0..<20).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Array("https://x.example/a%20b/".utf8) + tail
            let url = try #require(WebURL(text), "\(text)")
            #expect(URL(string: url.text)?.absoluteString == url.text, "\(text)")
            #expect(WebURL(url.text) == url, "\(text)")
        }
    }

    @Test("a password is not shown")
    func shown() throws {
        let url = try #require(WebURL("https://ada:secret@x.example:8443/a?b"))
        #expect(url.shown == "https://x.example:8443/a?b")
    }

    // RFC 3986, 5.4.1 and 5.4.2. Fragments are removed, and references with another scheme are
    // ignored.
    @Test(
        "references are resolved as in RFC 3986",
        arguments: [
            ("g:h", nil), ("g", "b/c/g"), ("./g", "b/c/g"), ("g/", "b/c/g/"), ("/g", "g"),
            ("?y", "b/c/d;p?y"), ("g?y", "b/c/g?y"), ("#s", "b/c/d;p?q"), ("g#s", "b/c/g"),
            ("g?y#s", "b/c/g?y"), (";x", "b/c/;x"), ("g;x", "b/c/g;x"), ("g;x?y#s", "b/c/g;x?y"),
            ("", "b/c/d;p?q"), (".", "b/c/"), ("./", "b/c/"), ("..", "b/"), ("../", "b/"),
            ("../g", "b/g"), ("../..", ""), ("../../", ""), ("../../g", "g"),
            ("../../../g", "g"), ("../../../../g", "g"), ("/./g", "g"), ("/../g", "g"),
            ("g.", "b/c/g."), (".g", "b/c/.g"), ("g..", "b/c/g.."), ("..g", "b/c/..g"),
            ("./../g", "b/g"), ("./g/.", "b/c/g/"), ("g/./h", "b/c/g/h"), ("g/../h", "b/c/h"),
            ("g;x=1/./y", "b/c/g;x=1/y"), ("g;x=1/../y", "b/c/y"), ("g?y/./x", "b/c/g?y/./x"),
            ("g?y/../x", "b/c/g?y/../x"), ("g#s/./x", "b/c/g"),
        ] as [(String, String?)])
    func resolved(reference: String, path: String?) throws {
        let base = try #require(WebURL("http://a/b/c/d;p?q"))
        let url = base.resolve(Array(reference.utf8))
        #expect(url?.text == path.map { "http://a/\($0)" })
    }

    @Test(
        "references outside RFC 3986 are resolved as in browsers",
        arguments: [
            ("//g", "https://g/"), ("\\\\g\\h", "https://g/h"), ("\\g", "https://x.example/g"),
            (" a b.pkpass\n", "https://x.example/t/a%20b.pkpass"),
            ("http://y.example", "http://y.example/"), ("a:b", nil),
            ("./a:b", "https://x.example/t/a:b"),
            ("javascript:x()", nil), ("mailto:a@x.example", nil), ("data:,x", nil),
        ] as [(String, String?)])
    func resolvedAsBrowsers(reference: String, written: String?) throws {
        let base = try #require(WebURL("https://x.example/t/page"))
        #expect(base.resolve(Array(reference.utf8))?.text == written)
    }
}
