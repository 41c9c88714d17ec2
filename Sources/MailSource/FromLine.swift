import Bytes

/// The `From ` lines that separate the messages of an mbox (RFC 4155, and variants in use).
package enum FromLine {
    /// Whether a line separates messages, which may depend on the line before it.
    package enum Judgement: Sendable {
        case separator, text
        /// Text, unless the mailbox begins with it.
        case separatorAtStart
        /// A separator if a blank line precedes it, or the mailbox begins with it.
        case separatorAfterBlankLine
        /// Text if a delimiter of a multipart precedes it: then it is in the header of a part.
        case separatorUnlessInPart
        /// The next line decides, and is not available yet.
        case undecided

        /// Whether the line is a separator after the given line.
        package func separates(after previous: PreviousLine) -> Bool {
            switch self {
            case .separator: true
            case .separatorAtStart: previous == .none
            case .separatorAfterBlankLine: previous == .none || previous == .blank
            case .separatorUnlessInPart: previous != .delimiter
            case .text, .undecided: false
            }
        }
    }

    /// The line before a `From ` line.
    package enum PreviousLine: Sendable {
        /// The mailbox begins with the `From ` line.
        case none
        case blank
        /// A delimiter of a multipart that does not close it (RFC 2046, 5.1.1).
        case delimiter
        case other

        /// - Parameter bytes: The bytes before the `From ` line: all, or ``examined`` ones.
        package init(_ bytes: [UInt8]) {
            let isAll = bytes.count < PreviousLine.examined
            let mark = ByteOrderMark.utf8.length(in: bytes.span)
            if isAll, bytes[mark...].allSatisfy({ $0 == 0 || $0 == 0x0A || $0 == 0x0D }) {
                self = .none
                return
            }
            // VIOLATIONS.md, B19: a crash left NULs before the line.
            guard let last = bytes.lastIndex(where: { $0 != 0 }),
                bytes[last] == UInt8(ascii: "\n")
            else {
                self = .other
                return
            }
            let start = bytes[..<last].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let line = bytes.span.trimmed(start..<last)
            if line.isEmpty {
                self = .blank
            } else if bytes.span.hasPrefix("--", at: start), line.count > 2,
                !bytes.span.hasPrefix("--", at: line.upperBound - 2)
            {
                self = .delimiter
            } else {
                self = .other
            }
        }

        /// The number of bytes examined before a `From ` line.
        package static let examined = 256
    }

    /// Longer lines are never separators, in bytes.
    static let longest = 1024

    /// Judges the line that begins with `From ` at `start`. It may be a separator if it ends in a
    /// date, has no further text (VIOLATIONS.md, B5), or precedes a known field of a header;
    /// `From now on we ...` is none (B6). Its line may end in CRLF (B11).
    ///
    /// A dated line is a separator only if a header follows, or nothing: bodies quote mail.
    package static func judge(_ source: Span<UInt8>, at start: Int, isAtEnd: Bool) -> Judgement {
        guard source.hasPrefix("From ", at: start) else { return .text }
        let limit = min(source.count, start + longest)
        let end = source.endOfLine(from: start, limit: limit)
        guard source[end - 1] == UInt8(ascii: "\n") || end == source.count else { return .text }
        let rest = source.trimmed(start + 5..<end)
        let isDated = rest.isEmpty || endsInDate(source, rest)
        if end == source.count {
            return isAtEnd ? (isDated ? .separatorAfterBlankLine : .text) : .undecided
        }
        let nextLimit = min(source.count, end + longest)
        let next = end..<source.endOfLine(from: end, limit: nextLimit)
        let isWhole = source[next.upperBound - 1] == UInt8(ascii: "\n") || nextLimit < source.count
        if isDated, !isWhole, !isAtEnd { return .undecided }
        if let name = isDated ? nameOfField(source, next) : fieldName(source, next) {
            guard isDated || isKnown(source, name) else { return .text }
            return source.hasPrefix(caseInsensitive: "content-", at: end)
                ? .separatorUnlessInPart : .separator
        }
        guard isWhole || isAtEnd else { return .undecided }
        guard isDated else { return .text }
        if source.withoutLineEnding(next).isEmpty { return .separatorAfterBlankLine }
        // VIOLATIONS.md, B17: a quoted or further separator.
        let isRepeated =
            source.hasPrefix(">From ", at: end) || source.hasPrefix("From ", at: end)
        return isRepeated ? .separator : .separatorAtStart
    }

    /// Whether a line ends in a date: `Mon Jan  1 00:00:00 2024`. VIOLATIONS.md, B4: with a zone,
    /// without seconds, or in RFC 5322 format. B1, B2, B3: any text before it is the sender.
    private static func endsInDate(_ source: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var words: [Range<Int>] = []
        var index = range.lowerBound
        while index < range.upperBound {
            while index < range.upperBound, source[index].isWhiteSpace { index += 1 }
            let start = index
            while index < range.upperBound, !source[index].isWhiteSpace { index += 1 }
            if index > start { words.append(start..<index) }
        }
        for (place, word) in words.enumerated() where isName(source, word, of: weekdays) {
            let rest = words[(place + 1)...].prefix(6)
            guard rest.count >= 4 else { return false }
            let hasMonth = rest.prefix(2).contains { isName(source, $0, of: months) }
            let hasDay = rest.prefix(2).contains { isNumber(source, $0, digits: 1...2) }
            let hasTime = rest.dropFirst(2).contains { isTime(source, $0) }
            let hasYear = rest.dropFirst(2).contains { isNumber(source, $0, digits: 4...4) }
            if hasMonth, hasDay, hasTime, hasYear { return true }
        }
        return isSenderAndInternetDate(source, words)
    }

    /// RFC 5322, 3.3 makes the day of the week optional. Accepted only after a single word and with
    /// a zone, because text contains `From 1 Jan 2024` too.
    private static func isSenderAndInternetDate(
        _ source: Span<UInt8>, _ words: [Range<Int>]
    ) -> Bool {
        words.count == 6 && isNumber(source, words[1], digits: 1...2)
            && isName(source, words[2], of: months) && isNumber(source, words[3], digits: 4...4)
            && isTime(source, words[4])
            && (source[words[5].lowerBound] == UInt8(ascii: "+")
                || source[words[5].lowerBound] == UInt8(ascii: "-"))
            && isNumber(source, words[5].dropFirst(), digits: 4...4)
    }

    private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func isName(_ source: Span<UInt8>, _ word: Range<Int>, of names: [String])
        -> Bool
    {
        guard word.count == 3 || word.count == 4 && source[word.upperBound - 1] == 0x2C else {
            return false
        }
        let first = source[word.lowerBound].asciiLowercased
        let second = source[word.lowerBound + 1].asciiLowercased
        let third = source[word.lowerBound + 2].asciiLowercased
        return names.contains { $0.utf8.elementsEqual([first, second, third]) }
    }

    private static func isNumber(
        _ source: Span<UInt8>, _ word: Range<Int>, digits: ClosedRange<Int>
    ) -> Bool {
        digits.contains(word.count) && word.allSatisfy { source[$0].isASCIIDigit }
    }

    private static func isTime(_ source: Span<UInt8>, _ word: Range<Int>) -> Bool {
        (4...8).contains(word.count) && source[word.lowerBound].isASCIIDigit
            && word.contains { source[$0] == UInt8(ascii: ":") }
            && word.allSatisfy { source[$0].isASCIIDigit || source[$0] == UInt8(ascii: ":") }
    }

    /// The name of the header field that a line begins with, if any.
    package static func fieldName(_ source: Span<UInt8>, _ line: Range<Int>) -> Range<Int>? {
        var index = line.lowerBound
        while index < line.upperBound, source[index] > 0x20, source[index] < 0x7F,
            source[index] != UInt8(ascii: ":")
        {
            index += 1
        }
        let name = line.lowerBound..<index
        // VIOLATIONS.md, M22: a space before the colon.
        while index < line.upperBound, source[index] == 0x20 || source[index] == 0x09 { index += 1 }
        guard !name.isEmpty, index < line.upperBound, source[index] == 0x3A else { return nil }
        return name
    }

    /// The same for a line that follows a dated `From ` line: the name may contain 8-bit characters
    /// (VIOLATIONS.md, B20), and `https://` is none.
    private static func nameOfField(_ source: Span<UInt8>, _ line: Range<Int>) -> Range<Int>? {
        var index = line.lowerBound
        while index < line.upperBound, source[index] > 0x20, source[index] != 0x7F,
            source[index] != UInt8(ascii: ":")
        {
            index += 1
        }
        let name = line.lowerBound..<index
        while index < line.upperBound, source[index] == 0x20 || source[index] == 0x09 { index += 1 }
        guard !name.isEmpty, index < line.upperBound, source[index] == UInt8(ascii: ":"),
            !source.hasPrefix("//", at: index + 1)
        else { return nil }
        return name
    }

    /// Whether mail programs write a field with this name first in a message. Accepting any word
    /// and colon would make `From here on:` a separator if the next line had the same form.
    package static func isKnown(_ source: Span<UInt8>, _ name: Range<Int>) -> Bool {
        if name.dropFirst().contains(where: { source[$0] == UInt8(ascii: "-") }) { return true }
        let text = String(streamSafe: name.map { source[$0].asciiLowercased })
        return knownNames.contains(text)
    }

    private static let knownNames = [
        "from", "to", "cc", "bcc", "date", "subject", "received", "sender", "status", "lines",
        "organization", "comments", "keywords", "references", "precedence", "newsgroups", "path",
        "xref", "approved", "expires", "importance", "priority", "sensitivity", "autocrypt",
    ]
}
