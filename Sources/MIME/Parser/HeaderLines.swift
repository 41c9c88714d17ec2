import Bytes

/// Divides bytes into header lines, which may also end in a bare carriage return.
struct HeaderLines {
    /// The end of the last line that was returned.
    private(set) var position: Int
    private let range: Range<Int>
    /// The byte before the range.
    private let byteBefore: UInt8?
    private var lineEnd: Int
    private var textEnd: Int
    /// No bare carriage return before this offset.
    private var looked: Int

    init(_ range: Range<Int>, after byteBefore: UInt8?) {
        self.range = range
        self.byteBefore = byteBefore
        position = range.lowerBound
        lineEnd = position
        textEnd = position
        looked = position
    }

    /// The next line, or the rest of a line; nil at the end of the range. `startsLine` becomes true
    /// if a line begins where the reader cut one.
    mutating func next(_ bytes: Span<UInt8>, _ startsLine: inout Bool) -> Range<Int>? {
        guard position < range.upperBound else { return nil }
        if position >= lineEnd {
            lineEnd = bytes.endOfLine(from: position, limit: range.upperBound)
            textEnd = bytes.withoutLineEnding(position..<lineEnd).upperBound
        }
        if !startsLine, byte(before: position, bytes) == 0x0D {
            // VIOLATIONS.md, M5: the reader cut a long line at a bare carriage return.
            startsLine =
                bytes[position] == 0x0D
                || bytes.hasPrefix(caseInsensitive: "content-", at: position)
        }
        let text = position..<max(position, textEnd)
        if looked < text.upperBound {
            // Search several lines at once: most headers contain no bare carriage returns.
            let ahead = position..<min(max(lineEnd, position + 2048), range.upperBound)
            looked = bytes.firstIndex(of: 0x0D, in: ahead) ?? ahead.upperBound
        }
        let end = looked < text.upperBound ? endOfField(bytes, text) : lineEnd
        defer { position = end }
        return position..<end
    }

    /// Skips the continuation lines of a field. Most fields are skipped without examining their
    /// lines.
    mutating func skipFolds(_ bytes: Span<UInt8>) {
        let limit = min(looked, range.upperBound)
        while position < limit, bytes[position] == 0x20 || bytes[position] == 0x09,
            let end = bytes.firstIndex(of: 0x0A, in: position..<limit)
        {
            position = end + 1
        }
    }

    /// The end of a header line. VIOLATIONS.md, M16: a bare carriage return counts if a field or a
    /// blank line follows. M11: any other is text, like a NUL.
    private func endOfField(_ bytes: Span<UInt8>, _ text: Range<Int>) -> Int {
        var index = text.lowerBound
        while let place = bytes.firstIndex(of: 0x0D, in: index..<text.upperBound) {
            let next = place + 1
            let isBlank = place == text.lowerBound && byte(before: place, bytes) == 0x0D
            let isBeforeBlank = next < text.upperBound && bytes[next] == 0x0D
            if isBlank || isBeforeBlank || bytes.hasPrefix(caseInsensitive: "content-", at: next) {
                return next
            }
            index = next
        }
        return lineEnd
    }

    private func byte(before place: Int, _ bytes: Span<UInt8>) -> UInt8? {
        place > range.lowerBound ? bytes[place - 1] : byteBefore
    }
}
