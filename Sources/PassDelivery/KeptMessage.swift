import Bytes
import Glibc

/// A message that came on a stream, kept until it is known whether a pass may be in it: in memory if it
/// is small, in an unlinked file if it is not.
///
/// What goes wrong while it is read is kept too: all that came can still be handed on.
struct KeptMessage: ~Copyable {
    /// How much of it is kept in memory, in bytes. Few messages have more.
    private static let pieceLength = 256 << 10

    /// Why it is not whole; nil if it is.
    private(set) var failure: FileError?
    /// Its first bytes; all of them, if there is no file.
    private(set) var beginning: [UInt8] = []

    private let stream: FileDescriptor
    private let spool: SpoolPolicy
    /// The message from its first byte on.
    private var file: FileDescriptor?
    /// How much of it is in the file, in bytes.
    private var filed = 0
    /// What was read and could not be written to the file.
    private var unfiled: [UInt8] = []
    private var isAtEnd = false

    init(_ stream: FileDescriptor, spool: SpoolPolicy) {
        self.stream = stream
        self.spool = spool
    }

    deinit { file?.close() }

    /// Reads the stream to its end, or as far as that can be done.
    mutating func read() {
        beginning = nextPiece()
        guard !isAtEnd else { return }
        unfiled = beginning
        do throws(FileError) {
            file = try .temporary(inOneOf: spool.directories)
            try fileAll()
            while !isAtEnd {
                unfiled = nextPiece()
                try fileAll()
            }
        } catch {
            failure = error
        }
    }

    /// The message, to be read once.
    func source() throws(FileError) -> ByteSource {
        guard let file else { return ByteSource(stream: stream, prefix: beginning) }
        try file.seek(to: beginning.count)
        return ByteSource(stream: file, prefix: beginning)
    }

    /// The message as a file that is to be read from its beginning.
    mutating func wholeFile() throws(FileError) -> FileDescriptor {
        if let failure { throw failure }
        if file == nil {
            let new = try FileDescriptor.temporary(inOneOf: spool.directories)
            file = new
            unfiled = beginning
            try fileAll()
        }
        guard let file else { return stream }
        try file.seek(to: 0)
        return file
    }

    /// Hands on every byte that came, and what of the stream is still to come where it could not be kept.
    mutating func passOn(
        _ take: (Span<UInt8>) throws(FileError) -> Void
    ) throws(FileError) {
        if let file {
            var bytes = [UInt8](repeating: 0, count: KeptMessage.pieceLength)
            var offset = 0
            while offset < filed {
                let count = min(bytes.count, filed - offset)
                let got = try file.read(at: offset, count: count, into: &bytes)
                guard got > 0 else { throw FileError(operation: "read", code: EIO) }
                try take(bytes.span.extracting(0..<got))
                offset += got
            }
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
            unsafeUninitializedCapacity: KeptMessage.pieceLength
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
        isAtEnd = bytes.count < KeptMessage.pieceLength
        return bytes
    }

    private mutating func fileAll() throws(FileError) {
        guard let file else { return }
        try file.writeAll(unfiled.span)
        filed += unfiled.count
        unfiled = []
    }
}

extension FileDescriptor {
    fileprivate func read(
        at offset: Int, count: Int, into bytes: inout [UInt8]
    ) throws(FileError) -> Int {
        var got = 0
        var failure: FileError?
        unsafe bytes.withUnsafeMutableBytes { buffer in
            do throws(FileError) {
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
                got = try unsafe read(at: offset, into: room)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return got
    }

    fileprivate func seek(to offset: Int) throws(FileError) {
        guard lseek(number, off_t(offset), SEEK_SET) >= 0 else {
            throw FileError(operation: "read", code: errno)
        }
    }
}
