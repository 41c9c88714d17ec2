import Testing

@testable import PassDrawing

@Suite("A text is shown in one line, without misleading characters")
struct ShownTextTests {
    @Test(
        "row by row",
        arguments: [
            ("Ada", "Ada"), ("  two\n\n words \t", "two words"), ("", ""), (" \n", ""),
            ("a\u{202E}b\u{2066}c\u{2069}", "abc"), ("a\u{0}\u{7}b", "a b"),
            ("10\u{A0}€", "10\u{A0}€"), ("2:25\u{202F}PM", "2:25 PM"),
            // Emoji of several scalars, and marks that Arabic and Hebrew need.
            ("👩‍👧", "👩‍👧"), ("\u{200F}א", "\u{200F}א"),
        ])
    func shown(text: String, expected: String) {
        #expect(ShownText(text).text == expected)
    }

    @Test("truncated at its limit")
    func limit() {
        #expect(ShownText(String(repeating: "x", count: 401)).text.count == ShownText.limit)
    }
}
