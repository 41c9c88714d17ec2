import Bytes

/// Delimiters that do not start a line, or do not have the form of RFC 2046, 5.1.1.
extension MessageParser {
    /// The delimiter in the line before a part header, and how many bytes before the header it
    /// begins.
    ///
    /// The part header after it shows that a part begins. VIOLATIONS.md, M69: it follows text, is
    /// indented or quoted. M70: it has the form of a closing one.
    func missedDelimiter(
        _ bytes: Span<UInt8>, before place: Int
    ) -> (delimiter: OpenBoundaries.Delimiter, length: Int)? {
        guard !open.isEmpty else { return nil }
        let line = lineBefore(bytes, place)
        let source = line.span
        var text = source.trimmed(0..<line.count)
        for _ in 0..<2 {
            if let found = boundaries.ending(source, text) {
                let delimiter = OpenBoundaries.Delimiter(level: found.level, closes: false)
                let isAlone = line[..<found.start].allSatisfy {
                    $0.isWhiteSpace || $0 == UInt8(ascii: ">")
                }
                return (delimiter, line.count - (isAlone ? 0 : found.start))
            }
            guard text.count > 2, source.hasPrefix("--", at: text.upperBound - 2) else { break }
            text = text.lowerBound..<text.upperBound - 2
        }
        return nil
    }

    /// The last line before `place`, as far as it may hold a delimiter.
    private func lineBefore(_ bytes: Span<UInt8>, _ place: Int) -> [UInt8] {
        let start = startOfLine(bytes, runStart..<place)
        var line = continues(bytes, from: start, to: place) ? lastLine : []
        for index in start..<place { line.append(bytes[index]) }
        return line
    }

    /// Stores the end of the last line of a run for the next run.
    mutating func rememberLine(_ bytes: Span<UInt8>, _ run: Range<Int>) {
        let start = startOfLine(bytes, run)
        if !continues(bytes, from: start, to: run.upperBound) {
            lastLine.removeAll(keepingCapacity: true)
        }
        for index in start..<run.upperBound { lastLine.append(bytes[index]) }
        let excess = lastLine.count - MessageParser.longestDelimiter
        if excess > 0 { lastLine.removeFirst(excess) }
    }

    /// The start of the last line in a range, or of its end that may hold a delimiter.
    private func startOfLine(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var start = range.upperBound
        while start > range.lowerBound, range.upperBound - start < MessageParser.longestDelimiter,
            start == range.upperBound || bytes[start - 1] != UInt8(ascii: "\n")
        {
            start -= 1
        }
        return start
    }

    /// Whether the last line of the previous run continues in this one.
    private func continues(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        guard start == runStart, end - start < MessageParser.longestDelimiter else { return false }
        return start == end || lastLine.last != UInt8(ascii: "\n")
    }

    /// In bytes, with dashes and surrounding white space.
    private static let longestDelimiter = OpenBoundaries.longest + 64
}
