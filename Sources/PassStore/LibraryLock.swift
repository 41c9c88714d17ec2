internal import Glibc
internal import Platform

/// A lock on the library between processes, held while a function runs or until the process ends.
///
/// SQLite's locks protect the index; this one protects the files: a file may be removed only while
/// no process is about to refer to it. It is an open file description lock (F_OFD_SETLK), so two
/// libraries in one process exclude each other as well.
///
/// Closing the lock file, also by the end of a process, notifies other processes to look for
/// changes.
enum LibraryLock {
    enum Purpose {
        /// Opening or creating the index: exclusive among openers.
        case opening
        /// Adding files: shared.
        case adding
        /// Removing files: exclusive.
        case removing
    }

    static func hold<Value>(
        for purpose: Purpose, in directory: String, patience: Duration,
        _ body: () throws(LibraryError) -> Value
    ) throws(LibraryError) -> Value {
        let path = "\(directory)/lock"
        let number = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            throw .cannotWrite(path: path, reason: .system(errno))
        }
        defer { _ = close(number) }
        do throws(LockFailure) {
            let deadline = ContinuousClock.now + patience
            // The first byte is a turnstile: a process waiting for exclusive access holds it and
            // blocks others.
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
            case .system(let failure): throw .cannotWrite(path: path, reason: .system(failure.code))
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
    // F_OFD_SETLK of <fcntl.h>, which Glibc does not export to Swift.
    let setLockOfOpenFile: CInt = 37
    while unsafe fcntl(number, setLockOfOpenFile, &lock) != 0 {
        guard errno == EAGAIN || errno == EACCES || errno == EINTR else {
            throw .system(FileError(.lock, errno))
        }
        guard ContinuousClock.now < deadline else { throw .late }
        usleep(2000)
    }
}
