import Bytes
import Testing

@Suite("Marked lines are those that a simple search finds")
struct LineMarksTests {
    static let words: [String] = [
        "--", "--b", "From ", "From: ", "begin ", "begin", "Begin ", "BEGIN\t", "begin-base64 ",
        "begins", "=ybegin ", "=ybegin", "=3Dybegin ", "=3Dyb",
        "Content-Length:", "content-length: 5", "CONTENT-LENGTH:", "Content-Type:", "-", "=", "F",
        "f", "B", "c", "C", "\r", "\u{1}", "x", "-=FBCfbc",
        "\0From ", "\u{2}From ", "\u{8}From ", "\0--", "\0begin ",
    ]

    /// Every kind at every offset of a SIMD block.
    @Test(arguments: words) func everyOffset(word: String) {
        for before in 0..<140 {
            for after in [0, 1, 15, 16, 17, 63, 64, 65, 80] {
                var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: before)
                bytes.append(0x0A)
                bytes += Array(word.utf8)
                bytes += [UInt8](repeating: UInt8(ascii: "y"), count: after)
                #expect(marks(bytes, startsLine: true) == plainMarks(bytes, startsLine: true))
            }
        }
    }

    @Test func randomText() {
        var generator = SeededGenerator(state: 1)
        for length in 0..<1200 {
            var bytes: [UInt8] = []
            let target = length < 300 ? length : Int.random(in: 0..<2000, using: &generator)
            while bytes.count < target {
                if Bool.random(using: &generator) { bytes.append(0x0A) }
                bytes += Array((Self.words.randomElement(using: &generator) ?? "").utf8)
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    bytes.append(UInt8.random(in: 0...255, using: &generator))
                }
            }
            bytes.removeLast(bytes.count - target)
            let startsLine = Bool.random(using: &generator)
            #expect(
                marks(bytes, startsLine: startsLine) == plainMarks(bytes, startsLine: startsLine))
        }
    }

    /// Reads at every alignment, with unrelated bytes before and after the range.
    @Test func everyAlignment() {
        let text = Array(String(repeating: "\n--\nFrom \nx", count: 30).utf8)
        for start in 0..<64 {
            for end in stride(from: text.count, to: text.count - 70, by: -1) {
                var found = LineMarks()
                found.mark(text.span.extracting(start..<end), startsLine: false)
                let expected = plainMarks(Array(text[start..<end]), startsLine: false)
                guard found.offsets != expected else { continue }
                Issue.record("\(start)..<\(end): \(found.offsets), not \(expected)")
                return
            }
        }
    }

    @Test func firstMarkFromAPlace() {
        var found = LineMarks()
        found.mark(Array("--\nx\n--\n--\n".utf8).span, startsLine: true)
        #expect(found.offsets == [0, 5, 8])
        #expect([0, 1, 5, 6, 8, 9, 100].map { found.first(from: $0) } == [0, 1, 1, 2, 2, 3, 3])
    }

    private func marks(_ bytes: [UInt8], startsLine: Bool) -> [UInt32] {
        var found = LineMarks()
        found.mark(bytes.span, startsLine: startsLine)
        return found.offsets
    }
}

/// The same as LineMarks, line by line.
private func plainMarks(_ bytes: [UInt8], startsLine: Bool) -> [UInt32] {
    let kinds = ["--", "From ", "=ybegin ", "=3Dybegin "].map { Array($0.utf8) }
    let inEitherCase = ["begin ", "begin\t", "begin-", "content-"].map { Array($0.utf8) }
    return bytes.indices.filter { index in
        let rest = bytes[index...]
        let previous = index == 0 ? (startsLine ? 0x0A : 0x20) : bytes[index - 1]
        if previous == 0 { return rest.starts(with: "From ".utf8) }
        guard previous == 0x0A else { return false }
        return kinds.contains { rest.starts(with: $0) }
            || inEitherCase.contains {
                rest.prefix($0.count).map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 } == $0
            }
    }.map(UInt32.init)
}
