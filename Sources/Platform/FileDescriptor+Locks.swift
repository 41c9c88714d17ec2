import Glibc

/// Open file description locks: they end when the file is closed, also by the end of the process,
/// and exclude other descriptors of the same process as well.
extension FileDescriptor {
    package enum Lock {
        case shared, exclusive
    }

    /// Locks a range of bytes; returns false if a conflicting lock is held.
    package func lock(_ bytes: Range<Int>, _ kind: Lock) throws(FileError) -> Bool {
        try set(flock(bytes, kind == .shared ? F_RDLCK : F_WRLCK))
    }

    package func unlock(_ bytes: Range<Int>) throws(FileError) {
        _ = try set(flock(bytes, F_UNLCK))
    }

    /// Whether an exclusive lock of another descriptor is on the range, as far as can be
    /// determined.
    package func isLocked(_ bytes: Range<Int>) -> Bool {
        var lock = flock(bytes, F_RDLCK)
        return unsafe fcntl(number, getLock, &lock) == 0 && CInt(lock.l_type) != F_UNLCK
    }

    private func set(_ lock: flock) throws(FileError) -> Bool {
        var lock = lock
        while unsafe fcntl(number, setLock, &lock) != 0 {
            if errno == EAGAIN || errno == EACCES { return false }
            if errno != EINTR { throw FileError(.lock, errno) }
        }
        return true
    }
}

// F_OFD_GETLK and F_OFD_SETLK of <fcntl.h>, which Glibc does not export to Swift.
private let getLock: CInt = 36
private let setLock: CInt = 37

extension flock {
    fileprivate init(_ bytes: Range<Int>, _ kind: CInt) {
        self.init()
        l_type = Int16(kind)
        l_whence = Int16(SEEK_SET)
        l_start = off_t(bytes.lowerBound)
        l_len = off_t(bytes.count)
    }
}
