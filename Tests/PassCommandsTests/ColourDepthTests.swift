import PassModel
import PassSession
import Testing

@testable import PassCommands

@Suite("A terminal gets the colours that it supports")
struct ColourDepthTests {
    @Test(
        arguments: [
            (["TERM": "xterm", "COLORTERM": "truecolor"], .direct),
            (["TERM": "xterm-256color", "COLORTERM": "24bit"], .direct),
            (["TERM": "xterm-direct"], .direct),
            (["TERM": "screen-256color"], .indexed),
            (["TERM": "xterm-256color", "COLORTERM": "yes"], .indexed),
            (["TERM": "xterm"], .eight),
            ([:], .eight),
            (["TERM": "dumb", "COLORTERM": "truecolor"], .none),
            (["TERM": "xterm-256color", "NO_COLOR": "1"], .none),
            (["TERM": "xterm-256color", "NO_COLOR": ""], .indexed),
        ] as [([String: String], ColourDepth)])
    func depth(variables: [String: String], depth: ColourDepth) {
        #expect(ColourDepth(Environment(variables)) == depth)
    }

    /// From the table of xterm's 256 colours.
    @Test(arguments: [
        ("rgb(0, 0, 0)", 16), ("rgb(255, 255, 255)", 231), ("rgb(255, 0, 0)", 196),
        ("rgb(95, 135, 175)", 67), ("rgb(90, 140, 170)", 67), ("rgb(8, 8, 8)", 232),
        ("rgb(128, 128, 128)", 244), ("rgb(238, 238, 238)", 255), ("rgb(0, 0, 95)", 17),
    ])
    func nearest(colour: String, index: Int) throws {
        let terminal = Terminal(isTerminal: true, colours: .indexed)
        let colour = try #require(PassColor(colour))
        let ink = Ink(text: colour, ground: .white)
        #expect(terminal.paint("x", ink) == "\u{1B}[38;5;\(index);48;5;231mx\u{1B}[0m")
    }

    /// From the W3C's examples of contrast.
    @Test(arguments: [
        ("#777777", "#ffffff", 4.48), ("#000000", "#ffffff", 21), ("#0000ff", "#ffffff", 8.59),
        ("#ff0000", "#ffffff", 4.0), ("#123456", "#123456", 1),
    ])
    func ratio(one: String, other: String, ratio: Double) throws {
        let (one, other) = (try #require(PassColor(one)), try #require(PassColor(other)))
        #expect(abs(one.contrast(with: other) - ratio) < 0.01)
        #expect(abs(other.contrast(with: one) - ratio) < 0.01)
    }
}
