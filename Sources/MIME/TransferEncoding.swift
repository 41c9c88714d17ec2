import Bytes

/// How a part's bytes are written in the message (RFC 2045, 6; uuencode and yEnc by custom).
package enum TransferEncoding: Sendable, Hashable {
    case identity, base64, quotedPrintable, uuencode, yEnc

    /// What a Content-Transfer-Encoding field can mean.
    ///
    /// RFC 2045, 6.1 allows one token; senders write `(c) base64`, `"base64"`, `base64;` and fold
    /// before it, and six parsers of six lose some of these.
    static func readings(of body: [UInt8]) -> [TransferEncoding] {
        var text: [UInt8] = []
        for byte in body.prefix(4096) where byte.isASCIILetter || byte.isASCIIDigit {
            text.append(byte.asciiLowercased)
        }
        var readings: [TransferEncoding] = []
        for (name, encoding) in known where !readings.contains(encoding) {
            if text.indices.contains(where: { text.span.hasPrefix(name, at: $0) }) {
                readings.append(encoding)
            }
        }
        return readings
    }

    private static let known: [(name: StaticString, encoding: TransferEncoding)] = [
        ("base64", .base64), ("quotedprintable", .quotedPrintable), ("uue", .uuencode),
        ("yenc", .yEnc), ("7bit", .identity), ("8bit", .identity), ("binary", .identity),
    ]
}
