import Bytes
import Compression

/// A compressed file gives the same bytes however it is read, and stays within the limits.
func fuzzCompression(_ input: Input) {
    var input = input
    let format = FileSignature(input.bytes.span).flatMap(CompressionFormat.init) ?? .zlib
    let limits = smallLimits
    let whole = Decompressed(ByteSource(SpooledBytes(input.bytes)), format, bufferSize: 64 << 10)
    expect(whole.bytes.count <= limits.total, "\(whole.bytes.count) bytes come out")
    // The ratio is checked after each buffer.
    let most = max(limits.ratioFloor, input.bytes.count * limits.ratio) + 64 << 10
    expect(whole.bytes.count <= most, "\(input.bytes.count) bytes give \(whole.bytes.count)")

    let stream = ShortReads(input.bytes, of: input.number(in: 1..<64))
    let size = input.number(in: 1..<300)
    let split = Decompressed(ByteSource(stream: stream), format, bufferSize: size)
    guard !whole.isOverLimit, !split.isOverLimit else { return }
    expect(whole == split, "in pieces it gives \(split), at once \(whole)")
}

private let smallLimits: CompressionLimits = {
    var limits = CompressionLimits()
    limits.memory = 4 << 20
    limits.ratio = 50
    limits.ratioFloor = 64 << 10
    limits.total = 512 << 10
    return limits
}()

private struct Decompressed: Equatable, CustomStringConvertible {
    let bytes: [UInt8]
    private let failure: CompressionError?

    init(_ source: ByteSource, _ format: CompressionFormat, bufferSize: Int) {
        let decompressor = Decompressor(source, format, limits: smallLimits)
        bytes = decompressor.bytes(bufferSize: bufferSize, limit: smallLimits.total)
        failure = decompressor.failure
    }

    /// The position at which a decoder detects damage depends on the buffer size, and libbz2 drops
    /// output that it has just written.
    static func == (one: Decompressed, other: Decompressed) -> Bool {
        if case .damaged(_, _, let reason) = one.failure,
            case .damaged(_, _, let otherReason) = other.failure
        {
            return reason == otherReason
                && (one.bytes.starts(with: other.bytes) || other.bytes.starts(with: one.bytes))
        }
        return one.bytes == other.bytes && one.failure == other.failure
    }

    /// The position at which a limit is exceeded depends on the buffer size.
    var isOverLimit: Bool {
        switch failure {
        case .ratioTooHigh, .totalTooLarge: true
        default: false
        }
    }

    var description: String { "\(bytes.count) bytes, \(failure.map { "\($0)" } ?? "no error")" }
}
