internal import Glibc
internal import Platform

/// Files that are compressed once and then added to many archives.
///
/// An archive is a list of entries, followed by a directory with the offset of each (APPNOTE 4.3.6).
/// So the bytes of an entry can be copied into another archive if its offset is changed.
package struct PackedFiles: Sendable {
    private let archive: [UInt8]
    private let entries: [Entry]

    private struct Entry {
        let name: String
        /// The local header and the compressed bytes.
        let contents: Range<Int>
        /// The header in the directory.
        let header: Range<Int>
    }

    /// - Parameters:
    ///   - archive: The files, as `ZipWriter` writes them.
    ///   - names: Their names, in order.
    /// - Throws: If the archive is too large for 32-bit offsets.
    package init(_ archive: [UInt8], names: [String]) throws(ZipError) {
        let parts = try ZipParts(archive)
        let bytes = LittleEndian(archive)
        var headers: [(header: Range<Int>, offset: Int)] = []
        var place = parts.directory.lowerBound
        for _ in names {
            guard let header = DirectoryHeader(bytes, at: place) else { throw .tooLarge }
            headers.append((place..<place + header.size, header.offset))
            place += header.size
        }
        let ends = headers.dropFirst().map(\.offset) + [parts.directory.lowerBound]
        guard place == parts.directory.upperBound, parts.count == names.count,
            zip(headers, ends).allSatisfy({ $0.offset <= $1 })
        else { throw .tooLarge }
        self.archive = archive
        entries = names.indices.map { index in
            Entry(
                name: names[index], contents: headers[index].offset..<ends[index],
                header: headers[index].header)
        }
    }

    /// Another archive with some of these files after its own.
    func added(
        to other: [UInt8], where includes: (_ name: String) -> Bool
    ) throws(ZipError) -> [UInt8] {
        let parts = try ZipParts(other)
        let added = entries.filter { includes($0.name) }
        var joined: [UInt8] = []
        joined.reserveCapacity(other.count + archive.count)
        joined += other[..<parts.directory.lowerBound]
        var offsets: [Int] = []
        for entry in added {
            offsets.append(joined.count)
            joined += archive[entry.contents]
        }
        let start = joined.count
        joined += other[parts.directory]
        for (entry, offset) in zip(added, offsets) {
            let header = joined.count
            joined += archive[entry.header]
            guard let offset = UInt32(exactly: offset) else { throw .tooLarge }
            for index in 0..<4 {
                let byte = UInt8(truncatingIfNeeded: offset >> (8 * index))
                joined[header + DirectoryHeader.offset + index] = byte
            }
        }
        guard let count = UInt16(exactly: parts.count + added.count),
            let size = UInt32(exactly: joined.count - start), let start = UInt32(exactly: start)
        else { throw .tooLarge }
        // The end of the directory (APPNOTE 4.3.16), on the only disk, without a comment.
        joined += littleEndian(ZipParts.signature) + [0, 0, 0, 0]
        joined += littleEndian(count) + littleEndian(count)
        joined += littleEndian(size) + littleEndian(start) + [0, 0]
        return joined
    }
}

/// The place of the directory in an archive that `ZipWriter` wrote.
private struct ZipParts {
    /// In bytes, up to the end record.
    let directory: Range<Int>
    let count: Int

    static let signature: UInt32 = 0x0605_4b50

    init(_ archive: [UInt8]) throws(ZipError) {
        let end = LittleEndian(Array(archive.suffix(22)))
        guard end.four(0) == Int(Self.signature), let count = end.two(10), let size = end.four(12),
            let start = end.four(16), start + size == archive.count - 22
        else { throw .tooLarge }
        directory = start..<start + size
        self.count = count
    }
}

/// A header in the directory (APPNOTE 4.3.12).
private struct DirectoryHeader {
    /// With the name, the extra field and the comment, in bytes.
    let size: Int
    /// That of the local header.
    let offset: Int

    /// The place of `offset` in a header.
    static let offset = 42

    init?(_ bytes: LittleEndian, at place: Int) {
        guard bytes.four(place) == 0x0201_4b50, let name = bytes.two(place + 28),
            let extra = bytes.two(place + 30), let comment = bytes.two(place + 32),
            let offset = bytes.four(place + Self.offset)
        else { return nil }
        size = 46 + name + extra + comment
        self.offset = offset
    }
}

private func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

extension ZipError {
    /// Without ZIP64 records, as Wallet reads archives.
    fileprivate static let tooLarge = ZipError.file(FileError(.write, EFBIG))
}
