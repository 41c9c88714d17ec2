import Testing

@testable import Bytes

@Suite("Untrusted text is compared by its bytes")
struct ExactComparisonTests {
    /// All characters that are canonically equivalent to an ASCII character (UnicodeData.txt), and
    /// a character with two spellings.
    static let pairs = [
        ("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}"), ("\u{E9}", "e\u{301}"),
    ]

    @Test("canonically equivalent texts differ", arguments: pairs)
    func differ(text: String, other: String) {
        #expect(text == other)
        #expect(!text.isExactly(other) && !"a\(text)b".isExactly("a\(other)b"))
        #expect(text.isExactly(text) && other.isExactly(other))
        #expect(Key(text: text) != Key(text: other) && Key(text: text) == Key(text: text))
        #expect(Set([Key(text: text), Key(text: other), Key(text: text)]).count == 2)
    }

    @Test("the length of a text is hashed")
    func ends() {
        func hash(_ texts: [String]) -> Int {
            var hasher = Hasher()
            for text in texts { text.hashBytes(into: &hasher) }
            return hasher.finalize()
        }
        #expect(hash(["ab", "c"]) != hash(["a", "bc"]))
        #expect(hash(["ab", "c"]) == hash(["ab", "c"]))
    }

    @Test("a value has exactly one raw value")
    func rawValues() {
        #expect(Format(exactly: "PKQR;`") == .qr)
        #expect(Format(rawValue: "P\u{212A}QR;`") == .qr)
        for other in ["P\u{212A}QR;`", "PKQR\u{37E}`", "PKQR;\u{1FEF}", "PKQR", ""] {
            #expect(Format(exactly: other) == nil)
        }
    }

    @Test(
        "only ASCII letters change case",
        arguments: [
            ("PKPass", "pkpass"), ("\u{212A}", "\u{212A}"), ("ÀZ", "Àz"), ("İ", "İ"), ("", ""),
        ])
    func lowerCase(text: String, lower: String) {
        #expect(text.asciiLowercased.isExactly(lower))
        #expect(text[...].asciiLowercased.isExactly(lower))
    }

    private enum Format: String {
        case qr = "PKQR;`"
    }

    private struct Key: Hashable {
        let text: String

        static func == (left: Key, right: Key) -> Bool { left.text.isExactly(right.text) }
        func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
    }
}
