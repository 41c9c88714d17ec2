/// What ended the reading of compressed bytes before their end, or what follows that end. All that
/// comes before it was read.
package enum CompressionError: Error, Equatable, CustomStringConvertible {
    /// The damage lies before the offset, which counts compressed bytes.
    case damaged(CompressionFormat, offset: Int, String)
    case truncated(CompressionFormat)
    /// Everything was read, and at the offset, in compressed bytes, there is something else.
    case trailingGarbage(CompressionFormat, offset: Int)
    case unsupported(CompressionFormat, String)
    case memoryTooLarge(limit: Int)
    case ratioTooHigh(limit: Int)
    case totalTooLarge(limit: Int)
    /// The system has none left, whatever the limits.
    case outOfMemory

    package var description: String {
        switch self {
        case .damaged(let format, let offset, let reason):
            "the \(format.rawValue) data is damaged before byte \(offset): \(reason)"
        case .truncated(let format): "the \(format.rawValue) data ends too early"
        case .trailingGarbage(let format, let offset):
            "from byte \(offset) on, what follows the \(format.rawValue) data is something else"
        case .unsupported(let format, let reason):
            "the \(format.rawValue) data is compressed in an unsupported way: \(reason)"
        case .memoryTooLarge(let limit): "decompressing takes more memory than \(limit) bytes"
        case .ratioTooHigh(let limit): "it decompresses to more than \(limit) times its size"
        case .totalTooLarge(let limit): "it decompresses to more than \(limit) bytes"
        case .outOfMemory: "there is no memory left to decompress it"
        }
    }
}
