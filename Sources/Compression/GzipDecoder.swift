import CZlib

/// Decompresses zlib streams (RFC 1950), gzip members (RFC 1952) and plain DEFLATE (RFC 1951) with
/// zlib.
@safe struct GzipDecoder: Decoder, ~Copyable {
    /// On the heap, because zlib's state contains a pointer to it.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isOpen = false

    private let windowBits: CInt

    /// - Parameter isPlain: Whether the streams have no header.
    init(isPlain: Bool = false) {
        // 15 for the largest window, 32 for automatic header detection, negative for no header.
        windowBits = isPlain ? -15 : 15 + 32
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
    }

    deinit {
        if isOpen { unsafe inflateEnd(stream) }
        unsafe stream.deallocate()
    }

    mutating func begin() -> DecoderStep.Status {
        let size = unsafe CInt(MemoryLayout<z_stream>.size)
        let code =
            unsafe isOpen
            ? inflateReset(stream) : inflateInit2_(stream, windowBits, ZLIB_VERSION, size)
        if code == Z_OK { isOpen = true }
        return outcome(code)
    }

    mutating func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> DecoderStep {
        let inputCount = UInt32(clamping: input.count)
        let outputCount = UInt32(clamping: output.count)
        // zlib does not write to its input; the type is const only with ZLIB_CONST.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.assumingMemoryBound(to: UInt8.self).baseAddress)
        unsafe stream.pointee.avail_in = inputCount
        unsafe stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self).baseAddress
        unsafe stream.pointee.avail_out = outputCount
        let code = unsafe inflate(stream, Z_NO_FLUSH)
        return unsafe DecoderStep(
            taken: Int(inputCount - stream.pointee.avail_in),
            made: Int(outputCount - stream.pointee.avail_out), outcome: outcome(code))
    }

    private func outcome(_ code: CInt) -> DecoderStep.Status {
        switch code {
        // Z_BUF_ERROR: no progress was possible with these buffers.
        case Z_OK, Z_BUF_ERROR: return .goesOn
        case Z_STREAM_END: return .endsMember
        case Z_MEM_ERROR: return .outOfMemory
        default:
            guard let reason = unsafe stream.pointee.msg else { return .damaged(.code(Int(code))) }
            return .damaged(.words(unsafe String(cString: reason)))
        }
    }
}
