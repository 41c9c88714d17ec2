internal import Bytes

/// A segment of the path of a URL (RFC 3986, 3.3), percent-encoded.
package enum PathSegment {
    /// Encodes all bytes of the UTF-8 but the unreserved characters of RFC 3986, 2.3 (ASCII letters
    /// and digits, `-`, `.`, `_`, `~`).
    package static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(streamSafe: bytes)
    }

    /// Decodes a segment once. Nil for what is not a segment of a path (RFC 3986, 3.3), is empty, or
    /// may not be in a pass: NUL, invalid UTF-8, long runs of combining marks.
    package static func decoded(_ text: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                guard isUnreserved(byte) || "!$&'()*+,;=:@".utf8.contains(byte) else { return nil }
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexadecimalValue,
                let low = rest.popFirst()?.hexadecimalValue
            else { return nil }
            bytes.append(high << 4 | low)
        }
        guard !bytes.isEmpty, !bytes.contains(0), !StreamSafeText.hasLongRun(bytes.span) else {
            return nil
        }
        return String(validatingStreamSafe: bytes)
    }
}

/// RFC 3986, 2.3.
private func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "-._~".utf8.contains(byte)
    }
}
