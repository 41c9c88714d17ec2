import Glibc
package import Platform

/// The exclusive download folder of a run: two simultaneous runs would exceed the request limits
/// per host.
///
/// Locked with flock(2), which ends with the process.
package struct UpdateFolder: ~Copyable {
    package let path: String
    private let lock: FileDescriptor

    /// Locks an existing folder and deletes leftovers in it. Nil if another process holds the lock
    /// for longer than `patience`.
    package init?(at path: String, patience: Duration) throws(FileError) {
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
        self.path = path
        lock = folder
        for name in (try? FileDescriptor.names(in: path)) ?? [] {
            _ = unsafe unlink("\(path)/\(name)")
        }
    }

    deinit { lock.close() }
}
