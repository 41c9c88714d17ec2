package import Bytes
package import Platform

/// The kind of a source, determined by its first bytes, never by its name.
package enum SourceKind: Sendable, Equatable {
    case mbox, message
    case emlx(Emlx)
    /// A mailbox in another format.
    case framed(MailboxFraming)
    /// A ZIP archive that begins at its first byte.
    case archive
    case empty
    /// Unrecognised.
    case other

    /// The number of bytes that usually suffice.
    package static let prefixLength = 4096
    /// The number of bytes needed if those are inconclusive text: blank lines, a long first field,
    /// or the rest of a message whose beginning is lost.
    private static let longPrefixLength = 64 << 10

    /// The first bytes of a source, as many as are needed to decide.
    package static func prefix(of source: ByteSource) throws(FileError) -> [UInt8] {
        let prefix = try source.prefix(prefixLength)
        guard prefix.count == prefixLength, SourceKind(prefix.span) == .other, !prefix.contains(0)
        else { return prefix }
        let count = longPrefixLength - prefixLength
        return prefix + (try source.bytes(at: prefixLength, count: count))
    }

    /// Whether the bytes begin one message that needs neither decompression nor repair.
    package static func isPlainMessage(_ bytes: Span<UInt8>, isMessage: Bool) -> Bool {
        guard FileSignature(bytes) == nil, !MailRepair.isNeeded(bytes) else { return false }
        return isMessage || SourceKind(bytes.extracting(first: prefixLength)) == .message
    }

    /// - Parameter isMessage: Whether the location marks the source as one message, even if its
    ///   first lines do not look like one. Dovecot compresses such files without renaming them.
    package init(_ prefix: Span<UInt8>, isMessage: Bool = false) {
        // Skip a byte order mark, and blank lines before a mailbox or message.
        var start = prefix.hasPrefix("\u{FEFF}", at: 0) ? 3 : 0
        while start < prefix.count, prefix[start] == 0x0A || prefix[start] == 0x0D { start += 1 }
        if isMessage, !SourceKind.isCompressed(prefix) {
            self = .message
        } else if prefix.isEmpty {
            self = .empty
        } else if prefix.hasPrefix("PK\u{3}\u{4}", at: 0) {
            self = .archive
        } else if FromLine.judge(prefix, at: start, isAtEnd: true) == .separator {
            self = .mbox
        } else if SourceKind.isHeader(prefix, from: start) {
            // A separator without a date before an unknown field: only an mbox begins like this.
            self = prefix.hasPrefix("From ", at: start) ? .mbox : .message
        } else if let emlx = Emlx(prefix) {
            self = .emlx(emlx)
        } else if let framing = MailboxFraming(prefix, from: start) {
            self = .framed(framing)
        } else if SourceKind.holdsSeparator(prefix) {
            self = .mbox
        } else {
            self = .other
        }
    }

    /// Whether it is a mailbox in any format.
    package var isMailbox: Bool {
        switch self {
        case .mbox, .framed: true
        case .message, .emlx, .archive, .empty, .other: false
        }
    }

    /// Whether it is mail in any format.
    package var isMail: Bool {
        switch self {
        case .mbox, .message, .emlx, .framed: true
        case .archive, .empty, .other: false
        }
    }

    private static func isCompressed(_ prefix: Span<UInt8>) -> Bool {
        switch FileSignature(prefix) {
        case .gzip, .xz, .zstd, .bzip2: true
        default: false
        }
    }

    /// Whether the lines from `start` on are header fields, including one of a message.
    static func isHeader(_ source: Span<UInt8>, from start: Int) -> Bool {
        var position = start
        var isFirst = true
        while position < source.count {
            let line = position..<source.endOfLine(from: position, limit: source.count)
            if let name = FromLine.fieldName(source, line) {
                if FromLine.isKnown(source, name) { return true }
            } else if !isFirst, source[position] == 0x20 || source[position] == 0x09 {
                // A continuation line.
            } else if source.hasPrefix(">From ", at: position)
                || source.hasPrefix("From ", at: position)
            {
                // VIOLATIONS.md, B17: a quoted or unrecognised separator.
            } else {
                return false
            }
            isFirst = false
            position = line.upperBound
        }
        return false
    }

    /// Whether the bytes contain a separator: a mailbox whose beginning, within its first message,
    /// was lost (VIOLATIONS.md, B10).
    private static func holdsSeparator(_ source: Span<UInt8>) -> Bool {
        var position = 0
        while position < source.count {
            if FromLine.judge(source, at: position, isAtEnd: true) == .separator { return true }
            position = source.endOfLine(from: position, limit: source.count)
        }
        return false
    }
}
