import Bytes

/// A format of mail: one message, or a mailbox.
package enum MailFormat: Sendable, Equatable {
    case mbox, message
    case emlx(Emlx)
    /// A mailbox in another format.
    case framed(MailboxFraming)

    /// The format of the mail that begins with these bytes; nil if they begin no mail.
    /// ``ContentKind`` decides whether they are mail at all.
    package init?(_ prefix: Span<UInt8>) {
        // Skip a byte order mark, and blank lines and NULs before a mailbox or message.
        var start = ByteOrderMark.utf8.length(in: prefix)
        while start < prefix.count,
            prefix[start] == 0x0A || prefix[start] == 0x0D || prefix[start] == 0
        {
            start += 1
        }
        if FromLine.judge(prefix, at: start, isAtEnd: true).separates(after: .none) {
            self = .mbox
        } else if MailFormat.isHeader(prefix, from: start) {
            // A separator without a date before an unknown field: only an mbox begins like this.
            self = prefix.hasPrefix("From ", at: start) ? .mbox : .message
        } else if let emlx = Emlx(prefix) {
            self = .emlx(emlx)
        } else if let framing = MailboxFraming(prefix, from: start) {
            self = .framed(framing)
        } else if MailFormat.isSavedArticle(prefix, from: start) {
            self = .message
        } else if MailFormat.holdsSeparator(prefix) {
            self = .mbox
        } else {
            return nil
        }
    }

    /// Whether it is a mailbox.
    package var isMailbox: Bool {
        switch self {
        case .mbox, .framed: true
        case .message, .emlx: false
        }
    }

    /// Whether a line of a news or mail program precedes the header: `#! rnews 1234` (RFC 1036,
    /// 4.3),
    /// `Article 12 of comp.mail:`, `Forward to ada`, `Pipe to program`.
    private static func isSavedArticle(_ source: Span<UInt8>, from start: Int) -> Bool {
        let beginnings: [StaticString] = [
            "#! rnews", "N#! rnews", "Article ", "Forward to ", "Pipe to ",
        ]
        guard beginnings.contains(where: { source.hasPrefix($0, at: start) }) else { return false }
        return isHeader(source, from: source.endOfLine(from: start, limit: source.count))
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

    /// Whether a file is read as a message, although it does not begin with a header: an encoded
    /// file, a part, or a message with other lines before the header.
    static func isMessageWithoutHeader(_ file: Span<UInt8>) -> Bool {
        let start = file.trimmed(file.indices).lowerBound
        return isEncodedFile(file, from: start) || isFragment(file, from: start)
            || precedesHeader(file, from: start) || Base64File.start(in: file) != nil
    }

    private static func isEncodedFile(_ source: Span<UInt8>, from start: Int) -> Bool {
        let beginnings: [StaticString] = ["UEsDB", "=ybegin ", "begin-base64 "]
        if beginnings.contains(where: { source.hasPrefix($0, at: start) }) { return true }
        guard source.hasPrefix("begin ", at: start) else { return false }
        // A file mode of three or four octal digits.
        var index = start + 6
        while index < source.count, (0x30...0x37).contains(source[index]) { index += 1 }
        return (3...4).contains(index - start - 6) && index < source.count && source[index] == 0x20
    }

    /// Whether the bytes begin with a delimiter and the header of a part: a message without its own
    /// header (VIOLATIONS.md, M79).
    private static func isFragment(_ source: Span<UInt8>, from start: Int) -> Bool {
        guard source.hasPrefix("--", at: start) else { return false }
        let end = source.endOfLine(from: start, limit: source.count)
        return source.trimmed(start..<end).count > 2
            && source.hasPrefix(caseInsensitive: "content-", at: end)
    }

    /// Whether other lines precede the header of a message, as a mail server or another program
    /// adds them (VIOLATIONS.md, B20). Only fields that mail servers write count: people write
    /// `From:` and `To:` in other texts.
    private static func precedesHeader(_ source: Span<UInt8>, from start: Int) -> Bool {
        var position = start
        for _ in 0..<4 where position < source.count {
            if fieldsOfTransport.contains(where: {
                source.hasPrefix(caseInsensitive: $0, at: position)
            }) {
                return isHeader(source, from: position)
            }
            position = source.endOfLine(from: position, limit: source.count)
        }
        return false
    }

    private static let fieldsOfTransport: [StaticString] = [
        "received:", "return-path:", "delivered-to:", "message-id:", "mime-version:",
    ]

    /// Whether the bytes contain a separator: a mailbox whose beginning, within its first message,
    /// was lost (VIOLATIONS.md, B10).
    private static func holdsSeparator(_ source: Span<UInt8>) -> Bool {
        var position = 0
        while position < source.count {
            let judgement = FromLine.judge(source, at: position, isAtEnd: true)
            if judgement != .text {
                let start = max(position - FromLine.PreviousLine.examined, 0)
                let before = (start..<position).map { source[$0] }
                if judgement.separates(after: FromLine.PreviousLine(before)) { return true }
            }
            position = source.endOfLine(from: position, limit: source.count)
        }
        return false
    }
}
