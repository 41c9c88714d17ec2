import CBzip2

/// Decompresses bzip2 streams with libbz2.
@safe struct Bzip2Decoder: Decoder, ~Copyable {
    /// On the heap, because libbz2's state contains a pointer to it.
    private let stream: UnsafeMutablePointer<bz_stream>
    private var isOpen = false

    init() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: bz_stream())
    }

    deinit {
        if isOpen { unsafe BZ2_bzDecompressEnd(stream) }
        unsafe stream.deallocate()
    }

    mutating func begin() -> DecoderStep.Status {
        if isOpen { unsafe BZ2_bzDecompressEnd(stream) }
        let code = unsafe BZ2_bzDecompressInit(stream, 0, 0)
        isOpen = code == BZ_OK
        return outcome(code)
    }

    mutating func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> DecoderStep {
        let inputCount = UInt32(clamping: input.count)
        let outputCount = UInt32(clamping: output.count)
        // libbz2 does not write to its input, although its type is mutable.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.assumingMemoryBound(to: CChar.self).baseAddress)
        unsafe stream.pointee.avail_in = inputCount
        unsafe stream.pointee.next_out = output.assumingMemoryBound(to: CChar.self).baseAddress
        unsafe stream.pointee.avail_out = outputCount
        let code = unsafe BZ2_bzDecompress(stream)
        return unsafe DecoderStep(
            taken: Int(inputCount - stream.pointee.avail_in),
            made: Int(outputCount - stream.pointee.avail_out), outcome: outcome(code))
    }

    private func outcome(_ code: CInt) -> DecoderStep.Status {
        switch code {
        case BZ_OK: .goesOn
        case BZ_STREAM_END: .endsMember
        case BZ_MEM_ERROR: .outOfMemory
        case BZ_DATA_ERROR_MAGIC: .damaged(.noHeader)
        case BZ_DATA_ERROR: .damaged(.wrongData)
        default: .damaged(.code(Int(code)))
        }
    }
}
