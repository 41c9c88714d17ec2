import Bytes

/// The transfer encoding of a part (RFC 2045, 6; uuencode and yEnc by convention).
package enum TransferEncoding: Sendable, Hashable {
    case identity, base64, quotedPrintable, uuencode, yEnc

    /// The possible encodings in a Content-Transfer-Encoding field, in the order in which they are
    /// named.
    ///
    /// VIOLATIONS.md, M36: more than one token, or a misspelt one. M39: unregistered ones. M40:
    /// unknown ones give no reading.
    static func readings(of source: Span<UInt8>, _ body: Range<Int>) -> [TransferEncoding] {
        let token = source.trimmed(body)
        for (word, readings) in tokens where source.isWord(word, token) { return readings }
        var text: [UInt8] = []
        for index in body.prefix(4096)
        where source[index].isASCIILetter || source[index].isASCIIDigit {
            text.append(source[index].asciiLowercased)
        }
        var readings: [TransferEncoding] = []
        for index in text.indices {
            for (word, encoding) in words
            where text.span.hasPrefix(word, at: index) && !readings.contains(encoding) {
                readings.append(encoding)
            }
        }
        return readings
    }

    /// The exact tokens of RFC 2045, 6.1.
    private static let tokens: [(word: StaticString, readings: [TransferEncoding])] = [
        ("7bit", [.identity]), ("8bit", [.identity]), ("base64", [.base64]),
        ("quoted-printable", [.quotedPrintable]),
    ]

    private static let words: [(word: StaticString, encoding: TransferEncoding)] = [
        ("64", .base64), ("quoted", .quotedPrintable), ("printable", .quotedPrintable),
        ("uu", .uuencode), ("yenc", .yEnc), ("7bit", .identity), ("8bit", .identity),
        ("binary", .identity),
    ]
}
