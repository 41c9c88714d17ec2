import Bytes
import Glibc
import Platform

/// A message read from a stream and stored for searching: in memory if small, otherwise in an
/// unlinked file.
///
/// A read error is stored too, so that all bytes read before it can still be passed on.
struct SpooledMessage: ~Copyable {
    /// The size stored in memory, in bytes; few messages are larger.
    private static let pieceLength = 256 << 10

    /// Why the message is incomplete; nil if it is complete.
    private(set) var failure: FileError?
    /// The first bytes; the whole message if there is no file.
    private(set) var beginning: [UInt8] = []

    private let stream: FileDescriptor
    /// Folders for the file that were not tried yet.
    private var places: ArraySlice<String>
    /// Returns a folder to use if no other works.
    private var lastPlace: (() -> String?)?
    /// The file with the message from its first byte.
    private var file: FileDescriptor?
    /// The number of bytes in the file.
    private var filed = 0
    /// Bytes that were read but could not be written to the file.
    private var unfiled: [UInt8] = []
    private var isAtEnd = false

    init(
        _ stream: FileDescriptor, places: [String], lastPlace: @escaping () -> String? = { nil }
    ) {
        self.stream = stream
        self.places = places[...]
        self.lastPlace = lastPlace
    }

    deinit { file?.close() }

    /// Reads the stream to its end, or until an error.
    mutating func read() {
        beginning = nextPiece()
        guard !isAtEnd else { return }
        unfiled = beginning
        do throws(FileError) {
            try fileAll()
            while !isAtEnd {
                unfiled = nextPiece()
                try fileAll()
            }
        } catch {
            failure = error
        }
    }

    /// A read-only source of the message, and the file it reads from, if any.
    func readOnly() -> (source: ByteSource, file: FileDescriptor?) {
        guard let file else { return (ByteSource(SpooledBytes(beginning)), nil) }
        let again = try? FileDescriptor.open("/proc/self/fd/\(file.number)", O_RDONLY)
        return (ByteSource(file: again ?? file, size: filed), again ?? file)
    }

    /// The message as a file, positioned at its beginning.
    mutating func wholeFile() throws(FileError) -> FileDescriptor {
        if let failure { throw failure }
        if file == nil {
            unfiled = beginning
            try fileAll()
        }
        guard let file else { return stream }
        guard lseek(file.number, 0, SEEK_SET) == 0 else {
            throw FileError(.read, errno)
        }
        return file
    }

    /// Passes on all bytes read, then the rest of the stream if it could not be stored.
    mutating func passOn(
        _ take: (Span<UInt8>) throws(FileError) -> Void
    ) throws(FileError) {
        if file != nil {
            try copyFiled(take)
            try take(unfiled.span)
        } else {
            try take(beginning.span)
        }
        while !isAtEnd { try take(nextPiece().span) }
    }

    /// Reads the next piece; shorter only at the end.
    private mutating func nextPiece() -> [UInt8] {
        var failure: FileError?
        let bytes = unsafe [UInt8](
            unsafeUninitializedCapacity: SpooledMessage.pieceLength
        ) { buffer, filled in
            do throws(FileError) {
                while filled < buffer.count {
                    let rest = unsafe UnsafeMutableRawBufferPointer(
                        UnsafeMutableBufferPointer(rebasing: buffer[filled...]))
                    let got = try unsafe stream.read(into: rest)
                    guard got > 0 else { break }
                    filled += got
                }
            } catch {
                failure = error
            }
        }
        if let failure { self.failure = failure }
        isAtEnd = bytes.count < SpooledMessage.pieceLength
        return bytes
    }

    /// Writes the unwritten bytes to the file; if that fails, moves the file to another folder.
    private mutating func fileAll() throws(FileError) {
        var failure: FileError?
        while true {
            do throws(FileError) {
                if file == nil { try move(to: nextPlace()) }
                try file?.writeAll(unfiled.span)
                filed += unfiled.count
                unfiled = []
                return
            } catch {
                failure = failure ?? error
            }
            var isMoved = false
            while !isMoved, let place = nextPlace() {
                do throws(FileError) {
                    try move(to: place)
                    isMoved = true
                } catch {
                    failure = failure ?? error
                }
            }
            if !isMoved, let failure { throw failure }
        }
    }

    private mutating func nextPlace() -> String? {
        if let place = places.popFirst() { return place }
        defer { lastPlace = nil }
        return lastPlace?()
    }

    /// Copies the file to another folder and continues there.
    private mutating func move(to place: String?) throws(FileError) {
        guard let place else { throw FileError(.makeTemporaryFile, ENOENT) }
        let new = try FileDescriptor.temporary(in: place)
        do throws(FileError) {
            try copyFiled { piece throws(FileError) in try new.writeAll(piece) }
        } catch {
            new.close()
            throw error
        }
        file?.close()
        file = new
    }

    /// Passes on the contents of the file.
    private func copyFiled(
        _ take: (Span<UInt8>) throws(FileError) -> Void
    ) throws(FileError) {
        guard let file else { return }
        let source = ByteSource(file: file, size: filed)
        var offset = 0
        while offset < filed {
            let count = min(SpooledMessage.pieceLength, filed - offset)
            let bytes = try source.bytes(at: offset, count: count)
            guard bytes.count == count else { throw FileError(.read, EIO) }
            try take(bytes.span)
            offset += count
        }
    }
}
