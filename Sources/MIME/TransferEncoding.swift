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

    /// What the first bytes of a body are written in, where they are those of a ZIP archive or an
    /// encoded file. Most bodies need no decoding to see that they are none.
    package static func ofArchive(_ source: Span<UInt8>, at start: Int) -> TransferEncoding? {
        if source.hasPrefix("UEsDB", at: start) { return .base64 }
        if source.hasPrefix("PK\u{3}\u{4}", at: start) { return .identity }
        if source.hasPrefix("PK=03=04", at: start) || source.hasPrefix("=50=4B=03=04", at: start) {
            return .quotedPrintable
        }
        return nil
    }
}
