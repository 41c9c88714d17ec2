import Bytes

/// Lines in the text of a part that may begin another part: a delimiter, and the fields after it or
/// without it.
struct SuspectedPart {
    /// The lines, as long as there are few.
    private(set) var lines: [UInt8] = []
    /// The number of lines after the delimiter.
    private(set) var fieldCount = 0
    /// Whether a blank line ended the fields.
    var isHeaderOver = false
    private var boundaryRange = 0..<0

    /// In lines, and in bytes.
    private static let mostFields = 16
    private static let mostBytes = 16 << 10

    /// Begins without a delimiter.
    mutating func begin() {
        lines.removeAll(keepingCapacity: true)
        fieldCount = 0
        isHeaderOver = false
        boundaryRange = 0..<0
    }

    /// Begins with a delimiter.
    mutating func begin(_ bytes: Span<UInt8>, _ line: Range<Int>) {
        begin()
        append(bytes, line)
        boundaryRange = lines.span.trimmed(lines.indices).dropFirst(2)
    }

    /// The boundary in the delimiter.
    var boundary: [UInt8] { Array(lines[boundaryRange]) }

    /// Adds a line; false if there are too many.
    mutating func add(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        fieldCount += 1
        append(bytes, line)
        return fieldCount < SuspectedPart.mostFields
    }

    private mutating func append(_ bytes: Span<UInt8>, _ line: Range<Int>) {
        for index in line.prefix(SuspectedPart.mostBytes - lines.count) {
            lines.append(bytes[index])
        }
    }

    /// The header in the lines after the delimiter, which may be quoted-printable.
    func header(limits: MIMELimits, isQuotedPrintable: Bool) -> PartHeader {
        var block = HeaderBlock()
        let span = lines.span
        var position = span.endOfLine(from: 0, limit: boundaryRange.isEmpty ? 0 : lines.count)
        while position < lines.count {
            let line = position..<span.endOfLine(from: position, limit: lines.count)
            if lines[position] == 0x20 || lines[position] == 0x09 {
                block.continueField(span, line, limit: limits.headerBlock)
            } else {
                _ = block.beginField(span, line, limit: limits.headerBlock)
            }
            position = line.upperBound
        }
        if isQuotedPrintable { block.decodeQuotedPrintable() }
        return PartHeader(block, limits: limits)
    }
}
