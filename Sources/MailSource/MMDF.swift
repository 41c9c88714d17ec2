import Bytes

/// The mailbox format of MMDF and SCO Unix: a line of four bytes 1 before and after each message.
///
/// VIOLATIONS.md, B14: any such line ends a message; if one of a pair is missing, no message is
/// lost.
struct MMDF: FramedLines {
    private var isBeforeMessage = true

    static func begins(_ source: Span<UInt8>, at start: Int) -> Bool {
        let line = start..<source.endOfLine(from: start, limit: source.count)
        guard isBoundary(source, line), line.upperBound < source.count else { return false }
        return MailFormat.isHeader(source, from: line.upperBound)
            || FromLine.judge(source, at: line.upperBound, isAtEnd: true)
                .separates(after: .none)
    }

    mutating func role(of line: Range<Int>, in bytes: Span<UInt8>) -> LineRole {
        if MMDF.isBoundary(bytes, line) {
            isBeforeMessage = true
            return .boundary
        }
        guard isBeforeMessage else { return .content(line) }
        if bytes.withoutLineEnding(line).isEmpty { return .outside }
        isBeforeMessage = false
        // VIOLATIONS.md, B15: an mbox separator after the line.
        return bytes.hasPrefix("From ", at: line.lowerBound)
            ? .envelope : .content(line)
    }

    private static func isBoundary(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        bytes.hasPrefix("\u{1}\u{1}\u{1}\u{1}", at: line.lowerBound)
            && bytes.withoutLineEnding(line).count == 4
    }
}
