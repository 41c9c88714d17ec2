import Testing

@testable import PassCommands

@Suite("Untrusted text is indented and limited in length")
struct MarginTests {
    @Test(
        "whatever its length: words, no spaces, wide characters or combining marks",
        arguments: ["word ", "x", "東", "\u{301}"])
    func limit(unit: String) {
        let margin = Margin(terminal: Terminal(isTerminal: true, hasColours: false, width: 80))
        let text = String(repeating: unit, count: 200_000)
        let lines = margin.around([text, "end"], limit: 40)
        #expect(lines.count == 41)
        #expect(lines.allSatisfy { $0.utf8.starts(with: "  | ".utf8) })
        #expect(lines.allSatisfy { $0.unicodeScalars.count <= 4 * 80 })
        #expect(lines.last?.hasSuffix(" more lines") == true)
        #expect(margin.around(["one", "two"], limit: 2) == ["  | one", "  | two"])
    }
}
