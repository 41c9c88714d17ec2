import Bytes

/// Quoted and unquoted values.
extension ValueScanner {
    /// A quoted-string: unescaped and, if that differs, verbatim (VIOLATIONS.md, M31:
    /// `"C:\ticket.pkpass"`).
    mutating func quoted() -> [[UInt8]] {
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
    mutating func unquoted() -> [[UInt8]] {
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
