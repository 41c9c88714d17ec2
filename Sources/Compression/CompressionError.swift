/// Why decompression ended early, or what follows the compressed data. All bytes before it were
/// read.
package enum CompressionError: Error, Equatable, CustomStringConvertible {
    /// The damage is before `offset`, in compressed bytes.
    case damaged(CompressionFormat, offset: Int, String)
    case truncated(CompressionFormat)
    /// All data was read; other data follows at `offset`, in compressed bytes.
    case trailingGarbage(CompressionFormat, offset: Int)
    case unsupported(CompressionFormat, String)
    case memoryTooLarge(limit: Int)
    case ratioTooHigh(limit: Int)
    case totalTooLarge(limit: Int)
    /// Allocation failed, whatever the limits.
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
