import Bytes

/// Delimiters that are not on a line of their own, or not as RFC 2046, 5.1.1 wants them.
extension MessageParser {
    /// The delimiter in the line before one that begins a part's header, and how many bytes before
    /// that line it begins.
    ///
    /// Scripts forget the line end before a delimiter, so that it stands behind the text; relays indent
    /// it, and write the one that ends a multipart for one that does not. The header behind it shows
    /// what it was meant to be.
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

    /// The end of the line that ends at a place.
    private func lineBefore(_ bytes: Span<UInt8>, _ place: Int) -> [UInt8] {
        let start = startOfLine(bytes, runStart..<place)
        var line = continues(bytes, from: start, to: place) ? lastLine : []
        for index in start..<place { line.append(bytes[index]) }
        return line
    }

    /// Keeps the end of the last line of a run, for the next.
    mutating func rememberLine(_ bytes: Span<UInt8>, _ run: Range<Int>) {
        let start = startOfLine(bytes, run)
        if !continues(bytes, from: start, to: run.upperBound) {
            lastLine.removeAll(keepingCapacity: true)
        }
        for index in start..<run.upperBound { lastLine.append(bytes[index]) }
        let excess = lastLine.count - MessageParser.longestDelimiter
        if excess > 0 { lastLine.removeFirst(excess) }
    }

    /// Where the last line in a range begins, or the end of it that may hold a delimiter.
    private func startOfLine(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var start = range.upperBound
        while start > range.lowerBound, range.upperBound - start < MessageParser.longestDelimiter,
            start == range.upperBound || bytes[start - 1] != UInt8(ascii: "\n")
        {
            start -= 1
        }
        return start
    }

    /// Whether the last line of the run before goes on in this one.
    private func continues(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        guard start == runStart, end - start < MessageParser.longestDelimiter else { return false }
        return start == end || lastLine.last != UInt8(ascii: "\n")
    }

    /// With the dashes and the white space around it, in bytes.
    private static let longestDelimiter = OpenBoundaries.longest + 64
}
