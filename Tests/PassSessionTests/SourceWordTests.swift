import MailSource
import PassLinks
import PassModel
import PassPresentation
import Testing

@testable import PassSession

@Suite("An argument names a path, the standard input, or a URL")
struct SourceWordTests {
    private static let session = Session(environment: Environment([:]), report: { _ in })

    @Test(
        "anything that is not a URL is a path, even if it resembles a URL",
        arguments: [
            "ticket.pkpass", "/tmp/a:b", "./https://x.example/a", "https:x", "http:/x", "1:2,S",
            "C:\\ticket.pkpass", "mail:box", "a b://c", "://x", " ticket.pkpass", "<a>", "--",
            "https", "javascript", "host.example:25", "inbox.M1P2:2,S",
        ])
    func paths(word: String) throws {
        #expect(try SourceWord(word, in: Self.session) == .path(Path(word)))
    }

    @Test func standardInput() throws {
        #expect(try SourceWord("-", in: Self.session) == .standardInput)
    }

    @Test(
        "a file by its URL",
        arguments: [
            ("file:/a.pkpass", "/a.pkpass"), ("file:///a%20b", "/a b"),
            ("FILE://LOCALHOST/a?b#c", "/a?b#c"), ("file:///a ", "/a "),
            ("<file:///a>", "/a"), ("<URL:file:///a >", "/a"),
        ])
    func files(word: String, path: String) throws {
        #expect(try SourceWord(word, in: Self.session) == .path(Path(path)))
    }

    @Test(
        "a web URL, in normalised form",
        arguments: [
            ("https://x.example/a.pkpass", "https://x.example/a.pkpass"),
            (" \tHTTPS://X.example/a b\n", "https://x.example/a%20b"),
            ("<http://x.example>", "http://x.example/"),
            ("<URL:https://x.example/a>", "https://x.example/a"),
            ("https://m\u{FC}nchen.example/\u{FC}", "https://xn--mnchen-3ya.example/%C3%BC"),
        ])
    func web(word: String, url: String) throws {
        let url = try #require(WebURL(url))
        #expect(try SourceWord(word, in: Self.session) == .web(url))
    }

    @Test("a URL that is too long to request is refused, and shown shortened")
    func longURL() throws {
        let start = "https://ada:secret@x.example/"
        let longest = start + String(repeating: "x", count: 16_384 - start.utf8.count)
        #expect(try SourceWord(longest, in: Self.session) == .web(#require(WebURL(longest))))
        let failure = #expect(throws: Failure.self) {
            try SourceWord(longest + "x", in: Self.session)
        }
        let words = try #require(failure?.phrase.english)
        #expect(words.hasPrefix("https://x.example/xxx"))
        #expect(words.hasSuffix("xxx: this URL is longer than 16384 bytes"))
        #expect(words.utf8.count < 250)
        #expect(throws: UnreadableWord.self) {
            try SourceWord.url(Array((longest + "x").utf8))
        }
    }

    @Test("a data: URL, which contains its contents")
    func data() throws {
        let url = "data:application/vnd.apple.pkpass;base64,UEsDBA=="
        let word = try SourceWord(" \(url)\n", in: Self.session)
        #expect(word == .data(try DataURL(Array(url.utf8)), shown: url))
    }

    @Test(
        "a pass of the library by its URL",
        arguments: [
            ("passconduit:pass/pass.example/1", "1"), ("PassConduit:pass/pass.example/1", "1"),
            (" <passconduit:pass/pass.example/a%2Fb>\n", "a/b"),
        ])
    func stored(word: String, serial: String) throws {
        let pass = PassIdentity(passTypeIdentifier: "pass.example", serialNumber: serial)
        let word = try SourceWord(word, in: Self.session)
        #expect(word == .stored(pass))
        #expect(word.input == nil && word.url == nil)
        #expect(word.shown.hasPrefix("passconduit:pass/pass.example/"))
    }

    @Test(
        "unreadable URLs are refused with a message about readable ones",
        arguments: [
            ("ftp://x.example/a", "ftp://x.example/a: ftp: URLs are not supported, only https:"),
            (
                "mailto:ada@x.example",
                "mailto:ada@x.example: mailto: URLs are not supported, only https:"
            ),
            ("cid:1@x.example", "cid:1@x.example: cid: URLs are not supported, only https:"),
            ("https://", "https://: this URL has no valid host"),
            ("https://a b/", "https://a b/: this URL has no valid host"),
            ("file://elsewhere.example/a", "file://elsewhere.example/a: this file is on another"),
            ("data:text/plain", "data:text/plain: this data: URL has no comma"),
            ("passconduit:1", "passconduit:1: this URL does not have the form passconduit:pass/"),
            ("data:;base64,?", "data:;base64,?: this data: URL is not valid base64"),
        ])
    func refused(word: String, words: String) throws {
        let failure = #expect(throws: Failure.self) { try SourceWord(word, in: Self.session) }
        #expect(
            failure?.phrase.english.hasPrefix(words) == true, "\(failure?.phrase.english ?? "")")
        #expect(failure?.exitCode == .unreadable)
    }

    @Test("an existing file takes precedence over a scheme without slashes, but over no other URL")
    func existing() throws {
        for word in ["cid:x", "mailto:x", "data:,x", "passconduit:pass/x/1", "passconduit:x"] {
            #expect(try SourceWord.url(Array(word.utf8)) { true } == nil)
        }
        let url = try #require(WebURL("https://x.example/"))
        #expect(try SourceWord.url(Array(url.text.utf8)) { true } == .web(url))
        #expect(throws: UnreadableWord.self) {
            try SourceWord.url(Array("ftp://x.example/".utf8)) { true }
        }
    }
}
