package import Bytes

/// What a source holds, by its first bytes; its name decides nothing.
package enum SourceKind: Sendable, Equatable {
    case mbox, message
    case emlx(Emlx)
    /// A mailbox of another form.
    case framed(MailboxFraming)
    /// A ZIP archive from its first byte on.
    case archive
    case empty
    /// None of these as far as the first bytes tell.
    case other

    /// How many bytes the decision mostly needs.
    package static let prefixLength = 4096
    /// How many it needs where these are text that decides nothing: blank lines, a long first field,
    /// or the rest of a message whose beginning is lost.
    private static let longPrefixLength = 64 << 10

    /// As many first bytes of a source as the decision needs.
    package static func prefix(of source: ByteSource) throws(FileError) -> [UInt8] {
        let prefix = try source.prefix(prefixLength)
        guard prefix.count == prefixLength, SourceKind(prefix.span) == .other, !prefix.contains(0)
        else { return prefix }
        let count = longPrefixLength - prefixLength
        return prefix + (try source.bytes(at: prefixLength, count: count))
    }

    /// Whether first bytes are of one message, and are so as they stand: neither compressed nor written
    /// in a form that has to be repaired.
    package static func isPlainMessage(_ bytes: Span<UInt8>, isMessage: Bool) -> Bool {
        guard FileSignature(bytes) == nil, !MailRepair.isNeeded(bytes) else { return false }
        return isMessage || SourceKind(bytes.extracting(first: prefixLength)) == .message
    }

    /// - Parameter isMessage: whether the place of the source says that it is one message, whatever
    ///   its first lines are. Dovecot compresses such files, and gives them no other name.
    package init(_ prefix: Span<UInt8>, isMessage: Bool = false) {
        // A mark of UTF-8 may stand before the text, and blank lines before a mailbox or a message.
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
            // A separator without a date before a field that few know: nobody else begins so.
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

    /// Whether it is a mailbox of any form.
    package var isMailbox: Bool {
        switch self {
        case .mbox, .framed: true
        case .message, .emlx, .archive, .empty, .other: false
        }
    }

    /// Whether it is mail in any form.
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

    /// Whether the lines from `start` on are header fields, one of them of a message.
    static func isHeader(_ source: Span<UInt8>, from start: Int) -> Bool {
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
