import Bytes

/// How a part's bytes are written in the message (RFC 2045, 6; uuencode and yEnc by custom).
package enum TransferEncoding: Sendable, Hashable {
    case identity, base64, quotedPrintable, uuencode, yEnc

    /// What a Content-Transfer-Encoding field can mean, in the order in which it says so.
    ///
    /// RFC 2045, 6.1 allows one token; senders write `(c) base64`, `"base64"`, `base64;` and fold
    /// before it, and six parsers of six lose some of these. Others misspell it: `bas64`, `base_64`.
    static func readings(of body: [UInt8]) -> [TransferEncoding] {
        var text: [UInt8] = []
        for byte in body.prefix(4096) where byte.isASCIILetter || byte.isASCIIDigit {
            text.append(byte.asciiLowercased)
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

    private static let words: [(word: StaticString, encoding: TransferEncoding)] = [
        ("64", .base64), ("quoted", .quotedPrintable), ("printable", .quotedPrintable),
        ("uu", .uuencode), ("yenc", .yEnc), ("7bit", .identity), ("8bit", .identity),
        ("binary", .identity),
    ]
}
