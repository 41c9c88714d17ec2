package import Bytes
import Foundation
import Glibc

/// The folder that bodies come into, while it is ours: two runs at a time would ask twice as much of
/// each host as one may.
///
/// Whose it is, is a lock of the system, which ends with the process.
package struct UpdateFolder: ~Copyable {
    package let path: String
    private let lock: FileDescriptor

    /// Takes a folder that is there, and removes what was left in it. Nil where another process has it,
    /// and has not let it go by then.
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
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            _ = unsafe unlink("\(path)/\(name)")
        }
    }

    deinit { lock.close() }
}
