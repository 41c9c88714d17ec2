import Bytes

/// The value of Content-Type, Content-Disposition or Content-Transfer-Encoding: a leading word and
/// parameters (RFC 2045, 5.1; RFC 2183), read as mailers write them.
package struct HeaderValue: Sendable {
    /// The leading word in lower case, without comments, quotes and white space: `text/plain`.
    package let word: String
    package let parameters: [Parameter]
    /// Whether there were more parameters than the limit allows.
    package let isCut: Bool

    package init(_ bytes: [UInt8], limit: Int) {
        var scanner = ValueScanner(bytes)
        word = scanner.word()
        var parameters: [Parameter] = []
        while parameters.count < limit, let parameter = scanner.parameter() {
            parameters.append(parameter)
        }
        isCut = parameters.count == limit && scanner.parameter() != nil
        self.parameters = parameters
    }
}

/// One parameter as it stands; RFC 2231 spreads one value over several.
package struct Parameter: Sendable {
    /// In lower case, without the section and the asterisks of RFC 2231.
    package let name: String
    /// The number behind the first asterisk: `filename*2`.
    let section: Int?
    /// Whether the value is percent-encoded: `filename*`, `filename*2*`.
    let isExtended: Bool
    /// The readings of the value that mail programs take, the usual one first.
    let values: [[UInt8]]
}

/// Reads a header value from left to right; each byte is looked at a fixed number of times.
private struct ValueScanner {
    private let bytes: [UInt8]
    private var index = 0
    /// From here on quotes and parentheses open nothing, because nothing closes them.
    private var quotesEnd = false
    /// Where the last unquoted value of several words ended.
    private var unquotedEnd = 0
    /// Where the last value with quotes in it ended.
    private var misquotedEnd = 0
    private var commentsEnd = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func word() -> String {
        var word: [UInt8] = []
        skipSpace()
        let start = index
        while index < bytes.count, bytes[index] != 0x3B, bytes[index] != UInt8(ascii: ",") {
            let byte = bytes[index]
            if byte == UInt8(ascii: "=") {
                // RFC 2045, 5.1 wants a type first; scripts write `Content-Type: name="a.pkpass"`.
                index = start
                return ""
            }
            if byte == UInt8(ascii: "("), skipComment() { continue }
            if byte.isWhiteSpace {
                skipSpace()
                // `text / plain` is one word; behind a whole one, parameters without a semicolon.
                let next = index < bytes.count ? bytes[index] : 0
                guard word.last == UInt8(ascii: "/") || next == UInt8(ascii: "/") || word.isEmpty
                else { break }
                continue
            }
            if byte != UInt8(ascii: "\"") { word.append(byte.asciiLowercased) }
            index += 1
        }
        return String(decoding: word, as: UTF8.self)
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
            // A comment may stand behind the name.
            let comment = bytes[start..<index].dropFirst().firstIndex(of: UInt8(ascii: "("))
            let name = bytes.span.trimmed(start..<(comment ?? index))
            index += 1
            let values = value()
            // What stands before the last separator is junk: a semicolon is missing.
            var nameStart = name.upperBound
            while nameStart > name.lowerBound, !isSeparator(bytes[nameStart - 1]) { nameStart -= 1 }
            if let parameter = parameter(named: nameStart..<name.upperBound, values) {
                return parameter
            }
        }
    }

    private func parameter(named range: Range<Int>, _ values: [[UInt8]]) -> Parameter? {
        let pieces = bytes[range].split(
            separator: UInt8(ascii: "*"), maxSplits: 2, omittingEmptySubsequences: false)
        guard let first = pieces.first, !first.isEmpty else { return nil }
        let name = String(decoding: first.map(\.asciiLowercased), as: UTF8.self)
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

    private func isSeparator(_ byte: UInt8) -> Bool {
        byte.isWhiteSpace || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",")
    }

    /// A quoted-string: unescaped, and as it stands where that differs (`"C:\ticket.pkpass"`).
    private mutating func quoted() -> [[UInt8]] {
        let start = index + 1
        var end = start
        var plain: [UInt8] = []
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            if bytes[end] == UInt8(ascii: "\\"), end + 1 < bytes.count { end += 1 }
            if bytes[end] != 0x0D, bytes[end] != 0x0A { plain.append(bytes[end]) }
            end += 1
        }
        guard end < bytes.count else {
            // No closing quote, here or later: the value ends as if it had not been quoted.
            quotesEnd = true
            index = start
            return unquoted()
        }
        index = end + 1
        let raw = bytes[start..<end].filter { $0 != 0x0D && $0 != 0x0A }
        let values = raw == plain ? [plain] : isWindowsPath(raw) ? [raw, plain] : [plain, raw]
        return isFollowedByText(end) ? misquoted(start..<end) + values : values
    }

    /// Whether something follows a closing quote that should not.
    private func isFollowedByText(_ quote: Int) -> Bool {
        var next = quote + 1
        while next < bytes.count, bytes[next].isWhiteSpace { next += 1 }
        return next < bytes.count && !isSeparator(bytes[next]) && bytes[next] != UInt8(ascii: "(")
    }

    /// Readings of a quoted-string whose closing quote is doubtful: RFC 2045, 5.1 wants quotes in it
    /// escaped, and scripts that paste a name between quotes do not do that.
    private mutating func misquoted(_ value: Range<Int>) -> [[UInt8]] {
        if let semicolon = bytes[value].firstIndex(of: UInt8(ascii: ";")) {
            // Its own closing quote is missing: `name="a.pkpass; charset="utf-8"`.
            index = semicolon
            return [Array(bytes[value.lowerBound..<semicolon])]
        }
        guard value.lowerBound >= misquotedEnd else { return [] }
        misquotedEnd = bytes[value.upperBound...].firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
        let whole = bytes[bytes.span.trimmed(value.lowerBound..<misquotedEnd)]
        // Parameters may follow where the semicolon is missing.
        guard !whole.contains(UInt8(ascii: "=")) else { return [] }
        index = misquotedEnd
        let inner = whole.last == UInt8(ascii: "\"") ? whole.dropLast() : whole
        return [inner.filter { $0 != 0x0D && $0 != 0x0A }]
    }

    private func isWindowsPath(_ raw: [UInt8]) -> Bool {
        raw.count > 2 && (raw[1] == UInt8(ascii: ":") || raw.starts(with: Array("\\\\".utf8)))
    }

    /// Up to the semicolon: mailers leave the quotes out around spaces. The first word alone is the
    /// other reading, where a semicolon is missing.
    private mutating func unquoted() -> [[UInt8]] {
        let start = index
        while index < bytes.count, !bytes[index].isWhiteSpace, bytes[index] != UInt8(ascii: ";"),
            bytes[index] != UInt8(ascii: "(") || index == start
        {
            index += 1
        }
        let word = Array(bytes[start..<index])
        // What was read as one value before is not read as one again, only word by word.
        guard start >= unquotedEnd, index < bytes.count, bytes[index] != UInt8(ascii: ";") else {
            return [word]
        }
        unquotedEnd = bytes[index...].firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
        let whole = bytes[bytes.span.trimmed(start..<unquotedEnd)]
            .filter { $0 != 0x0D && $0 != 0x0A }
        // Parameters may follow where the semicolon is missing; a name with spaces has no `=`.
        if !whole.contains(UInt8(ascii: "=")) { index = unquotedEnd }
        return whole == word || word.isEmpty ? [whole] : [whole, word]
    }

    private mutating func skipSpace() {
        while index < bytes.count, bytes[index].isWhiteSpace { index += 1 }
    }

    /// Skips a comment, nested ones in it too; false where it never closes.
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
