import Bytes
import PassFixtures
import Testing

@testable import MIME

@Suite("Text of headers and names has no long runs of combining marks")
struct CombiningMarksTests {
    private static let scripts: [[Unicode.Scalar]] = [
        ["\u{301}", "\u{323}"], ["\u{5B0}", "\u{5BC}"], ["\u{E38}", "\u{E48}"],
        ["\u{93C}", "\u{94D}"], ["\u{64B}", "\u{651}"],
    ]

    private static func run(_ marks: [Unicode.Scalar], _ count: Int) -> String {
        var text = String.UnicodeScalarView()
        for index in 0..<count { text.append(marks[index % marks.count]) }
        return String(text)
    }

    @Test("even if it is joined from several encoded words", arguments: scripts)
    func joined(marks: [Unicode.Scalar]) {
        let run = Self.run(marks, 20)
        let encoded = run.utf8.map { "=" + String($0, radix: 16, uppercase: true) }.joined()
        // Words in different character sets are decoded one by one.
        let words = ["utf-8", "UTF8", "utf-8"].map { "=?\($0)?Q?\(encoded)?=" }
            .joined(separator: " ")
        let texts = [
            EncodedWords.decode(Array("a\(words)\(run)".utf8)),
            EncodedWords.decode(Array("a\(Self.run(marks, 50))".utf8)),
            Charset.decode(Array("a\(Self.run(marks, 50))".utf8), "utf-8"),
            // Removing text from the middle may join two runs.
            Charset.decode(utf16("a\(run)\u{FEFF}\(run)"), "utf-16"),
            PartHeader.fileName("a\(run)\0\(run)") ?? "",
        ]
        for text in texts {
            #expect(text.unicodeScalars.first == "a")
            #expect(text.unicodeScalars.count { $0.value >= 0x300 } >= 40)
            #expect(!hasLongRun(text), "\(text)")
        }
    }

    private func utf16(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    @Test("reading them takes time in proportion to their size", arguments: scripts)
    func cost(marks: [Unicode.Scalar]) {
        func seconds(_ size: Int) -> Double {
            let bytes = Array("a\(Self.run(marks, size / 2))".utf8)
            var shortest = Double.infinity
            for _ in 0..<2 {
                let start = threadSeconds()
                let text = EncodedWords.decode(bytes)
                #expect(Set([text, text + "b"]).count == 2)
                shortest = min(shortest, threadSeconds() - start)
            }
            return shortest
        }
        #expect(seconds(1_000_000) / max(seconds(250_000), 0.005) < 8)
    }
}

private func hasLongRun(_ text: String) -> Bool { StreamSafeText.hasLongRun(text.utf8.span) }
