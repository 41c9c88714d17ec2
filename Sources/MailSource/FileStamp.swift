package import Bytes
package import Glibc

/// What the system says of a file that is no longer the same when the file was changed.
package struct FileStamp: Sendable, Equatable {
    /// Its number in its file system.
    package let inode: UInt64
    /// In bytes.
    package let size: Int
    /// When its bytes were changed, in nanoseconds since 1970: what its owner says.
    package let modified: Int64
    /// When its bytes, its names or its permissions were changed: what the system says.
    package let changed: Int64

    /// Stands for that of a file which was not looked at, because nobody asks for it.
    package static let notTaken = FileStamp(stat())

    package init(_ status: stat) {
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        modified = FileStamp.nanoseconds(status.st_mtim)
        changed = FileStamp.nanoseconds(status.st_ctim)
    }

    /// That of an open file; nil where the system does not say.
    package init?(of file: FileDescriptor) {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Times of file systems are strangers' numbers: one beyond 2262 wraps, and is still compared.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
