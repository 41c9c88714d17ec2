/// The checksum of ZIP and PNG (ISO 3309).
enum CRC32 {
    private static let table = (UInt32(0)..<256).map { (index: UInt32) -> UInt32 in
        var word = index
        for _ in 0..<8 { word = word & 1 == 0 ? word >> 1 : 0xEDB8_8320 ^ (word >> 1) }
        return word
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
    }
}
