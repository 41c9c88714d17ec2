import Bytes

/// Converts UTF-16 to UTF-8, byte by byte.
struct UTF16Text {
    private let isLittleEndian: Bool
    private var first: UInt8?
    private var highSurrogate: UInt16?

    /// Nil without a byte order mark, unless each of the first characters is ASCII.
    init?(_ prefix: Span<UInt8>) {
        if let mark = ByteOrderMark(prefix), mark.isUTF16 {
            isLittleEndian = mark == .utf16LittleEndian
            return
        }
        let length = UTF16Text.examined
        guard prefix.count >= length, prefix[0] == 0 || prefix[1] == 0 else { return nil }
        isLittleEndian = prefix[1] == 0
        for index in 0..<length {
            let byte = prefix[index]
            let isZero = index.isMultiple(of: 2) != isLittleEndian
            guard isZero ? byte == 0 : byte < 0x7F && (byte > 0x1F || byte.isWhiteSpace) else {
                return nil
            }
        }
    }

    /// The number of bytes that show a text without a byte order mark.
    private static let examined = 16

    /// The length of the byte order mark; 0 if there is none.
    static func markLength(in text: Span<UInt8>) -> Int {
        ByteOrderMark(text).map { $0.isUTF16 ? $0.bytes.count : 0 } ?? 0
    }

    mutating func append(_ byte: UInt8, to output: inout [UInt8]) {
        guard let first else {
            first = byte
            return
        }
        self.first = nil
        let (low, high) = isLittleEndian ? (first, byte) : (byte, first)
        append(unit: UInt16(high) << 8 | UInt16(low), to: &output)
    }

    /// Drops the first half of a unit.
    mutating func dropHalf() { first = nil }

    private mutating func append(unit: UInt16, to output: inout [UInt8]) {
        if let high = highSurrogate {
            highSurrogate = nil
            if UTF16.isTrailSurrogate(unit) {
                let value = (UInt32(high & 0x3FF) << 10 | UInt32(unit & 0x3FF)) + 0x10000
                append(Unicode.Scalar(value), to: &output)
                return
            }
            append(nil, to: &output)
        }
        if UTF16.isLeadSurrogate(unit) {
            highSurrogate = unit
        } else if unit != 0xFEFF {
            append(Unicode.Scalar(unit), to: &output)
        }
    }

    private func append(_ scalar: Unicode.Scalar?, to output: inout [UInt8]) {
        let encoded = scalar.flatMap { UTF8.encode($0) } ?? UTF8.encodedReplacementCharacter
        output.append(contentsOf: encoded)
    }
}
