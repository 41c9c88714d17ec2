package import Bytes

/// How a mailbox is compressed; the raw value is what people call it.
package enum CompressionFormat: String, Sendable {
    case gzip, xz, zstd, bzip2
    /// RFC 1950, which has no signature: something around it says what it is.
    case zlib

    /// Nil for what is not compressed as one stream.
    package init?(_ signature: FileSignature) {
        switch signature {
        case .gzip: self = .gzip
        case .xz: self = .xz
        case .zstd: self = .zstd
        case .bzip2: self = .bzip2
        default: return nil
        }
    }

    /// As many bytes as `beginsMember` looks at.
    static let signatureLength = 6

    /// Whether a member begins with these bytes, as far as there are any: of one that was cut off
    /// there may be a single one.
    func beginsMember(_ bytes: Span<UInt8>) -> Bool {
        switch self {
        case .gzip: agree(bytes, [0x1F, 0x8B])
        case .zlib: !bytes.isEmpty && bytes[0] & 0x0F == 8
        case .xz: agree(bytes, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00])
        case .bzip2: agree(bytes, [0x42, 0x5A, 0x68])
        case .zstd:
            // A frame, or one to skip, whose first byte ends in any four bits (RFC 8878, 3.1.2).
            agree(bytes, [0x28, 0xB5, 0x2F, 0xFD])
                || !bytes.isEmpty && agree(bytes, [0x50 | bytes[0] & 0x0F, 0x2A, 0x4D, 0x18])
        }
    }
}

private func agree(_ bytes: Span<UInt8>, _ signature: [UInt8]) -> Bool {
    for index in 0..<min(bytes.count, signature.count) where bytes[index] != signature[index] {
        return false
    }
    return true
}
