import Bytes

/// What a decoded text can mean that looks as if it was encoded once more, or in another way than its
/// parameter says.
///
/// RFC 2047, 5 forbids encoded words in parameters and RFC 2231 has its own encoding marked by an
/// asterisk; mailers nest the two, leave the asterisk out, and encode what was encoded.
enum TextReadings {
    private static let nesting = 2

    /// The readings of a text, the likeliest first. In a value that was percent-encoded a percent sign is
    /// one that was encoded twice; in others it may be meant.
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

    /// What a text becomes, and whether nothing else can have been meant.
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
