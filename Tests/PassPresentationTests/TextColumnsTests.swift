import Testing

@testable import PassPresentation

@Suite("Columns are aligned in any script")
struct TextColumnsTests {
    // The widths are those of UAX 11 and of xterm.
    @Test(
        "the width of a text is the sum of the widths of its characters",
        arguments: [
            ("", 0), ("abc", 3), ("Zürich", 6), ("e\u{301}", 1), ("東京", 4), ("한국", 4), ("🛫", 2),
            // A symbol drawn as an emoji, a flag, a joined emoji and a decomposed syllable.
            ("⚡", 2), ("🇵🇹", 2), ("👩\u{200D}🚀", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("\u{1B}[32mtrusted\u{1B}[0m", 7), ("\u{1B}[1m東京\u{1B}[0m", 4),
            // Sequences that are not this program's colours.
            ("\u{1B}[m", 3), ("\u{1B}[2", 3), ("\u{1B}", 1), ("\u{1B}\u{1B}[2mé", 2),
        ])
    func width(text: String, width: Int) {
        #expect(columns(text) == width)
    }

    @Test("the number of zero-width marks is limited")
    func marks() {
        let marked = "e" + String(repeating: "\u{301}", count: 100_000)
        #expect(clipped(marked, to: 60).unicodeScalars.count == 240)
        #expect(clipped("e\u{301}tude", to: 3) == "e\u{301}tu")
        let pieces = cut(marked, to: 10)
        #expect(pieces.allSatisfy { $0.unicodeScalars.count <= 40 })
        #expect(pieces.map(\.unicodeScalars.count).reduce(0, +) == 100_001)
    }

    @Test(
        "a long text gets an ellipsis, and no character is cut in two",
        arguments: [
            ("Lisboa", 6, "Lisboa", "Lisboa"), ("Lisboa", 5, "Lisb…", "…sboa"),
            ("東京都", 5, "東京…", "…京都"), ("e\u{301}tude", 2, "e\u{301}…", "…e"),
            ("a 👩\u{200D}🚀", 4, "a…", "…"), ("mail/a/b.mbox", 9, "mail/a/b…", "…/b.mbox"),
            ("", 3, "", ""), ("ab", 1, "…", "…"),
        ])
    func ellipsis(text: String, width: Int, start: String, end: String) {
        #expect(shortened(text, to: width) == start)
        #expect(shortenedPath(text, to: width) == end)
    }

    @Test("a text is shortened to a few marks per column")
    func ellipsisOfMarks() {
        let marked = "e" + String(repeating: "\u{301}", count: 100_000)
        #expect(shortened(marked, to: 60).unicodeScalars.count < 250)
        #expect(shortenedPath(marked, to: 60).unicodeScalars.count < 250)
    }

    @Test("rows are aligned, and have no trailing spaces")
    func rows() {
        #expect(aligned([["a", "bb", "c"], ["東京", "b"], []]) == ["a     bb  c", "東京  b", ""])
    }

    @Test(
        "long lines are wrapped at spaces",
        arguments: [
            ("one two three", 7, ["one two", "three"]),
            ("unbreakable word", 4, ["unbreakable", "word"]),
            ("", 10, [""]),
        ])
    func wraps(text: String, width: Int, lines: [String]) {
        #expect(wrapped(text, to: width) == lines)
    }
}
