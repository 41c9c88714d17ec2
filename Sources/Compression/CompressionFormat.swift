package import Bytes

/// The compression format of a file; the raw value is its common name.
package enum CompressionFormat: String, Sendable, Codable {
    case gzip, xz, zstd, bzip2, lz4, lzma, lzip
    /// The format of the program `compress`.
    case compress
    /// RFC 1950. It has no signature, so only the context identifies it.
    case zlib
    /// RFC 1951, likewise.
    case deflate

    /// Nil if the signature is not that of a compressed stream.
    package init?(_ signature: FileSignature) {
        switch signature {
        case .gzip: self = .gzip
        case .xz: self = .xz
        case .zstd: self = .zstd
        case .bzip2: self = .bzip2
        case .lz4: self = .lz4
        case .lzma: self = .lzma
        case .lzip: self = .lzip
        case .compress: self = .compress
        default: return nil
        }
    }

    /// The number of bytes that `beginsMember` examines.
    static let signatureLength = 6

    /// Whether these bytes begin a member. If there are fewer than a signature, they may be its
    /// beginning, since the last member may be truncated.
    func beginsMember(_ bytes: Span<UInt8>) -> Bool {
        switch self {
        case .gzip: agree(bytes, FileSignature.gzip.magic)
        case .deflate: false
        case .zlib: !bytes.isEmpty && bytes[0] & 0x0F == 8
        case .xz: agree(bytes, FileSignature.xz.magic)
        case .bzip2: agree(bytes, FileSignature.bzip2.magic)
        case .lzip: agree(bytes, FileSignature.lzip.magic)
        // A file has one stream, and libarchive finds the next frame of LZ4.
        case .lzma, .lz4, .compress: false
        case .zstd:
            // A frame or a skippable frame, whose first byte has any low four bits (RFC 8878,
            // 3.1.2).
            agree(bytes, FileSignature.zstd.magic)
                || !bytes.isEmpty
                    && agree(bytes, [0x50 | bytes[0] & 0x0F] + FileSignature.skippableFrame)
        }
    }
}

private func agree(_ bytes: Span<UInt8>, _ signature: [UInt8]) -> Bool {
    for index in 0..<min(bytes.count, signature.count) where bytes[index] != signature[index] {
        return false
    }
    return true
}
