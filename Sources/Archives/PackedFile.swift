/// A file as archives contain it: compressed once, and added to any number of them.
package struct PackedFile: Sendable {
    package let name: String
    /// Compressed, or as they are.
    let contents: [UInt8]
    /// Whether the contents are compressed with DEFLATE (RFC 1951).
    let isDeflated: Bool
    /// Uncompressed, in bytes.
    let size: Int
    /// The CRC-32 of the uncompressed bytes.
    let checksum: UInt32

    package init(
        _ name: String, contents: [UInt8], isDeflated: Bool, size: Int, checksum: UInt32
    ) {
        self.name = name
        self.contents = contents
        self.isDeflated = isDeflated
        self.size = size
        self.checksum = checksum
    }

    /// The size of the contents and of both headers, in bytes.
    package var capacity: Int { contents.count + 2 * name.utf8.count + 76 }
}
