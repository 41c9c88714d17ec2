package import Bytes
import Glibc

/// A regular file that was found: named by the person, or somewhere below a named directory.
package struct SourceFile: Sendable {
    package let path: Path
    /// As it was when it was looked at.
    package var stamp: FileStamp
    /// Whether its place says that it is one message: a file in `cur` or `new` of a Maildir, or with a
    /// number for its name in a folder of MH.
    package let isMessage: Bool
    /// Whether the person named the file itself.
    package let isNamed: Bool
    /// Whether it is in `cur` or `new` of a Maildir: such a file is renamed, and never changed.
    package var isDelivery = false
    /// Whether a link in its place leads on to another file.
    var followsLinks = true

    init(
        path: Path, stamp: FileStamp, isMessage: Bool, isNamed: Bool, isDelivery: Bool = false,
        followsLinks: Bool = true
    ) {
        self.path = path
        self.stamp = stamp
        self.isMessage = isMessage
        self.isNamed = isNamed
        self.isDelivery = isDelivery
        self.followsLinks = followsLinks
    }

    /// A file that was not walked to.
    package init(_ path: Path) {
        self.init(path: path, stamp: .notTaken, isMessage: false, isNamed: true)
    }

    /// In bytes.
    package var size: Int { stamp.size }

    /// Whether it is a message of Apple Mail's that may have files beside it.
    package var mayHaveFilesBeside: Bool {
        path.bytes.suffix(5).elementsEqual(".emlx".utf8)
            && EmlxAttachments(of: path)?.mayHaveFiles == true
    }

    /// Has the system bring the file's first bytes into memory, without waiting for them.
    package func askFor() {
        guard let open = try? open() else { return }
        // A message is read whole, and few are larger; most other files are only looked at.
        let count = isMessage ? 256 << 10 : off_t(SourceKind.prefixLength)
        _ = posix_fadvise(open.descriptor.number, 0, count, POSIX_FADV_WILLNEED)
        open.descriptor.close()
    }

    /// Opens the file for reading; what was exchanged for something else since is refused.
    package func open() throws(FileError) -> OpenSource {
        // Without O_NONBLOCK a FIFO put in the file's place would be waited for.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        let number = unsafe path.withCString { unsafe Glibc.open($0, flags) }
        guard number >= 0 else { throw FileError(.open, errno) }
        let descriptor = FileDescriptor(number)
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            descriptor.close()
            throw FileError(.open, EINVAL)
        }
        return OpenSource(descriptor: descriptor, stamp: FileStamp(status))
    }
}

/// A file that is open for reading. Whoever opened it closes it.
package struct OpenSource: Sendable {
    package let descriptor: FileDescriptor
    /// As it was when it was opened.
    package let stamp: FileStamp

    /// In bytes.
    package var size: Int { stamp.size }

    package var bytes: ByteSource { ByteSource(file: descriptor, size: size) }
}
