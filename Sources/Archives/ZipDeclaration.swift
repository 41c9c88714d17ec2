/// The flags, compression method, checksum and sizes of an entry, which the central directory and
/// the local header each state.
struct ZipDeclaration: Sendable, Hashable {
    /// APPNOTE 4.4.4.
    let flags: UInt16
    /// APPNOTE 4.4.5: 0 for stored, 8 for deflated.
    let method: UInt16
    /// The CRC-32 of the inflated data.
    let checksum: UInt32
    /// In bytes.
    private(set) var compressedSize: Int
    /// In bytes, inflated.
    private(set) var size: Int

    init(flags: Int, method: Int, checksum: Int, compressedSize: Int, size: Int) {
        // Compact, for archives of a million entries.
        self.flags = UInt16(truncatingIfNeeded: flags)
        self.method = UInt16(truncatingIfNeeded: method)
        self.checksum = UInt32(truncatingIfNeeded: checksum)
        self.compressedSize = compressedSize
        self.size = size
    }

    /// Takes the values that did not fit into 32 bits from the ZIP64 extra field (APPNOTE 4.5.3), which holds
    /// them in this order: size, compressed size, offset. Returns the offset; nil if a value is
    /// missing.
    @discardableResult
    mutating func takeLargeSizes(from extra: LittleEndian, offset: Int = 0) -> Int? {
        var values = [size, compressedSize, offset]
        for field in extra.extraFields where field.kind == 0x0001 {
            var place = field.place
            for index in values.indices where values[index] == 0xffff_ffff {
                guard let value = extra.eight(place) else { return nil }
                values[index] = value
                place += 8
            }
        }
        (size, compressedSize) = (values[0], values[1])
        return values[2]
    }

    /// Whether a local header agrees with this one of the central directory. A writer that could
    /// not seek sets bit 3 and leaves the checksum and the sizes zero (APPNOTE 4.4.4).
    func agrees(with local: ZipDeclaration) -> Bool {
        guard flags == local.flags, method == local.method else { return false }
        let pairs = [
            (Int(checksum), Int(local.checksum)), (compressedSize, local.compressedSize),
            (size, local.size),
        ]
        return pairs.allSatisfy { $0 == $1 || local.isStreamed && $1 == 0 }
    }

    /// APPNOTE 4.4.4: bit 0 for encryption, bit 6 for strong encryption, bit 13 for an encrypted
    /// directory.
    var isEncrypted: Bool { flags & 0x2041 != 0 }

    /// Neither stored nor deflated, or patch data (APPNOTE 4.4.4, bit 5).
    var isUnusual: Bool { method != 0 && method != 8 || flags & 0x20 != 0 }

    /// Whether a reader without the directory knows where the data end: they are stored, and
    /// their size is in the local header.
    var tellsEnd: Bool { method == 0 && !isStreamed }

    private var isStreamed: Bool { flags & 8 != 0 }
}
