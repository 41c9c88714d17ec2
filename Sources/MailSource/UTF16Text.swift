import Bytes

/// Converts UTF-16 to UTF-8, byte by byte.
struct UTF16Text {
    private let isLittleEndian: Bool
    private var first: UInt8?
    private var highSurrogate: UInt16?

    /// Nil without a byte order mark.
    init?(_ prefix: Span<UInt8>) {
        guard let mark = ByteOrderMark(prefix), mark.isUTF16 else { return nil }
        isLittleEndian = mark == .utf16LittleEndian
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
