package import Glibc
package import Platform

/// File metadata that changes whenever the file does.
package struct FileStamp: Sendable, Equatable {
    /// The inode number.
    package let inode: UInt64
    /// In bytes.
    package let size: Int
    /// Modification time in nanoseconds since 1970; the owner can set it.
    package let modified: Int64
    /// Status change time in nanoseconds since 1970; set by the kernel.
    package let changed: Int64

    /// A placeholder for a file whose metadata is not needed.
    package static let notTaken = FileStamp(stat())

    package init(inode: UInt64, size: Int, modified: Int64, changed: Int64) {
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    package init(_ status: stat) {
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        modified = FileStamp.nanoseconds(status.st_mtim)
        changed = FileStamp.nanoseconds(status.st_ctim)
    }

    /// The stamp of an open file; nil if fstat(2) fails.
    package init?(of file: FileDescriptor) {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { return nil }
        self.init(status)
    }

    /// File times are untrusted: one after 2262 wraps, and still compares correctly.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
