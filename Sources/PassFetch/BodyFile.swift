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

    /// Opens the file and truncates it to `offset`. Locks its second byte while it may be written
    /// to. If the controlling process is killed, a process that takes over the download waits for
    /// that lock.
    init(_ name: String, in folder: String, from offset: Int) throws(FetchFailure) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let number = unsafe open("\(folder)/\(name)", flags, 0o600)
        guard number >= 0 else { throw FetchFailure(.file(FileError(.open, errno))) }
        guard BodyFile.lock(number), ftruncate(number, off_t(offset)) == 0 else {
            let failure = FetchFailure(.file(FileError(.lock, errno)))
            close(number)
            throw failure
        }
        file = FileDescriptor(number)
        size = offset
    }

    deinit { file.close() }

    /// An open file description lock, which ends when the file is closed.
    private static func lock(_ number: CInt) -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 1
        lock.l_len = 1
        // F_OFD_SETLK of <fcntl.h>, which Glibc does not export to Swift.
        return unsafe fcntl(number, 37, &lock) == 0
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(FetchFailure) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let got = unsafe pwrite(file.number, rest.baseAddress, rest.count, off_t(size))
            if got > 0 {
                size += got
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(got))
            } else if got == 0 || errno != EINTR {
                throw FetchFailure(.file(FileError(.write, got == 0 ? EIO : errno)))
            }
        }
    }
}
