import Bytes

/// The last line before a place in the message, which may have begun in an earlier run of lines.
struct PreviousLine {
    /// The end of the last line of the previous run.
    private var text: [UInt8] = []
    private var runStart = 0

    mutating func removeAll() {
        text.removeAll(keepingCapacity: true)
    }

    mutating func beginRun(at start: Int) {
        runStart = start
    }

    /// Stores the end of the last line of a run for the next run.
    mutating func endRun(_ bytes: Span<UInt8>, _ run: Range<Int>) {
        let start = startOfLine(bytes, run)
        if !continues(bytes, from: start, to: run.upperBound) {
            text.removeAll(keepingCapacity: true)
        }
        for index in start..<run.upperBound { text.append(bytes[index]) }
        let excess = text.count - PreviousLine.longestDelimiter
        if excess > 0 { text.removeFirst(excess) }
    }

    /// The byte before `place`; nil at the start of the message.
    func byte(before place: Int, _ bytes: Span<UInt8>) -> UInt8? {
        place > runStart ? bytes[place - 1] : text.last
    }

    /// The last line before `place`, as far as it may hold a delimiter.
    func line(before place: Int, _ bytes: Span<UInt8>) -> [UInt8] {
        let start = startOfLine(bytes, runStart..<place)
        var line = continues(bytes, from: start, to: place) ? text : []
        for index in start..<place { line.append(bytes[index]) }
        return line
    }

    /// The start of the last line in a range, or of its end that may hold a delimiter.
    private func startOfLine(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var start = range.upperBound
        while start > range.lowerBound, range.upperBound - start < PreviousLine.longestDelimiter,
            start == range.upperBound || bytes[start - 1] != UInt8(ascii: "\n")
        {
            start -= 1
        }
        return start
    }

    /// Whether the last line of the previous run continues in this one.
    private func continues(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        guard start == runStart, end - start < PreviousLine.longestDelimiter else { return false }
        return start == end || text.last != UInt8(ascii: "\n")
    }

    /// In bytes, with dashes and surrounding white space.
    private static let longestDelimiter = OpenBoundaries.longest + 64
}
