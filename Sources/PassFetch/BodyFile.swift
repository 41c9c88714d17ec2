internal import Fetching
import Glibc
import Platform

/// The file that a body is written to, from an offset on.
struct BodyFile: ~Copyable {
    private let file: FileDescriptor
    /// The number of bytes of the body in the file.
    private(set) var size: Int

    /// Whether a name is a plain file name without folders.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }

    /// The size of a file in bytes; 0 if it does not exist.
    static func size(of name: String, in folder: String) -> Int {
        var status = stat()
        guard unsafe lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return 0 }
        return Int(status.st_size)
    }

    /// Opens the file and truncates it to `offset`. Locks it while it may be written to.
    init(_ name: String, in folder: String, from offset: Int) throws(FetchFailure) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let number = unsafe open("\(folder)/\(name)", flags, 0o600)
        guard number >= 0 else { throw FetchFailure(.file(FileError(.open, errno))) }
        let opened = FileDescriptor(number)
        do throws(FileError) {
            guard try opened.lock(DownloadLock.writing, .exclusive) else {
                throw FileError(.lock, EAGAIN)
            }
            try BodyFile.truncate(number, to: offset)
        } catch {
            opened.close()
            throw FetchFailure(.file(error))
        }
        file = opened
        size = offset
    }

    deinit { file.close() }

    /// A file of this size is left alone: after truncation, ext4 writes a file to disk when it is
    /// closed, which takes as long as the fetch.
    private static func truncate(_ number: CInt, to offset: Int) throws(FileError) {
        var status = stat()
        if unsafe fstat(number, &status) == 0, status.st_size == off_t(offset) { return }
        guard ftruncate(number, off_t(offset)) == 0 else { throw FileError(.lock, errno) }
    }

    mutating func append(_ bytes: Span<UInt8>) throws(FetchFailure) {
        var written = 0
        while written < bytes.count {
            let got = unsafe bytes.extracting(written...).withUnsafeBytes { rest in
                unsafe pwrite(file.number, rest.baseAddress, rest.count, off_t(size))
            }
            if got > 0 {
                size += got
                written += got
            } else if got == 0 || errno != EINTR {
                throw FetchFailure(.file(FileError(.write, got == 0 ? EIO : errno)))
            }
        }
    }
}
