internal import Bytes
internal import Foundation
internal import Glibc

/// The file that a body comes into, while it is ours.
///
/// Whose a download is, is a lock of the open file (F_OFD_SETLK) on the first byte: it ends with its
/// process, however that ends, and excludes another queue in the same process as well. The program that
/// writes into the file locks the second byte while it does: it may go on for a moment when the one
/// that it writes for was killed, and nobody else may have the file before it has stopped.
struct DownloadFile: ~Copyable, Sendable {
    let path: String
    private let descriptor: FileDescriptor

    static func name(of id: Int64) -> String { "\(id).part" }

    /// The download whose file has this name; nil where it is not such a name.
    static func id(named name: String) -> Int64? {
        guard name.hasSuffix(".part"), let id = Int64(name.dropLast(5)), id > 0,
            Self.name(of: id) == name
        else { return nil }
        return id
    }

    /// Takes a file; nil where another has it, or where it is not there and is not to be made.
    static func take(_ path: String, making: Bool) throws(FileError) -> DownloadFile? {
        while true {
            let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (making ? O_CREAT : 0)
            let number = unsafe open(path, flags, 0o600)
            guard number >= 0 else {
                let failure = FileError(.open, errno)
                if !making, failure.isAbsence { return nil }
                throw failure
            }
            let file = DownloadFile(path: path, descriptor: FileDescriptor(number))
            guard try file.lock(0, count: 2, F_WRLCK) else { return nil }
            // Who had it before may have removed it since it was opened: the name is then that of
            // another file, or of none.
            guard file.hasItsName else { continue }
            _ = try file.lock(1, count: 1, F_UNLCK)
            return file
        }
    }

    /// What can be seen of a file that may be another's: how many bytes it has, and whether somebody
    /// works on it. Nil where there is none.
    static func look(at path: String) -> (size: Int, isHeld: Bool)? {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
        guard let descriptor = try? FileDescriptor.open(path, flags) else { return nil }
        let file = DownloadFile(path: path, descriptor: descriptor)
        // F_OFD_GETLK: what would be in the way of reading is somebody's lock.
        var lock = range(0, count: 2, F_RDLCK)
        let isHeld =
            unsafe fcntl(descriptor.number, 36, &lock) == 0 && Int32(lock.l_type) != F_UNLCK
        return (file.size, isHeld)
    }

    private init(path: String, descriptor: FileDescriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Whoever wants it can have it then.
    deinit { descriptor.close() }

    /// How many bytes it has.
    var size: Int {
        var status = stat()
        return unsafe fstat(descriptor.number, &status) == 0 ? Int(status.st_size) : 0
    }

    func empty() throws(FileError) {
        guard ftruncate(descriptor.number, 0) == 0 else {
            throw FileError(.empty, errno)
        }
    }

    /// Takes its name away while it is ours, so that it is nobody else's that goes.
    func remove() throws(FileError) {
        if unsafe unlink(path) != 0, errno != ENOENT {
            throw FileError(.remove, errno)
        }
    }

    private var hasItsName: Bool {
        var (ours, named) = (stat(), stat())
        guard unsafe fstat(descriptor.number, &ours) == 0, unsafe lstat(path, &named) == 0 else {
            return false
        }
        return ours.st_ino == named.st_ino && ours.st_dev == named.st_dev
    }

    /// False where another's lock is in the way.
    private func lock(_ byte: off_t, count: off_t, _ kind: CInt) throws(FileError) -> Bool {
        var lock = Self.range(byte, count: count, kind)
        // F_OFD_SETLK of <fcntl.h>, which the Glibc module does not have.
        while unsafe fcntl(descriptor.number, 37, &lock) != 0 {
            if errno == EAGAIN || errno == EACCES { return false }
            if errno != EINTR { throw FileError(.lock, errno) }
        }
        return true
    }

    private static func range(_ byte: off_t, count: off_t, _ kind: CInt) -> flock {
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = byte
        lock.l_len = count
        return lock
    }
}
