import Bytes

/// The readings of a decoded text that seems to be encoded again, or in another way than its
/// parameter says.
///
/// VIOLATIONS.md, M87: encoded words in parameters. M92, M101: encoded twice. M99: percent-encoded
/// without an asterisk.
enum TextReadings {
    private static let nesting = 2

    /// The readings of a text, most likely first. In a percent-encoded value, a remaining percent
    /// sign means double encoding; in others it may be literal.
    static func of(_ text: String, isExtended: Bool) -> [String] {
        var readings = [text]
        for _ in 0..<nesting {
            guard let last = readings.first, let next = decoded(last), next.text != last else {
                break
            }
            if next.isCertain || isExtended {
                readings.insert(next.text, at: 0)
            } else {
                readings.append(next.text)
                break
            }
        }
        return readings
    }

    /// The text decoded once, and whether no other reading is possible.
    private static func decoded(_ text: String) -> (text: String, isCertain: Bool)? {
        let bytes = Array(text.utf8)
        let source = bytes.span
        if let word = source.firstIndex(of: UInt8(ascii: "="), in: 0..<bytes.count),
            bytes[word...].contains(UInt8(ascii: "?"))
        {
            let decoded = EncodedWords.decode(bytes)
            if decoded != text { return (decoded, true) }
        }
        guard let percent = source.firstIndex(of: UInt8(ascii: "%"), in: 0..<bytes.count),
            percent + 2 < bytes.count, bytes[percent + 1].hexadecimalValue != nil,
            bytes[percent + 2].hexadecimalValue != nil
        else { return nil }
        guard let prefix = ExtendedValue.prefix(of: bytes), !prefix.charset.isEmpty else {
            return (Charset.guess(ExtendedValue.percentDecoded(bytes[...])), false)
        }
        let value = ExtendedValue.percentDecoded(bytes[prefix.end...])
        return (Charset.decode(value, prefix.charset), true)
    }
}
