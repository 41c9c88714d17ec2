/// A decoder of members: a gzip member, an xz stream, a zstd frame or a bzip2 stream.
protocol Decoder: ~Copyable {
    /// Must be called before each member.
    mutating func begin() -> DecoderStep.Status

    /// Decompresses part of the member. On failure, the step includes the output produced before.
    mutating func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> DecoderStep
}

/// The result of one call.
struct DecoderStep {
    /// The number of input bytes consumed.
    var taken: Int
    /// The number of output bytes produced.
    var made: Int
    var outcome: Status

    enum Status {
        case goesOn, endsMember
        case damaged(CompressionError.Reason)
        case unsupported(CompressionError.Reason)
        case needsMoreMemory
        case outOfMemory
    }
}

extension CompressionFormat {
    /// Nil if libarchive decompresses the format.
    func decoder(_ limits: CompressionLimits) -> (any Decoder & ~Copyable)? {
        switch self {
        case .gzip, .zlib: GzipDecoder()
        case .deflate: GzipDecoder(isPlain: true)
        case .xz: LZMADecoder(.xz, memory: limits.memory)
        case .lzma: LZMADecoder(.alone, memory: limits.memory)
        case .lzip: LZMADecoder(.lzip, memory: limits.memory)
        case .zstd: ZstdDecoder(memory: limits.memory)
        case .bzip2: Bzip2Decoder()
        case .lz4, .compress: nil
        }
    }
}
