import Bytes

/// The text of a file with an undeclared encoding, as UTF-8.
struct UnicodeText {
    enum Encoding { case utf8, utf16 }

    let utf8: [UInt8]
    let encoding: Encoding
    let hasByteOrderMark: Bool
    /// The offsets of the U+FFFD that replace halves of surrogate pairs of UTF-16, ascending.
    let replacements: [Int]

    /// Detects UTF-16 without a byte order mark (VIOLATIONS.md, P45) by a zero in the first two
    /// bytes: the first character is always ASCII.
    init(_ bytes: [UInt8]) {
        if let mark = ByteOrderMark(bytes) {
            let rest = bytes.dropFirst(mark.bytes.count)
            (utf8, replacements) =
                mark.isUTF16
                ? utf8Bytes(ofUTF16: rest, bigEndian: mark == .utf16BigEndian) : (Array(rest), [])
            (encoding, hasByteOrderMark) = (mark.isUTF16 ? .utf16 : .utf8, true)
        } else if bytes.count > 1, let zero = bytes.prefix(2).firstIndex(of: 0) {
            (utf8, replacements) = utf8Bytes(ofUTF16: bytes[...], bigEndian: zero == 0)
            (encoding, hasByteOrderMark) = (.utf16, false)
        } else {
            (utf8, replacements) = (bytes, [])
            (encoding, hasByteOrderMark) = (.utf8, false)
        }
    }
}

/// An incomplete last unit is dropped; lone surrogates become U+FFFD.
private func utf8Bytes(
    ofUTF16 bytes: ArraySlice<UInt8>, bigEndian: Bool
) -> (utf8: [UInt8], replacements: [Int]) {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var first: UInt8?
    for byte in bytes {
        guard let before = first else {
            first = byte
            continue
        }
        let (high, low) = bigEndian ? (before, byte) : (byte, before)
        units.append(UInt16(high) << 8 | UInt16(low))
        first = nil
    }
    var utf8: [UInt8] = []
    utf8.reserveCapacity(units.count * 3 / 2)
    var replacements: [Int] = []
    var decoder = UTF16()
    var rest = units.makeIterator()
    while true {
        switch decoder.decode(&rest) {
        case .scalarValue(let scalar):
            utf8.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        case .error:
            replacements.append(utf8.count)
            utf8.append(contentsOf: UTF8.encodedReplacementCharacter)
        case .emptyInput: return (utf8, replacements)
        }
    }
}

/// The text of a file in UTF-32 with a byte order mark, as UTF-8; nil without the mark. An
/// incomplete last scalar is dropped; invalid ones become U+FFFD.
func utf8Bytes(ofMarkedUTF32 bytes: [UInt8]) -> [UInt8]? {
    let isBigEndian = bytes.starts(with: [0x00, 0x00, 0xFE, 0xFF])
    guard isBigEndian || bytes.starts(with: [0xFF, 0xFE, 0x00, 0x00]) else { return nil }
    var utf8: [UInt8] = []
    utf8.reserveCapacity(bytes.count / 4)
    for start in stride(from: 4, to: bytes.count - 3, by: 4) {
        var value: UInt32 = 0
        for offset in 0..<4 {
            value = value << 8 | UInt32(bytes[start + (isBigEndian ? offset : 3 - offset)])
        }
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        utf8.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    return utf8
}

/// The text of a file in UTF-8, without a byte order mark.
package func plainText(_ bytes: [UInt8]) -> [UInt8] { UnicodeText(bytes).utf8 }
