/// Why decompression ended early, or what follows the compressed data. All bytes before it were
/// read.
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
    /// Allocation failed, whatever the limits.
    case outOfMemory

    /// What the library that decompresses found.
    package enum Reason: Hashable, Sendable, Codable {
        case noHeader
        /// A block or a checksum is wrong.
        case wrongData
        /// The library neither takes bytes nor makes any.
        case stuck
        case unknownOptions
        /// An error of the library that has a number alone.
        case code(Int)
        /// In the library's own words.
        case words(String)
    }
}
