import Bytes

/// RFC 2047: text in header fields as `=?charset?B?...?=`.
package enum EncodedWords {
    /// A field's text with its encoded words decoded. One pass; what is no word stays as it is.
    package static func decode(_ bytes: [UInt8]) -> String {
        let source = bytes.span
        guard source.firstIndex(of: UInt8(ascii: "="), in: 0..<source.count) != nil else {
            return Charset.guess(bytes)
        }
        var text = ""
        var plain = 0
        var index = 0
        var afterWord = false
        // Bytes of neighbours in one set are joined first: mailers split characters between words.
        var pending: (charset: String, bytes: [UInt8])?
        while index < min(source.count, longestText) {
            guard source.hasPrefix("=?", at: index), let word = word(in: source, at: index) else {
                index += 1
                continue
            }
            let between = plain..<index
            let isGap = afterWord && source.trimmed(between).isEmpty
            if !isGap || pending?.charset != word.charset {
                flush(&pending, into: &text)
            }
            if !isGap { text += Charset.guess(Array(bytes[between])) }
            pending = (word.charset, (pending?.bytes ?? []) + word.bytes)
            if let joined = pending, joined.bytes.count > 4096 {
                // Joining is for neighbours; a run of any length must not cost its square.
                flush(&pending, into: &text)
            }
            index = word.end
            plain = word.end
            afterWord = true
        }
        flush(&pending, into: &text)
        text += Charset.guess(Array(bytes[plain...]))
        return text
    }

    private static func flush(
        _ pending: inout (charset: String, bytes: [UInt8])?, into text: inout String
    ) {
        if let word = pending { text += Charset.decode(word.bytes, word.charset) }
        pending = nil
    }

    /// The longest encoded word that is read, in bytes. RFC 2047, 2 allows 75; senders of long names
    /// keep to no limit.
    private static let longestWord = 4096
    /// Words that begin further behind, in bytes, stay as they are: each may have a set of its own,
    /// which is slow to find, and no name is that long.
    private static let longestText = 32 << 10

    private static func word(
        in source: Span<UInt8>, at start: Int
    ) -> (charset: String, bytes: [UInt8], end: Int)? {
        let limit = min(source.count, start + longestWord)
        let question = UInt8(ascii: "?")
        guard
            let first = source.firstIndex(
                of: question, in: (start + 2)..<max(start + 2, min(limit, start + 80))),
            first + 2 < limit, source[first + 2] == question
        else { return nil }
        // Up to `?=`; a `?` alone is text in some senders' Q encoding.
        var end = first + 3
        while end + 1 < limit, !(source[end] == question && source[end + 1] == UInt8(ascii: "=")) {
            // A word ends where the next one begins, however unfinished; `=?=` is padding and an end.
            if source.hasPrefix("=?", at: end), !source.hasPrefix("=?=", at: end), end > first + 3 {
                return nil
            }
            end += 1
        }
        guard end + 1 < limit else { return nil }
        let encoded = (first + 3)..<end
        let decoded: [UInt8]
        switch source[first + 1].asciiLowercased {
        case UInt8(ascii: "b"): decoded = Base64.decode(source, encoded)
        case UInt8(ascii: "q"): decoded = q(source, encoded)
        default: return nil
        }
        var name: [UInt8] = []
        for index in (start + 2)..<first {
            // RFC 2231, 5: a language may follow the charset.
            if source[index] == UInt8(ascii: "*") { break }
            name.append(source[index].asciiLowercased)
        }
        return (String(decoding: name, as: UTF8.self), decoded, end + 2)
    }

    /// The Q encoding: quoted-printable with `_` for a space.
    private static func q(_ source: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
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
            } else {
                decoded.append(byte == UInt8(ascii: "_") ? 0x20 : byte)
                index += 1
            }
        }
        return decoded
    }
}
