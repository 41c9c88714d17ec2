import CZstd

/// Decompresses Zstandard frames (RFC 8878) with libzstd.
@safe struct ZstdDecoder: Decoder, ~Copyable {
    private let handle: OpaquePointer?

    /// - Parameter memory: The largest window that a frame may need, in bytes.
    init(memory: Int) {
        unsafe handle = ZSTD_createDCtx()
        // libzstd takes the window size as a power of two.
        let bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax)
        let log = CInt(Int.bitWidth - 1 - max(memory, 1).leadingZeroBitCount)
        unsafe ZSTD_DCtx_setParameter(
            handle, ZSTD_d_windowLogMax, min(max(log, bounds.lowerBound), bounds.upperBound))
    }

    deinit { unsafe ZSTD_freeDCtx(handle) }

    mutating func begin() -> DecoderStep.Status {
        unsafe handle == nil ? .outOfMemory : .goesOn
    }

    /// When libzstd fails, it does not report how many bytes it has written. Therefore no call both
    /// reads and writes: a call gets either output space and no input, or input (of which it reads
    /// at most one block) and no output space.
    mutating func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> DecoderStep {
        var step = unsafe call(UnsafeRawBufferPointer(rebasing: input[..<0]), output)
        guard case .goesOn = step.outcome, step.made == 0 else { return step }
        step = unsafe call(input, UnsafeMutableRawBufferPointer(rebasing: output[..<0]))
        guard case .goesOn = step.outcome else { return step }
        let flushed = unsafe call(UnsafeRawBufferPointer(rebasing: input[..<0]), output)
        return DecoderStep(taken: step.taken, made: flushed.made, outcome: flushed.outcome)
    }

    private func call(
        _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) -> DecoderStep {
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var room = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let code = unsafe ZSTD_decompressStream(handle, &room, &source)
        return unsafe DecoderStep(taken: source.pos, made: room.pos, outcome: outcome(code))
    }

    private func outcome(_ code: Int) -> DecoderStep.Status {
        if code == 0 { return .endsMember }
        guard ZSTD_isError(code) != 0 else { return .goesOn }
        let reason = unsafe String(cString: ZSTD_getErrorName(code))
        switch ZSTD_getErrorCode(code) {
        case ZSTD_error_frameParameter_windowTooLarge: return .needsMoreMemory
        case ZSTD_error_memory_allocation: return .outOfMemory
        case ZSTD_error_frameParameter_unsupported, ZSTD_error_version_unsupported,
            ZSTD_error_dictionary_wrong, ZSTD_error_dictionary_corrupted:
            return .unsupported(.words(reason))
        default: return .damaged(.words(reason))
        }
    }
}
