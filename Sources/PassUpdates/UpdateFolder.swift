import Glibc
package import Platform

/// The download folder of a run, locked: two simultaneous runs would exceed the request limits per
/// host.
package struct UpdateFolder: ~Copyable {
    package let path: String
    private let lock: FolderLock

    /// Locks an existing folder and deletes leftovers in it. Nil if another process holds the lock
    /// for longer than `patience`.
    package init?(at path: String, patience: Duration) throws(FileError) {
        guard let lock = try FolderLock(on: path, patience: patience) else { return nil }
        self.path = path
        self.lock = lock
        for name in (try? FileDescriptor.names(in: path)) ?? [] {
            _ = unsafe unlink("\(path)/\(name)")
        }
    }
}
