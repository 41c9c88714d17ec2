import Bytes

/// One encoded word, still encoded.
struct EncodedWord {
    /// In lower case.
    let charset: String
    let isBase64: Bool
    let encoded: Range<Int>
    /// The offset after the word.
    let end: Int

    /// Parses the word that begins at `start` with `=?`; nil if it is not one, or longer than
    /// `limit`.
    init?(_ source: Span<UInt8>, at start: Int, limit: Int) {
        let limit = min(source.count, start + limit)
        let question = UInt8(ascii: "?")
        guard
            let first = source.firstIndex(
                of: question, in: (start + 2)..<max(start + 2, min(limit, start + 80))),
            first + 2 < limit, source[first + 2] == question
        else { return nil }
        switch source[first + 1].asciiLowercased {
        case UInt8(ascii: "b"): isBase64 = true
        case UInt8(ascii: "q"): isBase64 = false
        default: return nil
        }
        // Up to `?=`. VIOLATIONS.md, M86: a bare `?` in the Q encoding. M82: white space.
        var end = first + 3
        while end + 1 < limit, !(source[end] == question && source[end + 1] == UInt8(ascii: "=")) {
            // A word ends where the next one begins, even if unfinished; `=?=` is padding and the
            // end.
            if source.hasPrefix("=?", at: end), !source.hasPrefix("=?=", at: end), end > first + 3,
                end + 2 < limit
            {
                return nil
            }
            end += 1
        }
        if end + 1 < limit {
            encoded = (first + 3)..<end
            self.end = end + 2
        } else {
            guard limit == source.count,
                let rest = EncodedWord.unfinished(source, (first + 3)..<limit, isBase64)
            else { return nil }
            encoded = rest
            self.end = limit
        }
        var name: [UInt8] = []
        for index in (start + 2)..<first {
            // RFC 2231, 5: a language may follow the charset.
            if source[index] == UInt8(ascii: "*") { break }
            name.append(source[index].asciiLowercased)
        }
        charset = String(streamSafe: name)
    }

    /// A word without its end (VIOLATIONS.md, M81): valid only if all remaining bytes could belong
    /// to it.
    private static func unfinished(
        _ source: Span<UInt8>, _ rest: Range<Int>, _ isBase64: Bool
    ) -> Range<Int>? {
        var rest = source.trimmed(rest)
        if let last = rest.last, source[last] == UInt8(ascii: "?") { rest = rest.dropLast() }
        let isWhole = rest.allSatisfy {
            isBase64 ? Base64.isDigit(source[$0]) : source[$0] > 0x20 && source[$0] < 0x7F
        }
        return isWhole && !rest.isEmpty ? rest : nil
    }

    /// Decodes the Q encoding: quoted-printable with `_` for a space. VIOLATIONS.md, M82: soft line
    /// breaks.
    static func q(_ source: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var decoded: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = source[index]
            if byte == UInt8(ascii: "="), index + 2 < range.upperBound,
                let high = source[index + 1].hexadecimalValue,
                let low = source[index + 2].hexadecimalValue
            {
                decoded.append(high << 4 | low)
                index += 3
            } else if byte == UInt8(ascii: "="), index + 1 < range.upperBound,
                source[index + 1].isWhiteSpace
            {
                index += 1
                while index < range.upperBound, source[index].isWhiteSpace { index += 1 }
            } else {
                decoded.append(byte == UInt8(ascii: "_") ? 0x20 : byte)
                index += 1
            }
        }
        return decoded
    }
}
