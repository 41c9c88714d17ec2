import MIME
import PassDetection
import Testing

@testable import PassLinks

@Suite("A server's header fields are read as browsers read them")
struct HTTPHeaderTests {
    /// The expected names in rows with `foo` are those of the test cases for Content-Disposition at
    /// test.greenbytes.de/tech/tc2231. The first rows are the examples of RFC 6266, 5 and RFC 8187,
    /// 3.2.3.
    @Test(
        "a name in Content-Disposition",
        arguments: [
            ("Attachment; filename=example.html", "example.html"),
            ("INLINE; FILENAME= \"an example.html\"", "an example.html"),
            ("attachment; filename*= UTF-8''%e2%82%ac%20rates", "\u{20AC} rates"),
            (
                "attachment; filename=\"EURO rates\"; filename*=utf-8''%e2%82%ac%20rates",
                "\u{20AC} rates"
            ),
            ("attachment; filename*=iso-8859-1'en'%A3%20rates", "\u{A3} rates"),
            (
                "attachment; filename*=UTF-8''%c2%a3%20and%20%e2%82%ac%20rates",
                "\u{A3} and \u{20AC} rates"
            ),
            ("attachment; filename=\"foo.html\"", "foo.html"),
            ("attachment; filename=\"f\\oo.html\"", "foo.html"),
            (
                "attachment; filename=\"Here's a semicolon;.html\"",
                "Here's a semicolon;.html"
            ),
            ("attachment; foo=\"bar\"; filename=\"foo.html\"", "foo.html"),
            ("attachment; foo=\"\\\"\\\\\";filename=\"foo.html\"", "foo.html"),
            ("attachment; FILENAME=\"foo.html\"", "foo.html"),
            ("attachment; filename=foo.html", "foo.html"),
            ("attachment; filename=foo.html ;", "foo.html"),
            ("attachment; filename='foo.html'", "foo.html"),
            ("attachment; filename=\"foo-\u{E4}.html\"", "foo-\u{E4}.html"),
            ("attachment; filename=\"foo-\u{C3}\u{A4}.html\"", "foo-\u{E4}.html"),
            ("attachment; filename=\"foo-\u{20AC}.html\"", "foo-\u{20AC}.html"),
            ("attachment; filename=foo-\u{E4}.html", "foo-\u{E4}.html"),
            ("attachment; filename=\"foo-%41.html\"", "foo-A.html"),
            ("attachment; filename=\"foo-%c3%a4-%e2%82%ac.html\"", "foo-\u{E4}-\u{20AC}.html"),
            ("attachment; filename=\"50%.html\"", "50%.html"),
            ("attachment; filename =\"foo.html\"", "foo.html"),
            ("attachment; filename=\"foo.html\"; filename=\"bar.html\"", "foo.html"),
            ("attachment; filename=foo[1](2).html", "foo[1](2).html"),
            ("attachment; filename=foo bar.html", "foo bar.html"),
            ("filename=foo.html", "foo.html"), ("; filename=foo.html", "foo.html"),
            ("attachment filename=foo.html", "foo.html"),
            ("attachment; filename=\"foo.html", "foo.html"),
            ("attachment; filename=\"/foo.html\"", "foo.html"),
            ("attachment; filename=\"\\\\foo.html\"", "foo.html"),
            ("attachment; filename=\"../../etc/foo.html\"", "foo.html"),
            ("attachment; filename*=UTF-8''foo-%c3%a4-%e2%82%ac.html", "foo-\u{E4}-\u{20AC}.html"),
            ("attachment; filename*=iso-8859-1''foo-%E4.html", "foo-\u{E4}.html"),
            ("attachment; filename*=''foo-%c3%a4-%e2%82%ac.html", "foo-\u{E4}-\u{20AC}.html"),
            ("attachment; filename *=UTF-8''foo-%c3%a4.html", "foo-\u{E4}.html"),
            ("attachment; filename* =UTF-8''foo-%c3%a4.html", "foo-\u{E4}.html"),
            ("attachment; filename*=\"UTF-8''foo-%c3%a4.html\"", "foo-\u{E4}.html"),
            ("attachment; filename*=UTF-8''%5cfoo.html", "foo.html"),
            ("attachment; filename*0=\"foo.\"; filename*1=\"html\"", "foo.html"),
            (
                "attachment; filename=\"foo-ae.html\"; filename*=UTF-8''foo-%c3%a4.html",
                "foo-\u{E4}.html"
            ),
            (
                "attachment; filename*=UTF-8''foo-%c3%a4.html; filename=\"foo-ae.html\"",
                "foo-\u{E4}.html"
            ),
            ("attachment; filename==?UTF-8?Q?foo-=C3=A4.html?=", "foo-\u{E4}.html"),
            ("attachment; example=\"filename=foo.html\"", nil), ("attachment", nil), ("", nil),
            ("attachment; filename=", nil), ("attachment; filename=\"\"", nil),
        ] as [(String, String?)])
    func disposition(value: String, name: String?) {
        let header = PartHeader(contentType: nil, contentDisposition: value)
        #expect(header.names.first == name)
    }

    @Test(
        "a media type, also in a list and with its parameters",
        arguments: [
            ("application/vnd.apple.pkpass", ["application/vnd.apple.pkpass"], nil),
            ("Application/VND.Apple.pkpass ; charset=x", ["application/vnd.apple.pkpass"], nil),
            (
                "application/vnd.apple.pkpass;name=\"a.pkpass\"", ["application/vnd.apple.pkpass"],
                "a.pkpass"
            ),
            ("application/vnd.apple.pkpass, text/html", ["application/vnd.apple.pkpass"], nil),
            ("", [], nil),
        ] as [(String, [String], String?)])
    func type(value: String, types: [String], name: String?) {
        let header = PartHeader(contentType: value, contentDisposition: nil)
        #expect(header.mediaTypes == types)
        #expect(header.names.first == name)
    }

    @Test("a line end in a field cannot add another field")
    func lineEnd() {
        let header = PartHeader(
            contentType: "text/html\r\nContent-Disposition: attachment; filename=a.pkpass",
            contentDisposition: "inline\r\n; filename=b.pkpass")
        #expect(header.mediaTypes == ["text/html"])
        #expect(header.names.first == "b.pkpass")
    }

    @Test(
        "names from the server take precedence over the last component of the path",
        arguments: [
            ("https://x.example/t/a.pkpass?b=c.pkpass", ["a.pkpass"]),
            ("https://x.example/t/my%20ticket.pkpass", ["my ticket.pkpass"]),
            ("https://x.example/a.pkpass;jsessionid=1", ["a.pkpass"]),
            ("https://x.example/a%2Fb.pkpass", ["b.pkpass"]),
            ("https://x.example/f%FCr.pkpass", ["f\u{FC}r.pkpass"]),
            ("https://x.example/get?file=a.pkpass", ["get"]), ("https://x.example/t/", []),
            ("https://x.example", []),
        ])
    func path(url: String, names: [String]) {
        let header = PartHeader(contentType: nil, contentDisposition: nil, url: WebURL(url))
        #expect(header.names == names)
        let named = PartHeader(
            contentType: "application/octet-stream",
            contentDisposition: "inline; filename=x.pkpass",
            url: WebURL(url))
        #expect(named.names == ["x.pkpass"] + names)
        #expect(TypeMap.builtIn.declaration(named).evidence == .fileExtension)
    }
}
