import Bytes
import CArchive
import Glibc
import Platform

/// The state of reading an archive with libarchive.
struct ArchivePosition {
    private let handle: ArchiveHandle
    /// Nil for a file that is not an archive.
    private let format: ArchiveFormat?
    private let source: ByteSource
    private let limits: ArchiveLimits
    private var number = 0
    /// Whether the current file has unread bytes.
    private var isInFile = false
    private var isOver = false
    private var problem: ArchiveError?
    private var name = ""
    private(set) var isFileWhole = true
    /// Offsets that are within no whole file so far, in order.
    private(set) var starts: [Int]
    private(set) var hasProblems = false
    /// The offset of the current header.
    private var offset = 0
    /// The number of bytes decompressed, and of those that were skipped.
    private var count = 0
    private var skipped = 0
    private var saysEncrypted = false
    /// Whether it is a library of object code. libarchive cannot read the long names of Microsoft's.
    private var isLibrary = false

    init(
        _ source: ByteSource, _ format: ArchiveFormat, _ limits: ArchiveLimits, starts: [Int] = []
    ) throws(ArchiveFailure) {
        guard let handle = ArchiveHandle(source, format) else { throw .archive(.noLibrary) }
        self.handle = handle
        self.format = format
        self.source = source
        self.limits = limits
        self.starts = starts
    }

    /// A file that is not an archive, with its contents as the only file.
    init(
        _ source: ByteSource, _ filter: FilteredBytes.Filter, _ limits: ArchiveLimits
    ) throws(ArchiveFailure) {
        guard let handle = ArchiveHandle(source, filter) else { throw .archive(.noLibrary) }
        self.handle = handle
        self.format = nil
        self.source = source
        self.limits = limits
        starts = []
    }

    /// The number of bytes of the archive that were read.
    var readCount: Int { handle.input.count }

    mutating func next() throws(FileError) -> FoundEntry? {
        try skipFile()
        if number > 0, isFileWhole {
            let file = offset..<max(offset, handle.position)
            starts.removeAll(where: file.contains)
        }
        if let problem = problem.take() { return .problem(problem) }
        while !isOver {
            let code = handle.nextHeader()
            if let failure = handle.input.failure { throw failure }
            guard code == Int(ARCHIVE_OK) || code == Int(ARCHIVE_WARN) else { return finish(code) }
            offset = handle.headerPosition
            if let start = starts.first, offset >= start {
                isOver = true
                return nil
            }
            guard handle.isFile else { continue }
            // Without a filter, libarchive would return the bytes as they are.
            guard format != nil || handle.isFiltered else {
                isOver = true
                return .problem(.damagedHeader(offset: 0))
            }
            if handle.isEncrypted {
                guard !saysEncrypted else { continue }
                saysEncrypted = true
                return .encrypted
            }
            name = handle.name
            // The first member of a library is the table of its symbols.
            if format == .ar, number == 0, name.utf8.elementsEqual("/".utf8) { isLibrary = true }
            if let refusal = try refusal() { return .problem(refusal) }
            number += 1
            (isInFile, isFileWhole) = (true, true)
            return .file(name: name, size: handle.size, number: number)
        }
        return nil
    }

    /// Reads from the body of a file; 0 at its end, or if it is no longer the current one.
    mutating func read(
        _ number: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> Int {
        guard number == self.number, isInFile, buffer.count > 0 else { return 0 }
        let got = unsafe handle.read(into: buffer)
        if let failure = handle.input.failure { throw failure }
        guard got > 0 else {
            isInFile = false
            if got < 0 { fail(got) }
            return 0
        }
        count += got
        if count > limits.total {
            stop(.totalTooLarge(limit: limits.total))
            return 0
        }
        if count > limits.ratioFloor, (count - 1) / max(readCount, 1) >= limits.ratio {
            stop(.ratioTooHigh(limit: limits.ratio))
            return 0
        }
        return got
    }

    mutating func takeSkipped() -> Int {
        defer { skipped = 0 }
        return skipped
    }

    /// Skips the rest of the current file. In formats that compress several files together,
    /// libarchive would decompress it without limit, so it is read.
    private mutating func skipFile() throws(FileError) {
        guard isInFile else { return }
        switch format {
        case .cpio, .ar, .iso:
            isInFile = false
            let code = handle.skip()
            if let failure = handle.input.failure { throw failure }
            if code < Int(ARCHIVE_WARN) { fail(code) }
        default:
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)
            defer { unsafe buffer.deallocate() }
            while isInFile { skipped += try unsafe read(number, into: buffer) }
            // Nobody needed it.
            if !isOver { problem = nil }
        }
    }

    /// Ends the archive, at its end or at damage.
    private mutating func finish(_ code: Int) -> FoundEntry? {
        isOver = true
        if handle.input.isCutByHole {
            hasProblems = true
            return .problem(.truncated)
        }
        // The directory of a ZIP archive follows, which was found to be damaged.
        if code == Int(ARCHIVE_EOF) || isLibrary { return nil }
        hasProblems = true
        return handle.hasEncryptedEntries ? .encrypted : .problem(error(code))
    }

    /// Why the current file cannot be read; nil if it can.
    private mutating func refusal() throws(FileError) -> ArchiveError? {
        guard format == .zip else { return nil }
        // libarchive also decompresses LZMA and PPMd, without a limit on memory.
        let header = LittleEndian(try source.bytes(at: offset, count: 10))
        guard let flags = header.two(6), let method = header.two(8) else {
            isOver = true
            return .truncated
        }
        if method == 0 || method == 8 { return nil }
        // The size is behind the data, which would have to be decompressed.
        if flags & 8 != 0 {
            isOver = true
        } else {
            _ = handle.skip()
        }
        return .unsupportedCompression(name: name)
    }

    /// Notes why the current file could not be read completely.
    private mutating func fail(_ code: Int) {
        (isFileWhole, hasProblems) = (false, true)
        if code == Int(ARCHIVE_FATAL) {
            stop(error(code))
        } else {
            problem = .damagedFile(name: name, reason: handle.errorText)
        }
    }

    private mutating func stop(_ error: ArchiveError) {
        (isInFile, isOver, isFileWhole) = (false, true, false)
        hasProblems = true
        problem = error
    }

    private func error(_ code: Int) -> ArchiveError {
        if handle.errorNumber == ENOMEM { return .outOfMemory }
        guard let format else { return .damagedFile(name: name, reason: handle.errorText) }
        if handle.input.isAtEnd { return .truncated }
        return .damaged(format, reason: handle.errorText)
    }
}
