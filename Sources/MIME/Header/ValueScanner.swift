import Bytes

/// Scans a header value in linear time.
struct ValueScanner {
    private let bytes: [UInt8]
    private var index = 0
    /// Whether no more quotes are closed, so that further opening ones are literal.
    private var quotesEnd = false
    /// The end of the last unquoted value of several words.
    private var unquotedEnd = 0
    /// The end of the last value that contained quotes.
    private var misquotedEnd = 0
    private var commentsEnd = false
    /// The same for escape sequences.
    private var shiftsEnd = false
    /// No encoded word ends before this offset.
    private var wordsEnd = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func word() -> String {
        var word: [UInt8] = []
        // VIOLATIONS.md, M7: the second colon of `Content-Type:: text/plain`.
        while index < bytes.count, bytes[index] == UInt8(ascii: ":") || bytes[index].isWhiteSpace {
            index += 1
        }
        let start = index
        while index < bytes.count, bytes[index] != 0x3B, bytes[index] != UInt8(ascii: ",") {
            let byte = bytes[index]
            if byte == UInt8(ascii: "=") {
                // VIOLATIONS.md, M23: a parameter in place of the type.
                index = start
                return ""
            }
            if byte == UInt8(ascii: "("), skipComment() { continue }
            if byte.isWhiteSpace {
                skipSpace()
                // `text / plain` is one word. VIOLATIONS.md, M26: after a complete word, parameters
                // follow without a semicolon.
                let next = index < bytes.count ? bytes[index] : 0
                guard word.last == UInt8(ascii: "/") || next == UInt8(ascii: "/") || word.isEmpty
                else { break }
                continue
            }
            // VIOLATIONS.md, M8: no-break spaces.
            if byte != UInt8(ascii: "\""), byte < 0x80 { word.append(byte.asciiLowercased) }
            index += 1
        }
        return String(streamSafe: word)
    }

    mutating func parameter() -> Parameter? {
        while true {
            while index < bytes.count, isSeparator(bytes[index]) { index += 1 }
            guard index < bytes.count else { return nil }
            if bytes[index] == UInt8(ascii: "("), skipComment() { continue }
            let start = index
            while index < bytes.count, bytes[index] != UInt8(ascii: "="),
                bytes[index] != UInt8(ascii: ";")
            {
                index += 1
            }
            guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { continue }
            // A comment may follow the name.
            let comment = bytes[start..<index].dropFirst().firstIndex(of: UInt8(ascii: "("))
            let name = bytes.span.trimmed(start..<(comment ?? index))
            index += 1
            let values = value()
            // VIOLATIONS.md, M26: if a semicolon is missing, anything before the last separator is
            // junk.
            var nameStart = name.upperBound
            while nameStart > name.lowerBound, !isJunk(bytes[nameStart - 1], before: nameStart) {
                nameStart -= 1
            }
            if let parameter = parameter(named: nameStart..<name.upperBound, values) {
                return parameter
            }
        }
    }

    /// Whether a byte cannot be part of the name that begins after it. VIOLATIONS.md, M100: white
    /// space before an asterisk belongs to the name: `filename *=`.
    private func isJunk(_ byte: UInt8, before place: Int) -> Bool {
        if byte.isWhiteSpace {
            return place == bytes.count || bytes[place] != UInt8(ascii: "*")
        }
        return isSeparator(byte) || byte >= 0x80
    }

    private func parameter(named range: Range<Int>, _ values: [[UInt8]]) -> Parameter? {
        let pieces = bytes[range].filter { !$0.isWhiteSpace }.split(
            separator: UInt8(ascii: "*"), maxSplits: 2, omittingEmptySubsequences: false)
        guard let first = pieces.first, !first.isEmpty else { return nil }
        let name = String(streamSafe: first.map(\.asciiLowercased))
        guard pieces.count > 1 else {
            return Parameter(name: name, section: nil, isExtended: false, values: values)
        }
        var section: Int?
        if !pieces[1].isEmpty {
            guard pieces[1].count <= 9 else { return nil }
            var number = 0
            for digit in pieces[1] {
                guard digit.isASCIIDigit else { return nil }
                number = number * 10 + Int(digit - 0x30)
            }
            section = number
        }
        return Parameter(
            name: name, section: section, isExtended: section == nil || pieces.count == 3,
            values: values)
    }

    private mutating func value() -> [[UInt8]] {
        skipSpace()
        while index < bytes.count, bytes[index] == UInt8(ascii: "("), skipComment() { skipSpace() }
        guard index < bytes.count else { return [[]] }
        if bytes[index] == UInt8(ascii: "\""), !quotesEnd { return quoted() }
        return unquoted()
    }

    /// VIOLATIONS.md, M27: commas, and separators without a parameter between them.
    private func isSeparator(_ byte: UInt8) -> Bool {
        byte.isWhiteSpace || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",")
    }

    private mutating func skipSpace() {
        while index < bytes.count, bytes[index].isWhiteSpace { index += 1 }
    }

    /// Skips a comment, including nested ones; false if it is not closed.
    private mutating func skipComment() -> Bool {
        guard !commentsEnd else { return false }
        var depth = 0
        var place = index
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\\"): place += 1
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            place += 1
            if depth == 0 {
                index = place
                return true
            }
        }
        commentsEnd = true
        return false
    }
}

/// Quoted and unquoted values.
extension ValueScanner {
    /// A quoted-string: unescaped and, if that differs, verbatim (VIOLATIONS.md, M31:
    /// `"C:\ticket.pkpass"`).
    private mutating func quoted() -> [[UInt8]] {
        let start = index + 1
        var end = start
        var plain: [UInt8] = []
        var isShifted = false
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") || isShifted {
            if bytes[end] == 0x1B { isShifted = isShift(at: end) }
            if bytes[end] == UInt8(ascii: "\\"), end + 1 < bytes.count, !isShifted { end += 1 }
            if bytes[end] != 0x0D, bytes[end] != 0x0A { plain.append(bytes[end]) }
            end += 1
        }
        if end == bytes.count, isShifted {
            shiftsEnd = true
            return quoted()
        }
        guard end < bytes.count else {
            // VIOLATIONS.md, M29: without a closing quote, the value is read as if unquoted.
            quotesEnd = true
            index = start
            return unquoted()
        }
        index = end + 1
        let raw = bytes[start..<end].filter { $0 != 0x0D && $0 != 0x0A }
        var values = raw == plain ? [plain] : isWindowsPath(raw) ? [raw, plain] : [plain, raw]
        if raw.count < end - start { values.append(unfolded(start..<end)) }
        return isFollowedByText(end) ? misquoted(start..<end) + values : values
    }

    /// Whether an escape sequence begins two-byte characters, whose bytes may equal quotes
    /// (VIOLATIONS.md, M10).
    private func isShift(at place: Int) -> Bool {
        !shiftsEnd && place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "$")
    }

    /// Unfolds a value, without the white space after line ends (VIOLATIONS.md, M13).
    private func unfolded(_ range: Range<Int>) -> [UInt8] {
        var text: [UInt8] = []
        var isFold = false
        for byte in bytes[range] {
            isFold = byte == 0x0D || byte == 0x0A || isFold && byte.isWhiteSpace
            if !isFold { text.append(byte) }
        }
        return text
    }

    /// Whether unexpected text follows a closing quote.
    private func isFollowedByText(_ quote: Int) -> Bool {
        var next = quote + 1
        while next < bytes.count, bytes[next].isWhiteSpace { next += 1 }
        return next < bytes.count && !isSeparator(bytes[next]) && bytes[next] != UInt8(ascii: "(")
    }

    /// Readings of a quoted-string with a doubtful closing quote (VIOLATIONS.md, M30).
    private mutating func misquoted(_ value: Range<Int>) -> [[UInt8]] {
        if let semicolon = bytes[value].firstIndex(of: UInt8(ascii: ";")) {
            // Its closing quote is missing: `name="a.pkpass; charset="utf-8"`.
            index = semicolon
            return [Array(bytes[value.lowerBound..<semicolon])]
        }
        guard value.lowerBound >= misquotedEnd else { return [] }
        misquotedEnd = bytes[value.upperBound...].firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
        let whole = bytes[bytes.span.trimmed(value.lowerBound..<misquotedEnd)]
        // Other parameters may follow if the semicolon is missing.
        guard !whole.contains(UInt8(ascii: "=")) else { return [] }
        index = misquotedEnd
        let inner = whole.last == UInt8(ascii: "\"") ? whole.dropLast() : whole
        return [inner.filter { $0 != 0x0D && $0 != 0x0A }]
    }

    private func isWindowsPath(_ raw: [UInt8]) -> Bool {
        raw.count > 2 && (raw[1] == UInt8(ascii: ":") || raw.starts(with: Array("\\\\".utf8)))
    }

    /// Reads up to the semicolon (VIOLATIONS.md, M28: values with spaces). The first word alone is
    /// the other reading (VIOLATIONS.md, M26).
    private mutating func unquoted() -> [[UInt8]] {
        let start = index
        skipEncodedWord()
        while index < bytes.count, !bytes[index].isWhiteSpace, bytes[index] != UInt8(ascii: ";"),
            bytes[index] != UInt8(ascii: "(") || index == start
        {
            index += 1
        }
        let word = Array(bytes[start..<index])
        // Read the same text as a single value only once; after that, word by word.
        guard start >= unquotedEnd, index < bytes.count, bytes[index] != UInt8(ascii: ";") else {
            return [word]
        }
        let hasOnlyComments = skipComments()
        unquotedEnd = bytes[index...].firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
        let whole = bytes[bytes.span.trimmed(start..<unquotedEnd)]
            .filter { $0 != 0x0D && $0 != 0x0A }
        if hasOnlyComments, !word.isEmpty { return whole == word ? [word] : [word, whole] }
        // Other parameters may follow if the semicolon is missing; a name with spaces contains no
        // `=`.
        if !whole.contains(UInt8(ascii: "=")) { index = unquotedEnd }
        return whole == word || word.isEmpty ? [whole] : [whole, word]
    }

    /// Skips comments if the rest of the value is only comments and white space.
    private mutating func skipComments() -> Bool {
        let start = index
        skipSpace()
        while index < bytes.count, bytes[index] == UInt8(ascii: "("), skipComment() { skipSpace() }
        if index == bytes.count || bytes[index] == UInt8(ascii: ";") { return true }
        index = start
        return false
    }

    /// Skips an encoded word, which may contain semicolons in the Q encoding (VIOLATIONS.md, M87).
    private mutating func skipEncodedWord() {
        guard index >= wordsEnd, bytes.span.hasPrefix("=?", at: index) else { return }
        var place = index + 2
        var marks = 0
        while place < bytes.count, !bytes[place].isWhiteSpace {
            if bytes[place] == UInt8(ascii: "?") {
                if marks >= 2, bytes.span.hasPrefix("?=", at: place) {
                    index = place + 2
                    return
                }
                marks += 1
            }
            place += 1
        }
        wordsEnd = place
    }
}
