import Foundation
import PassDetection
import PassModel
import PassPresentation
import Testing

@testable import PassCommands
@testable import PassImport
@testable import PassVerification

@Suite("The same reasons are printed once for many passes")
struct SharedReasonsTests {
    private static let terminal = Terminal(isTerminal: true, hasColours: false, width: 80)

    /// What a run prints: `1`, `2` and `t` for passes, a reason by its number.
    @Test(arguments: [
        ("t", "t"), ("1", "1 malformed: not a ZIP archive"),
        ("111", "1 1 1 3 passes: malformed: not a ZIP archive"),
        ("1t", "1 malformed: not a ZIP archive t"),
        ("1t1", "1 malformed: not a ZIP archive t 1 2 passes: malformed: not a ZIP archive"),
        (
            "1121",
            "1 1 2 passes: malformed: not a ZIP archive 2 malformed: the archive is cut off: its end "
                + "is missing 1 3 passes: malformed: not a ZIP archive"
        ),
    ])
    func lines(passes: String, expected: String) {
        var shared: SharedReasons? = SharedReasons()
        let lines = FoundLines(isFull: false, displayLocale, on: Self.terminal)
        var printed: [String] = []
        for pass in passes {
            printed.append(lines.text(found(pass), nil, sharing: &shared))
        }
        printed += shared?.flush(on: Self.terminal) ?? []
        printed += shared?.rest(on: Self.terminal) ?? []
        let words = printed.joined(separator: "\n").split(whereSeparator: \.isWhitespace)
            .filter { !["\u{2717}", "\u{2713}", "-"].contains($0) }
        #expect(words.joined(separator: " ") == expected)
    }

    @Test("without symbols, a single reason needs no word, and a number of passes has it")
    func words() throws {
        var terminal = Self.terminal
        terminal.hasSymbols = false
        let reasons = try #require(VerdictReasons(found("1")))
        #expect(reasons.lines(on: terminal) == ["    not a ZIP archive"])
        #expect(
            reasons.lines(for: 1234, on: terminal)
                == ["    1,234 passes: malformed: not a ZIP archive"])
    }

    private let displayLocale = DisplayLocale(
        languages: ["en"], locale: Locale(identifier: "en_US"), timeZone: .gmt, now: .now)

    private func found(_ name: Character) -> FoundPass {
        let verification =
            switch name {
            case "t":
                Verification(
                    verdict: .trusted, reasons: [], notes: [], checks: [], signer: nil,
                    signedAt: nil, pass: nil, sha256: "", size: 0, textSize: 0, inflated: 0,
                    verified: nil)
            case "2": PassVerifier().verify([0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 60))
            default: PassVerifier().verify([])
            }
        return FoundPass(
            source: String(name), message: nil, part: "", name: String(name), mediaType: "",
            evidence: [.fileExtension], verification: verification)
    }
}
