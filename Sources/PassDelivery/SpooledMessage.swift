import Bytes
import Glibc

/// A message that came on a stream, kept until it is known whether a pass may be in it: in memory if it
/// is small, in an unlinked file if it is not.
///
/// What goes wrong while it is read is kept too: all that came can still be handed on.
struct SpooledMessage: ~Copyable {
    /// How much of it is kept in memory, in bytes. Few messages have more.
    private static let pieceLength = 256 << 10

    /// Why it is not whole; nil if it is.
    private(set) var failure: FileError?
    /// Its first bytes; all of them, if there is no file.
    private(set) var beginning: [UInt8] = []

    private let stream: FileDescriptor
    /// Folders that the file may be in, as far as they were not tried.
    private var places: ArraySlice<String>
    /// One more, asked for when no other would do.
    private var lastPlace: (() -> String?)?
    /// The message from its first byte on.
    private var file: FileDescriptor?
    /// How much of it is in the file, in bytes.
    private var filed = 0
    /// What was read and could not be written to the file.
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

    /// Reads the stream to its end, or as far as that can be done.
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

    /// The message for one who may only read it, and what of this is an open file.
    func readOnly() -> (source: ByteSource, file: FileDescriptor?) {
        guard let file else { return (ByteSource(SpooledBytes(beginning)), nil) }
        let again = try? FileDescriptor.open("/proc/self/fd/\(file.number)", O_RDONLY)
        return (ByteSource(file: again ?? file, size: filed), again ?? file)
    }

    /// The message as a file that is to be read from its beginning.
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

    /// Hands on every byte that came, and what of the stream is still to come where it could not be kept.
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

    /// The next bytes; fewer than a whole piece only at the end.
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

    /// Writes what was read to the file; where that cannot be, to a file in another place.
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

    /// Has the file in another folder from here on.
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

    /// Hands on what is in the file.
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
