import Bytes
import Glibc

/// A message that came on a stream, kept until it is known whether a pass may be in it: in memory if it
/// is small, in an unlinked file if it is not.
struct KeptMessage: ~Copyable {
    /// How much of it is kept in memory, in bytes. Few messages have more.
    private static let beginningLength = 256 << 10

    private let stream: FileDescriptor
    private let spool: SpoolPolicy
    private var beginning: [UInt8] = []
    /// All of it, if it has more than its beginning.
    private var file: FileDescriptor?

    init(_ stream: FileDescriptor, spool: SpoolPolicy) {
        self.stream = stream
        self.spool = spool
    }

    deinit { file?.close() }

    /// Reads the stream to its end.
    mutating func read() throws(FileError) {
        beginning = try stream.readArray(count: KeptMessage.beginningLength)
        if beginning.count == KeptMessage.beginningLength { try spoolRest() }
    }

    /// The message, to be read once.
    func source() throws(FileError) -> ByteSource {
        guard let file else { return ByteSource(stream: stream, prefix: beginning) }
        try file.seek(to: beginning.count)
        return ByteSource(stream: file, prefix: beginning)
    }

    /// The message as a file that is to be read from its beginning.
    mutating func wholeFile() throws(FileError) -> FileDescriptor {
        let whole: FileDescriptor
        if let file { whole = file } else { whole = try newFile() }
        file = whole
        try whole.seek(to: 0)
        return whole
    }

    private mutating func spoolRest() throws(FileError) {
        let file = try newFile()
        self.file = file
        while true {
            let piece = try stream.readArray(count: KeptMessage.beginningLength)
            if piece.isEmpty { return }
            try file.writeAll(piece.span)
        }
    }

    private func newFile() throws(FileError) -> FileDescriptor {
        let file = try FileDescriptor.temporary(inOneOf: spool.directories)
        do throws(FileError) {
            try file.writeAll(beginning.span)
        } catch {
            file.close()
            throw error
        }
        return file
    }
}

extension FileDescriptor {
    /// The next bytes: `count` of them, fewer at the end.
    fileprivate func readArray(count: Int) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(FileError) {
                while filled < count {
                    let rest = unsafe UnsafeMutableRawBufferPointer(
                        UnsafeMutableBufferPointer(rebasing: buffer[filled...]))
                    let got = try unsafe read(into: rest)
                    guard got > 0 else { break }
                    filled += got
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    fileprivate func seek(to offset: Int) throws(FileError) {
        guard lseek(number, off_t(offset), SEEK_SET) >= 0 else {
            throw FileError(operation: "read", code: errno)
        }
    }
}
