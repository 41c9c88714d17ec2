import CLzma

/// Decompresses xz streams, lzip members and streams of LZMA alone with liblzma.
@safe struct LZMADecoder: Decoder, ~Copyable {
    enum Container {
        case xz, lzip, alone
    }

    private let stream: UnsafeMutablePointer<lzma_stream>
    private let container: Container
    private let memory: Int

    /// - Parameter memory: The memory limit in bytes.
    init(_ container: Container, memory: Int) {
        self.container = container
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: lzma_stream())
        self.memory = memory
    }

    deinit {
        unsafe lzma_end(stream)
        unsafe stream.deallocate()
    }

    mutating func begin() -> DecoderStep.Status {
        // Starting again reuses the memory.
        let limit = UInt64(max(memory, 1))
        let code =
            switch container {
            case .xz: unsafe lzma_stream_decoder(stream, limit, 0)
            case .lzip: unsafe lzma_lzip_decoder(stream, limit, 0)
            case .alone: unsafe lzma_alone_decoder(stream, limit)
            }
        return outcome(code)
    }

    mutating func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> DecoderStep {
        unsafe stream.pointee.next_in = input.assumingMemoryBound(to: UInt8.self).baseAddress
        unsafe stream.pointee.avail_in = input.count
        unsafe stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self).baseAddress
        unsafe stream.pointee.avail_out = output.count
        let code = unsafe lzma_code(stream, LZMA_RUN)
        return unsafe DecoderStep(
            taken: input.count - stream.pointee.avail_in,
            made: output.count - stream.pointee.avail_out, outcome: outcome(code))
    }

    private func outcome(_ code: lzma_ret) -> DecoderStep.Status {
        switch code {
        // LZMA_BUF_ERROR: no progress was possible with these buffers.
        case LZMA_OK, LZMA_BUF_ERROR: .goesOn
        case LZMA_STREAM_END: .endsMember
        case LZMA_MEM_ERROR: .outOfMemory
        case LZMA_MEMLIMIT_ERROR: .needsMoreMemory
        case LZMA_OPTIONS_ERROR: .unsupported(.unknownOptions)
        case LZMA_FORMAT_ERROR: .damaged(.noHeader)
        case LZMA_DATA_ERROR: .damaged(.wrongData)
        default: .damaged(.code(Int(code.rawValue)))
        }
    }
}
