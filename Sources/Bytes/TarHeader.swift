/// The header block of a tar entry (POSIX.1-2017, pax, "ustar Interchange Format").
package struct TarHeader {
    /// The block size of headers and padding, in bytes.
    package static let size = 512

    /// Raw bytes, including the ustar prefix.
    package let name: [UInt8]
    /// In bytes.
    package let bodySize: Int
    package let type: UInt8
    /// The size of a sparse file in GNU's old format, and its map: the offset and the length of each
    /// stored run. Blocks with the rest of the map may follow.
    package let sparseSize: Int?
    package let sparseMap: [Int]
    package let hasMoreSparseMap: Bool

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
        let isSparse = type == UInt8(ascii: "S")
        sparseSize = isSparse ? number(block, 483..<495) : nil
        sparseMap = isSparse ? TarHeader.sparseMap(block, at: 386, runs: 4) : []
        hasMoreSparseMap = block[482] != 0
    }

    /// The part of the map in a block that follows the header, and whether another block follows;
    /// nil if the block is too short.
    package static func moreSparseMap(_ block: Span<UInt8>) -> (map: [Int], hasMore: Bool)? {
        guard block.count >= size else { return nil }
        return (sparseMap(block, at: 0, runs: 21), block[504] != 0)
    }

    private static func sparseMap(_ block: Span<UInt8>, at start: Int, runs: Int) -> [Int] {
        var map: [Int] = []
        for place in stride(from: start, to: start + 24 * runs, by: 24) {
            guard block[place + 12] != 0, let offset = number(block, place..<place + 12),
                let length = number(block, place + 12..<place + 24)
            else { break }
            map += [offset, length]
        }
        return map
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
