/// The header block of a tar entry (POSIX.1-2017, pax, "ustar Interchange Format").
package struct TarHeader {
    /// The block size of headers and padding, in bytes.
    package static let size = 512

    /// Raw bytes, including the ustar prefix.
    package let name: [UInt8]
    /// In bytes.
    package let bodySize: Int
    package let type: UInt8
    /// Whether blocks with the map of a GNU sparse file follow.
    package let hasSparseMap: Bool

    /// Nil if the checksum or the size is invalid.
    package init?(_ block: Span<UInt8>) {
        guard block.count >= TarHeader.size, let checksum = number(block, 148..<156),
            checksum == TarHeader.sum(block), let bodySize = number(block, 124..<136),
            bodySize <= 1 << 60
        else { return nil }
        var name = text(block, 0..<100)
        // GNU's old format uses the bytes of the ustar prefix for other fields.
        if block.hasPrefix("ustar\0", at: 257), block[345] != 0 {
            name = text(block, 345..<500) + [UInt8(ascii: "/")] + name
        }
        self.name = name
        self.bodySize = bodySize
        type = block[156]
        hasSparseMap = block[482] != 0
    }

    /// The sum of all bytes, with the checksum field counted as spaces.
    private static func sum(_ block: Span<UInt8>) -> Int {
        var sum = 0
        for index in 0..<size {
            sum += (148..<156).contains(index) ? 0x20 : Int(block[index])
        }
        return sum
    }
}

/// Up to the first NUL.
private func text(_ block: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var text: [UInt8] = []
    for index in range {
        if block[index] == 0 { break }
        text.append(block[index])
    }
    return text
}

/// Decodes a numeric field: octal digits among spaces and NULs, or base 256 (VIOLATIONS.md, Z6).
/// Nil if it is neither, or too large.
private func number(_ block: Span<UInt8>, _ field: Range<Int>) -> Int? {
    let first = block[field.lowerBound]
    if first & 0x80 != 0 {
        // The other bits of the first byte are a sign, or are too high for any size.
        var value = Int(first & 0x7F)
        for index in field.dropFirst() {
            guard value < 1 << 52 else { return nil }
            value = value << 8 | Int(block[index])
        }
        return value
    }
    var value = 0
    var digits = field.drop { block[$0] == 0x20 || block[$0] == 0 }
    while let index = digits.first, (0x30...0x37).contains(block[index]) {
        // At most twelve digits.
        value = value << 3 | Int(block[index] - 0x30)
        digits = digits.dropFirst()
    }
    return digits.allSatisfy { block[$0] == 0x20 || block[$0] == 0 } ? value : nil
}
