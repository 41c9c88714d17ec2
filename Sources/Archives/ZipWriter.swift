internal import Glibc
internal import Platform

/// Writes a ZIP archive in memory. The same files give the same bytes: entries are in the order in
/// which they are added, and all have the date 1980-01-01, the first that ZIP can express.
///
/// libzip takes a fifth of the time of signing a pass, mostly for memory that it allocates for each
/// file, which also keeps threads waiting for each other.
package struct ZipWriter {
    private var entries: [UInt8] = []
    private var directory: [UInt8] = []
    private var names: Set<String> = []
    /// The number of bytes before the next entry.
    private var offset = 0

    /// - Parameter capacity: The expected size of the archive, in bytes.
    package init(capacity: Int = 0) {
        entries.reserveCapacity(capacity)
    }

    /// Adds a file.
    ///
    /// - Throws: `ZipError` if the name occurs twice, or the archive would need the larger numbers
    ///   of ZIP64, which passes do not have.
    package mutating func add(_ file: PackedFile) throws(ZipError) {
        // A regular file that all may read and write.
        entries += try begin(
            file.name, method: file.isDeflated ? 8 : 0, checksum: file.checksum,
            compressedSize: file.contents.count, size: file.size, mode: 0o100666)
        entries += file.contents
    }

    /// Adds an uncompressed file whose contents the writer does not hold.
    ///
    /// - Returns: The local header. The caller writes it and then the contents, and what `finish`
    ///   returns after all of them.
    package mutating func begin(
        _ name: String, size: Int, checksum: UInt32, mode: UInt16
    ) throws(ZipError) -> [UInt8] {
        try begin(
            name, method: 0, checksum: checksum, compressedSize: size, size: size, mode: mode)
    }

    private mutating func begin(
        _ text: String, method: UInt16, checksum: UInt32, compressedSize: Int, size: Int,
        mode: UInt16
    ) throws(ZipError) -> [UInt8] {
        guard names.insert(text).inserted else { throw .duplicateName(text) }
        let name = Array(text.utf8)
        guard let start = UInt32(exactly: offset), let stored = UInt32(exactly: compressedSize),
            let count = UInt32(exactly: size), let nameCount = UInt16(exactly: name.count)
        else { throw .tooLarge }

        // The fields that both headers have (APPNOTE 4.3.7 and 4.3.12).
        var fields: [UInt8] = []
        fields.reserveCapacity(26)
        fields.append(UInt16(20))
        // Names that are not ASCII are UTF-8 (APPNOTE 4.4.4, bit 11).
        fields.append(name.allSatisfy { $0 < 0x80 } ? UInt16(0) : 1 << 11)
        fields.append(method)
        // The year counts from 1980 in the upper seven bits, followed by month and day.
        fields.append(UInt16(0))
        fields.append(UInt16(1 << 5 | 1))
        fields.append(checksum)
        fields.append(stored)
        fields.append(count)
        fields.append(nameCount)
        fields.append(UInt16(0))

        directory.append(UInt32(0x0201_4b50))
        // Made on Unix, for the attributes.
        directory.append(UInt16(3 << 8 | 20))
        directory += fields
        directory.append(UInt16(0))
        directory.append(UInt16(0))
        directory.append(UInt16(0))
        directory.append(UInt32(mode) << 16)
        directory.append(start)
        directory += name

        var header: [UInt8] = []
        header.append(UInt32(0x0403_4b50))
        header += fields
        header += name
        offset += header.count + compressedSize
        return header
    }

    /// The archive, with which the writer is finished. One without entries is an error.
    package mutating func finish() throws(ZipError) -> [UInt8] {
        guard let count = UInt16(exactly: names.count), count > 0,
            let start = UInt32(exactly: offset), let size = UInt32(exactly: directory.count)
        else { throw .tooLarge }
        var archive: [UInt8] = []
        swap(&archive, &entries)
        archive += directory
        // The end of the directory (APPNOTE 4.3.16), on the only disk, without a comment.
        archive.append(UInt32(0x0605_4b50))
        archive.append(UInt32(0))
        archive.append(count)
        archive.append(count)
        archive.append(size)
        archive.append(start)
        archive.append(UInt16(0))
        return archive
    }
}

extension [UInt8] {
    /// In little-endian order.
    fileprivate mutating func append(_ value: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}

extension ZipError {
    fileprivate static let tooLarge = ZipError.file(FileError(.write, EFBIG))
}
