import Glibc

/// An exclusive lock on a folder, with flock(2): it ends with the process.
package struct FolderLock: ~Copyable {
    private let folder: FileDescriptor

    /// Nil if another process holds the lock for longer than `patience`.
    package init?(on path: String, patience: Duration) throws(FileError) {
        let folder = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY)
        let end = ContinuousClock.now + patience
        while flock(folder.number, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            guard code == EWOULDBLOCK || code == EINTR, ContinuousClock.now < end else {
                folder.close()
                if code == EWOULDBLOCK { return nil }
                throw FileError(.lock, code)
            }
            usleep(100_000)
        }
        self.folder = folder
    }

    deinit { folder.close() }
}
