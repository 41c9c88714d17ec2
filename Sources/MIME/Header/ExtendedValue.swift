import Bytes

/// An extended parameter value (RFC 2231, 4): `charset'language'percent-encoded`.
struct ExtendedValue {
    /// Whether any of it is percent-encoded.
    private(set) var isExtended = false
    private var decoded: [UInt8] = []
    private var charset: String?
    /// Consecutive encoded sections, decoded as one (VIOLATIONS.md, M102).
    private var encoded: [UInt8] = []

    init() {}

    init(_ value: [UInt8]) {
        append(value, isExtended: true)
    }

    var bytes: [UInt8] {
        var whole = self
        whole.flush()
        return whole.decoded
    }

    var text: String {
        var whole = self
        whole.flush()
        // VIOLATIONS.md, M95: encoded words in sections that are not marked as extended.
        guard let charset = whole.charset else { return EncodedWords.decode(whole.decoded) }
        return Charset.decode(whole.decoded, charset)
    }

    mutating func append(_ value: [UInt8], isExtended: Bool) {
        if isExtended {
            self.isExtended = true
            encoded += value
        } else {
            flush()
            decoded += value
        }
    }

    private mutating func flush() {
        guard !encoded.isEmpty else { return }
        var rest = encoded[...]
        if charset == nil, decoded.isEmpty, let prefix = ExtendedValue.prefix(of: encoded) {
            charset = prefix.charset
            rest = encoded[prefix.end...]
        }
        decoded += ExtendedValue.percentDecoded(rest)
        encoded.removeAll(keepingCapacity: true)
    }

    /// The charset before a value, and the offset of the value.
    ///
    /// VIOLATIONS.md, M96: other marks than two apostrophes. M97: quotes around the value.
    static func prefix(of bytes: [UInt8]) -> (charset: String, end: Int)? {
        var index = 0
        while index < min(bytes.count, 40), isCharsetCharacter(bytes[index]) { index += 1 }
        let charset = String(streamSafe: bytes[..<index])
        for quotes in ["\"\"", "\u{2019}\u{2019}"] where bytes[index...].starts(with: quotes.utf8) {
            return (charset, index + quotes.utf8.count)
        }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "'") else { return nil }
        var end = index + 1
        while end < min(bytes.count, index + 40), isCharsetCharacter(bytes[end]) { end += 1 }
        if end < bytes.count, bytes[end] == UInt8(ascii: "'") { return (charset, end + 1) }
        return charset.isEmpty ? nil : (charset, index + 1)
    }

    private static func isCharsetCharacter(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "+")
    }

    /// VIOLATIONS.md, M98: bytes that are not encoded.
    static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
                let high = bytes[index + 1].hexadecimalValue,
                let low = bytes[index + 2].hexadecimalValue
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }
}
