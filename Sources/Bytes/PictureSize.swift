/// The size that the header of a PNG or JPEG declares.
///
/// For example: `PictureSize(bytes.span)?.width`
package struct PictureSize: Sendable, Hashable {
    /// In pixels.
    package let width: Int
    /// In pixels.
    package let height: Int

    /// Nil if it is neither, or if a side is 0.
    package init?(_ bytes: Span<UInt8>) {
        guard let (width, height) = sizeOfPNG(bytes) ?? sizeOfJPEG(bytes), width > 0, height > 0
        else { return nil }
        (self.width, self.height) = (width, height)
    }
}

/// The header is the first chunk (PNG, 11.2.1); Xcode writes a chunk of its own before it.
private func sizeOfPNG(_ bytes: Span<UInt8>) -> (Int, Int)? {
    let beginning = PictureKind.png.beginning
    guard bytes.count >= beginning.count,
        beginning.indices.allSatisfy({ bytes[$0] == beginning[$0] })
    else { return nil }
    var start = beginning.count
    for _ in 0..<2 {
        guard let length = number(bytes, at: start, count: 4),
            let name = number(bytes, at: start + 4, count: 4)
        else { return nil }
        // "IHDR".
        if name == 0x4948_4452 {
            guard let width = number(bytes, at: start + 8, count: 4),
                let height = number(bytes, at: start + 12, count: 4)
            else { return nil }
            return (width, height)
        }
        start += 12 + length
    }
    return nil
}

/// In the frame header (ITU-T T.81, B.2.2), after any number of other segments.
private func sizeOfJPEG(_ bytes: Span<UInt8>) -> (Int, Int)? {
    // SOI.
    guard number(bytes, at: 0, count: 2) == 0xFFD8 else { return nil }
    var start = 2
    while start < bytes.count, bytes[start] == 0xFF {
        guard let marker = number(bytes, at: start + 1, count: 1) else { return nil }
        switch marker {
        // Fill bytes (B.1.1.2).
        case 0xFF:
            start += 1
            continue
        // TEM and RSTm stand alone.
        case 0x01, 0xD0...0xD7:
            start += 2
            continue
        // SOFn, without DHT, JPG and DAC.
        case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
            guard let height = number(bytes, at: start + 5, count: 2),
                let width = number(bytes, at: start + 7, count: 2)
            else { return nil }
            return (width, height)
        // EOI and SOS: no frame header comes after them.
        case 0xD9, 0xDA: return nil
        default: break
        }
        guard let length = number(bytes, at: start + 2, count: 2), length >= 2 else { return nil }
        start += 2 + length
    }
    return nil
}

/// A big-endian number; nil beyond the end.
private func number(_ bytes: Span<UInt8>, at start: Int, count: Int) -> Int? {
    guard start + count <= bytes.count else { return nil }
    var number = 0
    for index in start..<(start + count) { number = number << 8 | Int(bytes[index]) }
    return number
}
