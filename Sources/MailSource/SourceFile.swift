package import Bytes
import Glibc
package import Platform

/// A regular file named by the user, or found below a named directory.
package struct SourceFile: Sendable {
    package let path: Path
    /// The stamp at the time it was found.
    package var stamp: FileStamp
    /// Whether its location marks it as one message: a file in `cur` or `new` of a Maildir, or with
    /// a numeric name in an MH folder.
    package let isMessage: Bool
    /// Whether the user named the file itself.
    package let isNamed: Bool
    /// Whether it is in `cur` or `new` of a Maildir, where files are renamed but never modified.
    package var isDelivery = false
    /// Whether it is a folder with the files of a pass.
    package var isUnpackedPass = false
    /// Whether a symbolic link at its path is followed.
    package var followsLinks = true
    /// The named file, opened before this program gave up its rights. It is read if another file has
    /// replaced it since: the right to read is for the file, not for its path.
    var held: FileDescriptor?

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

    /// A file that was not found by a walk.
    package init(_ path: Path) {
        self.init(path: path, stamp: .notTaken, isMessage: false, isNamed: true)
    }

    /// In bytes.
    package var size: Int { stamp.size }

    /// Whether it is an Apple Mail message that may have attachments beside it.
    package var mayHaveFilesBeside: Bool {
        path.bytes.suffix(5).elementsEqual(".emlx".utf8)
            && EmlxAttachments(of: path)?.mayHaveFiles == true
    }

    /// Asks the kernel to read the file's first bytes ahead, without waiting.
    package func askFor() {
        guard let open = try? open() else { return }
        // Messages are read completely, and few are larger; other files are read only at their
        // start.
        let count = isMessage ? 256 << 10 : off_t(ContentHead.length)
        _ = posix_fadvise(open.descriptor.number, 0, count, POSIX_FADV_WILLNEED)
        open.descriptor.close()
    }

    /// The offset of the first byte at or after `offset` that is not in a hole of a sparse file.
    package func data(from offset: Int) -> Int {
        guard let open = try? open() else { return offset }
        defer { open.descriptor.close() }
        return open.bytes.data(from: offset)
    }

    /// Opens the file for reading; fails if it is no longer a regular file. If another file has
    /// replaced a named one that was not held, the error is ESTALE.
    package func open() throws(FileError) -> OpenSource {
        // O_NONBLOCK: do not wait if the file was replaced by a FIFO.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        var number = unsafe path.withCString { unsafe Glibc.open($0, flags) }
        if number < 0 {
            let code = errno
            // Only the file's mode is asked here.
            let isReadable = unsafe path.withCString { unsafe access($0, R_OK) } == 0
            guard code == EACCES, isNamed, isReadable else { throw FileError(.open, code) }
            guard let held else { throw FileError(.open, ESTALE) }
            number = fcntl(held.number, F_DUPFD_CLOEXEC, 0)
            guard number >= 0 else { throw FileError(.open, errno) }
        }
        let descriptor = FileDescriptor(number)
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            descriptor.close()
            throw FileError(.open, EINVAL)
        }
        return OpenSource(descriptor: descriptor, stamp: FileStamp(status))
    }
}

/// A file open for reading. The code that opened it closes it.
package struct OpenSource: Sendable {
    package let descriptor: FileDescriptor
    /// The stamp at the time it was opened.
    package let stamp: FileStamp

    /// In bytes.
    package var size: Int { stamp.size }

    package var bytes: ByteSource { ByteSource(file: descriptor, size: size) }
}
