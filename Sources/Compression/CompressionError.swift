/// Why decompression ended early, or what follows the compressed data. All data before it was read.
package enum CompressionError: Error, Hashable, Codable {
    /// The damage is before `offset`, in compressed bytes.
    case damaged(CompressionFormat, offset: Int, Reason)
    case truncated(CompressionFormat)
    /// All data was read; other data follows at `offset`, in compressed bytes.
    case trailingGarbage(CompressionFormat, offset: Int)
    case unsupported(CompressionFormat, Reason)
    case memoryTooLarge(limit: Int)
    case ratioTooHigh(limit: Int)
    case totalTooLarge(limit: Int)
    /// Allocation failed, although within the limits.
    case outOfMemory

    /// Whether the compressed data is damaged.
    package var isDamage: Bool {
        switch self {
        case .damaged(_, _, .noLibrary): false
        case .damaged, .truncated, .trailingGarbage: true
        case .unsupported, .memoryTooLarge, .ratioTooHigh, .totalTooLarge, .outOfMemory: false
        }
    }

    /// The reason given by the decompression library.
    package enum Reason: Hashable, Sendable, Codable {
        case noHeader
        /// A block is damaged, or a checksum does not match.
        case wrongData
        /// The library neither consumes nor produces bytes.
        case stuck
        case unknownOptions
        /// libarchive is not installed.
        case noLibrary
        /// An error code of the library without a message.
        case code(Int)
        /// The library's error message.
        case words(String)
    }
}
