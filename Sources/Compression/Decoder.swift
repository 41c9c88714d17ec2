/// A library that decompresses one member after the other: a gzip member, an xz stream, a zstd
/// frame, a bzip2 stream.
protocol Decoder: ~Copyable {
    /// Has to come before each member.
    mutating func begin() -> DecoderStep.Status

    /// Decompresses some bytes of the member. What was made before a failure is in the step.
    mutating func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> DecoderStep
}

/// What one call did.
struct DecoderStep {
    /// How many bytes of the input were used up.
    var taken: Int
    /// How many bytes of the output are new.
    var made: Int
    var outcome: Status

    enum Status {
        case goesOn, endsMember
        case damaged(String)
        case unsupported(String)
        case needsMoreMemory
        case outOfMemory
    }
}

extension CompressionFormat {
    func decoder(_ limits: CompressionLimits) -> any Decoder & ~Copyable {
        switch self {
        case .gzip, .zlib: GzipDecoder()
        case .xz: XZDecoder(memory: limits.memory)
        case .zstd: ZstdDecoder(memory: limits.memory)
        case .bzip2: Bzip2Decoder()
        }
    }
}
