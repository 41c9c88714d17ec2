import Glibc
package import MailSource

/// The identity of a folder, independent of its path.
package struct FolderIdentity: Sendable, Equatable {
    private let device: UInt64
    private let inode: UInt64

    /// Nil unless the path is a folder, or a link to one.
    package init?(_ path: Path) {
        guard let status = path.status(followsLinks: true), status.st_mode & S_IFMT == S_IFDIR
        else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
