internal import Bytes
internal import Glibc

/// A lock on the library between processes, held while a function runs or until the process ends.
///
/// SQLite's locks guard the index; this one guards the files beside it: who removes a file must
/// know that nobody is about to rely on it. It is a lock of the open file, not of the process
/// (F_OFD_SETLK), so two libraries in one process exclude each other as well.
///
/// Closing the lock file, also when the system does it for a killed process, is what tells other
/// processes to look for changes.
enum LibraryLock {
    enum Purpose {
        /// To open or create the index: one at a time.
        case opening
        /// To add files: any number at once.
        case adding
        /// To remove files: alone.
        case removing
    }

    static func hold<Value>(
        for purpose: Purpose, in directory: String, patience: Duration,
        _ body: () throws(LibraryError) -> Value
    ) throws(LibraryError) -> Value {
        let path = "\(directory)/lock"
        let number = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            throw .cannotWrite(path: path, reason: FileError(.open, errno).reason)
        }
        defer { _ = close(number) }
        do throws(LockFailure) {
            let deadline = ContinuousClock.now + patience
            // The first byte is a turnstile: who waits to be alone holds it, and nobody gets past.
            try acquire(number, byte: 0, F_WRLCK, deadline)
            switch purpose {
            case .opening: break
            case .adding:
                try acquire(number, byte: 1, F_RDLCK, deadline)
                try acquire(number, byte: 0, F_UNLCK, deadline)
            case .removing: try acquire(number, byte: 1, F_WRLCK, deadline)
            }
        } catch {
            switch error {
            case .late: throw .locked(directory)
            case .system(let failure): throw .cannotWrite(path: path, reason: failure.reason)
            }
        }
        return try body()
    }
}

private enum LockFailure: Error {
    case late
    case system(FileError)
}

private func acquire(
    _ number: CInt, byte: off_t, _ kind: CInt, _ deadline: ContinuousClock.Instant
) throws(LockFailure) {
    var lock = flock()
    lock.l_type = Int16(kind)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = byte
    lock.l_len = 1
    // F_OFD_SETLK of <fcntl.h>, which the Glibc module does not have.
    let setLockOfOpenFile: CInt = 37
    while unsafe fcntl(number, setLockOfOpenFile, &lock) != 0 {
        guard errno == EAGAIN || errno == EACCES || errno == EINTR else {
            throw .system(FileError(.lock, errno))
        }
        guard ContinuousClock.now < deadline else { throw .late }
        usleep(2000)
    }
}
