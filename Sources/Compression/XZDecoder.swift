import CLzma

/// Decompresses xz streams with liblzma.
@safe struct XZDecoder: Decoder, ~Copyable {
    private let stream: UnsafeMutablePointer<lzma_stream>
    private let memory: Int

    /// - Parameter memory: The memory limit in bytes.
    init(memory: Int) {
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
        unsafe outcome(lzma_stream_decoder(stream, UInt64(max(memory, 1)), 0))
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
