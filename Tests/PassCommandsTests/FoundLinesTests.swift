import Foundation
import PassDetection
import PassPresentation
import PassVerification
import Testing

@testable import PassCommands
@testable import PassImport

@Suite("A line about a pass is short, whatever names a sender chose")
struct FoundLinesTests {
    private let displayLocale = DisplayLocale(
        languages: ["en"], locale: Locale(identifier: "en_US"), timeZone: .gmt, now: .now)

    private func found(_ name: String, part: String) -> FoundPass {
        FoundPass(
            source: "mail.mbox",
            message: MessageReference(
                index: 0, offset: 0, messageID: "", from: "", date: "", subject: ""),
            part: part, name: name, mediaType: "", evidence: [.fileExtension],
            verification: PassVerifier().verify([]))
    }

    @Test("in a file, names of more than 300 characters are cut")
    func file() {
        let lines = FoundLines(
            isFull: false, displayLocale, on: Terminal(isTerminal: false, hasColours: false))
        let name = String(repeating: "ẹ\u{301}", count: 1_000_000)
        let line = lines.text(found(name, part: "2!\(name)"), nil)
        #expect(line.unicodeScalars.count < 800)
        #expect(line.unicodeScalars.count { $0 == "…" } == 2)
        #expect(line.hasSuffix("… - not a ZIP archive"))
        #expect(
            lines.text(found("a.pkpass", part: "2"), nil)
                == "malformed  -              a.pkpass  mail.mbox, message 1, part 2"
                + " - not a ZIP archive")
    }

    @Test("on a terminal, the line fits its width", arguments: [1, 40, 60, 80, 120, 1000])
    func terminal(width: Int) {
        let lines = FoundLines(
            isFull: false, displayLocale,
            on: Terminal(isTerminal: true, hasColours: false, width: width))
        for name in [String(repeating: "東", count: 10_000), "", "a\u{1B}[2J\u{202E}\n.pkpass"] {
            let text = lines.text(found(name, part: "2!\(name)"), nil).split(separator: "\n")
            #expect((2...3).contains(text.count))
            #expect(text.allSatisfy { columns(String($0)) < max(width, 40) }, "\(text)")
        }
    }
}
