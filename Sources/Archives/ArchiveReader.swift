package import Bytes
package import Platform
import Synchronization

/// Reads an archive sequentially in constant memory.
///
/// Tar archives are read here, and WARC files, of whose records libarchive 3.6 reads too many
/// bytes. For tar, libarchive takes as long (300 MB of mail: 0.07 s), but 1.5 ms to load,
/// stops after the first of several joined archives, and reports each block of damaged data.
package final class ArchiveReader: Sendable {
    private let format: ArchiveFormat
    private let archive: Mutex<Position>

    private enum Position {
        case tar(TarPosition)
        case warc(WARCPosition)
        case other(ArchivePosition)
        case refused(FoundEntry?)
    }

    /// - Parameters:
    ///   - source: Must be seekable if the format needs it.
    ///   - starts: Offsets, in order, at which to stop, unless they are within an intact file.
    package init(
        _ source: ByteSource, _ format: ArchiveFormat, limits: ArchiveLimits = ArchiveLimits(),
        starts: [Int] = []
    ) throws(FileError) {
        self.format = format
        if format == .tar {
            archive = Mutex(.tar(TarPosition(source, limits)))
            return
        }
        if format == .warc {
            archive = Mutex(.warc(WARCPosition(source, limits)))
            return
        }
        if format == .rar, try RAR5Blocks.areEncrypted(source) {
            archive = Mutex(.refused(.encrypted))
            return
        }
        do throws(ArchiveFailure) {
            if format == .sevenZip { try SevenZipHeader.check(source, limits) }
            archive = Mutex(.other(try ArchivePosition(source, format, limits, starts: starts)))
        } catch {
            switch error {
            case .archive(let error): archive = Mutex(.refused(.problem(error)))
            case .encrypted: archive = Mutex(.refused(.encrypted))
            case .file(let error): throw error
            }
        }
    }

    /// Returns the next file or error of the archive; nil at its end.
    ///
    /// Skips the unread rest of the previous file, and entries other than files. After damage in a
    /// tar archive, continues at the next valid header. Throws if the source cannot be read.
    package func next() throws(FileError) -> ArchiveEntry? {
        let found = try archive.withLock { archive throws(FileError) in
            try ArchiveReader.next(&archive)
        }
        switch found {
        case .file(let name, let size, let number):
            let body = ArchiveBody(archive: self, number: number)
            return .file(ArchiveFile(name: name, size: size, body: body))
        case .problem(let error): return .problem(error)
        case .links: return .links
        case .encrypted: return .encrypted(format)
        case nil: return nil
        }
    }

    /// The number of bytes decompressed to skip files since the last call.
    package func takeSkipped() -> Int {
        archive.withLock { archive in
            guard case .other(var position) = archive else { return 0 }
            defer { archive = .other(position) }
            return position.takeSkipped()
        }
    }

    /// The names of the symbolic links in a tar archive that were skipped since the last call.
    package func takeLinks() -> [String] {
        archive.withLock { archive in
            guard case .tar(var position) = archive else { return [] }
            defer { archive = .tar(position) }
            return position.takeLinks()
        }
    }

    /// Those of the given offsets that are not within a file that was read completely.
    package var starts: [Int] {
        archive.withLock { archive in
            if case .other(let position) = archive { position.starts } else { [] }
        }
    }

    /// Whether damage was reported.
    package var hasProblems: Bool {
        archive.withLock { archive in
            if case .other(let position) = archive { position.hasProblems } else { true }
        }
    }

    /// Whether the file read last could be read completely.
    package var isFileWhole: Bool {
        archive.withLock { archive in
            if case .other(let position) = archive { position.isFileWhole } else { true }
        }
    }

    fileprivate func read(
        _ number: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> Int {
        try archive.withLock { archive throws(FileError) in
            switch archive {
            case .tar(var position):
                defer { archive = .tar(position) }
                return try unsafe position.read(number, into: buffer)
            case .warc(var position):
                defer { archive = .warc(position) }
                return try unsafe position.read(number, into: buffer)
            case .other(var position):
                defer { archive = .other(position) }
                return try unsafe position.read(number, into: buffer)
            case .refused:
                return 0
            }
        }
    }

    private static func next(_ archive: inout Position) throws(FileError) -> FoundEntry? {
        switch archive {
        case .tar(var position):
            defer { archive = .tar(position) }
            return try position.next()
        case .warc(var position):
            defer { archive = .warc(position) }
            return try position.next()
        case .other(var position):
            defer { archive = .other(position) }
            return try position.next()
        case .refused(let reason):
            archive = .refused(nil)
            return reason
        }
    }
}

package enum ArchiveEntry: Sendable {
    case file(ArchiveFile)
    case problem(ArchiveError)
    /// Files that need a password, reported once.
    case encrypted(ArchiveFormat)
    /// Many symbolic links, for `takeLinks`.
    case links
}

/// A file in an archive.
package struct ArchiveFile: Sendable {
    /// Including folders; invalid UTF-8 becomes U+FFFD.
    package let name: String
    /// In bytes, from the header, if known there; a truncated file has fewer.
    package let size: Int?
    /// The contents; read them before calling `next` again.
    package let body: any ByteStream
}

/// What the readers of archives find; `number` identifies the file.
enum FoundEntry {
    case file(name: String, size: Int?, number: Int)
    case problem(ArchiveError)
    case encrypted
    case links
}

/// Why an archive cannot be opened.
enum ArchiveFailure: Error {
    case archive(ArchiveError)
    case encrypted
    case file(FileError)
}

/// The bytes of one file.
private struct ArchiveBody: ByteStream {
    let archive: ArchiveReader
    let number: Int

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try unsafe archive.read(number, into: buffer)
    }
}
