import Foundation
import PassModel
import Testing

@Suite("Any serial number can be read back from the URL of its pass")
struct PassIdentityTests {
    private static let type = "pass.com.example.ticket"

    /// What Python's `urllib.parse.quote(serial, safe="")` returns.
    static let rows: [(serial: String, quoted: String)] = [
        ("0001", "0001"), ("a/b", "a%2Fb"), ("//", "%2F%2F"), ("100%", "100%25"),
        ("50%25", "50%2525"), ("%2F", "%252F"), ("what?", "what%3F"), ("#1", "%231"),
        ("two words", "two%20words"), (" ", "%20"), ("\t\n\u{7F}", "%09%0A%7F"),
        ("-._~", "-._~"), ("..", ".."),
        ("+&=;:@!$'()*,", "%2B%26%3D%3B%3A%40%21%24%27%28%29%2A%2C"),
        ("\"<>\\^`{|}", "%22%3C%3E%5C%5E%60%7B%7C%7D"),
        ("ä", "%C3%A4"), ("e\u{301}", "e%CC%81"), ("\u{E9}", "%C3%A9"),
        ("한국", "%ED%95%9C%EA%B5%AD"), ("🎫", "%F0%9F%8E%AB"), ("a\u{34F}", "a%CD%8F"),
        ("\u{FEFF}\u{FFFE}", "%EF%BB%BF%EF%BF%BE"), ("\u{10FFFF}", "%F4%8F%BF%BF"),
    ]

    @Test("percent-encoded as Python does it", arguments: rows)
    func encoded(serial: String, quoted: String) {
        let identity = PassIdentity(passTypeIdentifier: Self.type, serialNumber: serial)
        #expect(identity.passURL.absoluteString == "passconduit:pass/\(Self.type)/\(quoted)")
        #expect(identity.passURL.scheme == "passconduit")
    }

    @Test("and back, byte for byte", arguments: rows)
    func decoded(serial: String, quoted: String) throws {
        let url = try #require(URL(string: "passconduit:pass/\(Self.type)/\(quoted)"))
        let identity = try #require(PassIdentity(passURL: url))
        #expect(Array(identity.serialNumber.utf8) == Array(serial.utf8))
        #expect(identity.passTypeIdentifier == Self.type)
    }

    @Test("every byte of ASCII in both parts", arguments: 1..<128)
    func ascii(code: Int) throws {
        let text = "a\(try #require(Unicode.Scalar(code)))b"
        let identity = PassIdentity(passTypeIdentifier: text, serialNumber: text)
        #expect(PassIdentity(passURL: identity.passURL) == identity)
    }

    @Test(
        "equivalent URLs are read, too",
        arguments: [
            ("PassConduit:pass/t/s", "s"), ("passconduit:pass/t/%41", "A"),
            ("passconduit:pass/t/%2f", "/"), ("passconduit:pass/t/a+b", "a+b"),
            ("passconduit:pass/t/a:b", "a:b"),
        ])
    func equivalent(text: String, serial: String) throws {
        let url = try #require(URL(string: text))
        #expect(
            PassIdentity(passURL: url)
                == PassIdentity(passTypeIdentifier: "t", serialNumber: serial))
    }

    @Test(
        "no other URL is one",
        arguments: [
            "passconduit:pass", "passconduit:pass/", "passconduit:pass/t", "passconduit:pass/t/",
            "passconduit:pass//s", "passconduit:pass/t/s/", "passconduit:pass/t/s/u",
            "passconduit:/pass/t/s", "passconduit://pass/t/s", "passconduit:t/s",
            "passconduit:Pass/t/s", "passconduit:pass/t/s?", "pass/t/s",
            "passconduit:pass/t/s#", "passconduit:pass/t/s?q=1", "https://example.com/pass/t/s",
            "file:///pass/t/s",
            // Not UTF-8, NUL, and a surrogate.
            "passconduit:pass/t/%FF", "passconduit:pass/t/%00", "passconduit:pass/t/%ED%A0%80",
            // A run of combining marks that no pass may have.
            "passconduit:pass/t/e" + String(repeating: "%CC%81", count: 100),
        ])
    func others(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(PassIdentity(passURL: url) == nil)
    }
}
