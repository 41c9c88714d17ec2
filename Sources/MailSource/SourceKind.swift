import Bytes

/// What a source holds, by its first bytes; its name decides nothing.
package enum SourceKind: Sendable {
    case mbox, message
    /// A ZIP archive from its first byte on.
    case archive
    case empty
    /// None of these as far as the first bytes tell.
    case other

    /// How many bytes the decision needs.
    package static let prefixLength = 4096

    package init(_ prefix: Span<UInt8>) {
        // Blank lines may stand before a mailbox or a message, and a mark of UTF-8 before a header.
        var start = prefix.hasPrefix("\u{FEFF}", at: 0) ? 3 : 0
        while start < prefix.count, prefix[start] == 0x0A || prefix[start] == 0x0D { start += 1 }
        if prefix.isEmpty {
            self = .empty
        } else if prefix.hasPrefix("PK\u{3}\u{4}", at: 0) {
            self = .archive
        } else if FromLine.judge(prefix, at: start, isAtEnd: true) == .separator {
            self = .mbox
        } else if SourceKind.isHeader(prefix, from: start) {
            self = .message
        } else if SourceKind.holdsSeparator(prefix) {
            self = .mbox
        } else {
            self = .other
        }
    }

    /// Whether the first lines are header fields, one of them of a message.
    private static func isHeader(_ source: Span<UInt8>, from start: Int) -> Bool {
        var position = start
        var isFirst = true
        while position < source.count {
            let line = position..<source.endOfLine(from: position, limit: source.count)
            if let name = FromLine.fieldName(source, line) {
                if FromLine.isKnown(source, name) { return true }
            } else if !isFirst, source[position] == 0x20 || source[position] == 0x09 {
                // A folded field goes on.
            } else if source.hasPrefix(">From ", at: position)
                || source.hasPrefix("From ", at: position)
            {
                // A separator that was quoted, or that nothing recognises.
            } else {
                return false
            }
            isFirst = false
            position = line.upperBound
        }
        return false
    }

    /// Whether a message begins somewhere in it: a mailbox that lost its beginning, in the middle of a
    /// message.
    private static func holdsSeparator(_ source: Span<UInt8>) -> Bool {
        var position = 0
        while position < source.count {
            if FromLine.judge(source, at: position, isAtEnd: true) == .separator { return true }
            position = source.endOfLine(from: position, limit: source.count)
        }
        return false
    }
}
