import Testing

@testable import Bytes

@Suite("Long runs of combining marks are broken up, and all other text is unchanged")
struct StreamSafeTextTests {
    /// Acute and dot below; Hebrew points; Thai vowel and tone.
    private static let scripts: [[Unicode.Scalar]] = [
        ["\u{301}", "\u{323}"], ["\u{5B0}", "\u{5B1}", "\u{591}"], ["\u{E38}", "\u{E48}"],
        // Outside the first plane: a musical stem.
        ["\u{1D165}"],
    ]

    @Test("a run is broken up at the 31st mark, in each script", arguments: scripts)
    func edge(marks: [Unicode.Scalar]) {
        #expect(text("x", marks, 30, "y").streamSafe == text("x", marks, 30, "y"))
        #expect(!hasLongRun(Array(text("x", marks, 30, "y").utf8)))
        let broken = text("x", marks, 31, "y")
        #expect(hasLongRun(Array(broken.utf8)))
        let scalars = Array(broken.streamSafe.unicodeScalars)
        #expect(scalars.count == 34)
        #expect(scalars.firstIndex(of: "\u{34F}") == 31)
        #expect(scalars.filter { $0 != "\u{34F}" } == Array(broken.unicodeScalars))
    }

    @Test("the flag is set only if a run was broken up")
    func noted() {
        #expect(text("x", ["\u{301}"], 31, "").streamSafe.hasBrokenRun)
        #expect(!text("x", ["\u{301}"], 30, "y").streamSafe.hasBrokenRun)
        #expect(!text("x", ["\u{301}"], 30, "\u{34F}y").hasBrokenRun)
        #expect(!"x\u{301}\u{34F}\u{323}".hasBrokenRun)
        #expect(!"ordinary text, 한국어, русский, ภาษาไทย".hasBrokenRun)
    }

    @Test("text that was already broken up is unchanged")
    func twice() {
        let once = text("x", ["\u{301}", "\u{323}"], 1000, "y").streamSafe
        #expect(bytes(once.streamSafe) == bytes(once))
        #expect(!hasLongRun(Array(once.utf8)))
    }

    @Test("invalid UTF-8 is repaired, or refused where UTF-8 is required")
    func invalid() {
        #expect(bytes(String(streamSafe: [0x61, 0xFF, 0x62] as [UInt8])) == bytes("a\u{FFFD}b"))
        #expect(String(validatingStreamSafe: [0x61, 0xFF] as [UInt8]) == nil)
        // A surrogate and a truncated scalar, after enough bytes to reach the fast path.
        let tails: [[UInt8]] = [[0xED, 0xA0, 0x80], [0xCC], [0xF0, 0x9D, 0x85]]
        for tail in tails {
            let marks = [UInt8](repeating: 0, count: 80).flatMap { _ in [0xCC, 0x81] as [UInt8] }
            let (long, short) = (marks + tail, marks.prefix(60) + tail)
            #expect(hasLongRun(long))
            #expect(!hasLongRun(Array(short)))
        }
    }

    @Test("random text gives the same result as a loop over its scalars")
    func twin() {
        var generator = SystemRandomNumberGenerator()
        let marks: [Unicode.Scalar] = Self.scripts.flatMap(\.self) + ["\u{344}", "\u{3099}"]
        let others: [Unicode.Scalar] = ["a", "é", "中", "한", "\u{34F}", "\u{20DD}", "😀", "\u{200D}"]
        for _ in 0..<300 {
            var scalars: [Unicode.Scalar] = []
            for _ in 0..<Int.random(in: 0..<8, using: &generator) {
                for _ in 0..<Int.random(in: 0..<100, using: &generator) {
                    scalars += [marks.randomElement(using: &generator) ?? "\u{301}"]
                }
                for _ in 0..<Int.random(in: 0..<40, using: &generator) {
                    scalars += [others.randomElement(using: &generator) ?? "a"]
                }
            }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            #expect(Array(String(text).streamSafe.unicodeScalars) == plainTwin(scalars))
        }
    }

    @Test("a megabyte of marks is compared and hashed at once")
    func cost() {
        let long = text("x", ["\u{301}", "\u{323}"], 500_000, "").streamSafe
        // Without the joiners this takes minutes, since a run of half a million marks has to be
        // sorted.
        #expect(Set([long, String(decoding: Array(long.utf8), as: UTF8.self)]).count == 1)
    }

    private func plainTwin(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var output: [Unicode.Scalar] = []
        var count = 0
        for scalar in scalars {
            let isMark = scalar.properties.canonicalCombiningClass != .notReordered
            if isMark, count == 30 {
                output.append("\u{34F}")
                count = 0
            }
            count = isMark ? count + 1 : 0
            output.append(scalar)
        }
        return output
    }

    private func hasLongRun(_ utf8: [UInt8]) -> Bool { StreamSafeText.hasLongRun(utf8.span) }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func text(
        _ start: String, _ marks: [Unicode.Scalar], _ count: Int, _ end: String
    ) -> String {
        var text = start
        for index in 0..<count { text.unicodeScalars.append(marks[index % marks.count]) }
        return text + end
    }
}
