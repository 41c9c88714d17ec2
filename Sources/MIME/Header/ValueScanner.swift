import Bytes

/// Scans a header value in linear time.
struct ValueScanner {
    let bytes: [UInt8]
    var index = 0
    /// Whether no more quotes are closed, so that further opening ones are literal.
    var quotesEnd = false
    /// The end of the last unquoted value of several words.
    var unquotedEnd = 0
    /// The end of the last value that contained quotes.
    var misquotedEnd = 0
    var commentsEnd = false
    /// The same for escape sequences.
    var shiftsEnd = false
    /// No encoded word ends before this offset.
    var wordsEnd = 0

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
    func isJunk(_ byte: UInt8, before place: Int) -> Bool {
        if byte.isWhiteSpace {
            return place == bytes.count || bytes[place] != UInt8(ascii: "*")
        }
        return isSeparator(byte) || byte >= 0x80
    }

    func parameter(named range: Range<Int>, _ values: [[UInt8]]) -> Parameter? {
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

    mutating func value() -> [[UInt8]] {
        skipSpace()
        while index < bytes.count, bytes[index] == UInt8(ascii: "("), skipComment() { skipSpace() }
        guard index < bytes.count else { return [[]] }
        if bytes[index] == UInt8(ascii: "\""), !quotesEnd { return quoted() }
        return unquoted()
    }

    /// VIOLATIONS.md, M27: commas, and separators without a parameter between them.
    func isSeparator(_ byte: UInt8) -> Bool {
        byte.isWhiteSpace || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",")
    }

    mutating func skipSpace() {
        while index < bytes.count, bytes[index].isWhiteSpace { index += 1 }
    }

    /// Skips a comment, including nested ones; false if it is not closed.
    mutating func skipComment() -> Bool {
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
