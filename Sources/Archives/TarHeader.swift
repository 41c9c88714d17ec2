import Bytes

/// The block that stands before each entry of a tar archive (POSIX.1-2017, pax, "ustar Interchange
/// Format").
struct TarHeader {
    /// Headers, and what pads bodies, are of this size in bytes.
    static let size = 512

    /// As raw bytes, with the prefix that ustar splits off.
    let name: [UInt8]
    /// Of the body, in bytes.
    let bodySize: Int
    let type: UInt8
    /// Whether blocks with the map of a GNU sparse file follow.
    let hasSparseMap: Bool

    /// Nil for what is not one: its checksum, or its size, is wrong.
    init?(_ block: Span<UInt8>) {
        guard block.count >= TarHeader.size, let checksum = number(block, 148..<156),
            checksum == TarHeader.sum(block), let bodySize = number(block, 124..<136),
            bodySize <= 1 << 60
        else { return nil }
        var name = text(block, 0..<100)
        // GNU's own format has other fields where ustar has the prefix of a name.
        if block.hasPrefix("ustar\0", at: 257), block[345] != 0 {
            name = text(block, 345..<500) + [UInt8(ascii: "/")] + name
        }
        self.name = name
        self.bodySize = bodySize
        type = block[156]
        hasSparseMap = block[482] != 0
    }

    /// Of all bytes, those of the checksum itself taken for spaces.
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

/// A field in octal digits, among spaces and NULs; or in base 256, as GNU tar and Python write what
/// has more digits than the field. Nil if it is neither, or beyond any size.
private func number(_ block: Span<UInt8>, _ field: Range<Int>) -> Int? {
    let first = block[field.lowerBound]
    if first & 0x80 != 0 {
        // The other bits of the first byte are a sign, which no size has, or too high.
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
        // Twelve digits at most.
        value = value << 3 | Int(block[index] - 0x30)
        digits = digits.dropFirst()
    }
    return digits.allSatisfy { block[$0] == 0x20 || block[$0] == 0 } ? value : nil
}
