import Testing

@testable import PassFetch

@Suite("A stream is split into lines wherever its pieces end")
struct StreamLinesTests {
    private func lines(_ pieces: [[UInt8]], maximumSize: Int = 1 << 20) -> ([String], limit: Int?) {
        var stream = StreamLines(maximumSize: maximumSize)
        var lines: [String] = []
        for piece in pieces {
            if let limit = stream.take(piece.span, { lines.append($0) }) { return (lines, limit) }
        }
        stream.finish { lines.append($0) }
        return (lines, nil)
    }

    /// Expected: WHATWG HTML, 9.2.5.
    @Test(
        "at LF, CRLF and CR",
        arguments: [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r", ["a"]), ("a\r\n", ["a"]), ("\n", [""]),
            ("a\n\nb\n", ["a", "", "b"]), ("a\r\rb\r", ["a", "", "b"]),
            ("a\r\n\r\nb\r\n", ["a", "", "b"]), ("a\n\rb\n", ["a", "", "b"]),
            ("a\r\n\n\r\r\nb\n", ["a", "", "", "", "b"]), ("\u{FEFF}a\u{85}b\u{2028}\u{B}\n", nil),
            ("\u{D55C}\u{AD6D}\u{C5B4} \u{1F3AB}\r\n", ["\u{D55C}\u{AD6D}\u{C5B4} \u{1F3AB}"]),
            ("a\nunfinished", ["a", "unfinished"]),
        ] as [(String, [String]?)])
    func ends(text: String, expected: [String]?) {
        let bytes = Array(text.utf8)
        let expected = expected ?? [String(text.dropLast())]
        #expect(lines([bytes]).0 == expected)
        for split in bytes.indices {
            #expect(lines([Array(bytes[..<split]), Array(bytes[split...])]).0 == expected)
        }
        #expect(lines(bytes.map { [$0] }).0 == expected)
    }

    @Test("bytes that are not UTF-8 are replaced")
    func invalid() {
        #expect(lines([[0x61, 0xFF, 0x0A, 0xC3, 0x0A]]).0 == ["a\u{FFFD}", "\u{FFFD}"])
    }

    @Test("a line has at most 64 KiB")
    func longLine() {
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
        let (taken, limit) = lines([line, [0x0A]])
        #expect(taken.map(\.utf8.count) == [65_536])
        #expect(limit == nil)
        #expect(lines([[0x0A], line, [0x78], [0x0A]]) == ([""], 65_536))
    }

    @Test("all lines together have a limit, and a short line counts 64 bytes")
    func manyLines() {
        let empty = [UInt8](repeating: 0x0A, count: 11)
        #expect(lines([empty], maximumSize: 640).0.count == 10)
        #expect(lines([empty], maximumSize: 640).limit == 640)
        #expect(lines([empty], maximumSize: 704).limit == nil)
        let long = [UInt8](repeating: 0x78, count: 99) + [0x0A]
        #expect(lines([long, long], maximumSize: 200).limit == nil)
        #expect(lines([long, long], maximumSize: 199).limit == 199)
    }
}
