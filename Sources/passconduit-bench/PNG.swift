/// An image of random pixels, which no compression makes smaller.
enum PNG {
    /// In RGB with 8 bits each, in one stored block of at most 65,535 bytes.
    static func noise(width: Int, height: Int, _ random: inout Random) -> [UInt8] {
        var pixels: [UInt8] = []
        for _ in 0..<height {
            // Each row begins with its filter, which is none.
            pixels.append(0)
            pixels += random.bytes((width * 3 + 7) / 8).prefix(width * 3)
        }
        let size = UInt16(pixels.count)
        // The header of zlib, and that of the last block (RFC 1950, 1951).
        let header: [UInt8] = [0x78, 0x01, 0x01]
        let lengths = [size, ~size].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 2, 0, 0, 0])
            + chunk("IDAT", header + lengths + pixels + bigEndian(adler32(pixels)))
            + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = name.utf8 + content
        return bigEndian(UInt32(content.count)) + named + bigEndian(CRC32.of(named))
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return high << 16 | low
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) }
    }
}
