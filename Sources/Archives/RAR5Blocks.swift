import Bytes
import Platform

/// The blocks of a RAR 5 archive (technote.txt of RAR 5) up to the first file. libarchive does not
/// recognise that they are encrypted.
struct RAR5Blocks {
    private var rest: ArraySlice<UInt8>

    /// Whether the headers or the first file need a password; false for a stream, which is read
    /// once.
    static func areEncrypted(_ source: ByteSource) throws(FileError) -> Bool {
        guard source.size != nil, try source.prefix(8) == signature else { return false }
        var offset = signature.count
        // The header of the archive, its comment and other services precede the files.
        for _ in 0..<8 {
            var block = RAR5Blocks(rest: try source.bytes(at: offset, count: 4096)[...])
            guard let (isEncrypted, size) = block.read() else { return false }
            if let isEncrypted { return isEncrypted }
            offset += size
        }
        return false
    }

    private static let signature: [UInt8] = [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 0x01, 0x00]

    private enum Kind {
        static let file = 2, encryption = 4
    }

    /// Whether the block shows encryption, nil if it does not tell, and its size with its data.
    private mutating func read() -> (isEncrypted: Bool?, size: Int)? {
        let count = rest.count
        // The checksum of the header.
        rest = rest.dropFirst(4)
        guard let headerSize = number(), headerSize <= rest.count else { return nil }
        let sizes = count - rest.count
        rest = rest.prefix(headerSize)
        guard let kind = number(), let flags = number() else { return nil }
        var (extraSize, dataSize) = (0, 0)
        if flags & 1 != 0 {
            guard let size = number() else { return nil }
            extraSize = size
        }
        if flags & 2 != 0 {
            guard let size = number() else { return nil }
            dataSize = size
        }
        let whole = sizes + headerSize + dataSize
        switch kind {
        case Kind.encryption: return (true, whole)
        case Kind.file:
            rest = rest.suffix(min(extraSize, rest.count))
            return (holdsEncryption(), whole)
        default: return (nil, whole)
        }
    }

    /// Whether the records of the extra area include that of encryption.
    private mutating func holdsEncryption() -> Bool {
        while let size = number(), size > 0, size <= rest.count {
            let next = rest.dropFirst(size)
            if number() == 1 { return true }
            rest = next
        }
        return false
    }

    /// Seven bits in each byte, the lowest first; nil if it is too large for any size.
    private mutating func number() -> Int? {
        var value = 0
        for shift in stride(from: 0, to: 56, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
