package import Bytes
import Glibc

/// A regular file that was found: named by the person, or somewhere below a named directory.
package struct SourceFile: Sendable {
    package let path: Path
    /// In bytes, when it was looked at.
    package let size: Int
    /// Whether it lies in `cur` or `new` of a Maildir, where every file is a message.
    package let isMaildirMessage: Bool
    /// Whether the person named the file itself.
    package let isNamed: Bool

    /// Opens the file for reading; what was exchanged for something else since is refused.
    package func open() throws(FileError) -> OpenSource {
        // Without O_NONBLOCK a FIFO put in the file's place would be waited for.
        let number = unsafe path.withCString {
            unsafe Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        }
        guard number >= 0 else { throw FileError(operation: "open", code: errno) }
        let descriptor = FileDescriptor(number)
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            descriptor.close()
            throw FileError(operation: "open", code: EINVAL)
        }
        return OpenSource(descriptor: descriptor, size: Int(status.st_size))
    }
}

/// A file that is open for reading, and its size in bytes. Whoever opened it closes it.
package struct OpenSource: Sendable {
    package let descriptor: FileDescriptor
    package let size: Int

    package var bytes: ByteSource { ByteSource(file: descriptor, size: size) }
}

/// Something in the way of reading a source.
package struct SourceProblem: Error, Sendable {
    package let path: Path
    /// A stable code such as `symlink-loop`.
    package let code: String
    package let detail: String
}

/// Walks files and directory trees, in the order of names, without recursion.
///
/// Symbolic links are followed, since people keep mail behind them; a directory is read once.
package struct SourceWalk {
    package enum Step {
        case file(SourceFile)
        case problem(SourceProblem)
    }

    /// What the person named, the next one last.
    private var inputs: [Path]
    /// The directories that we are in, the innermost last.
    private var open: [Directory] = []
    private var seen: Set<Identity> = []

    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    private struct Entry {
        let path: Path
        let isNamed: Bool
        let isMaildirMessage: Bool
        /// The directories around it.
        let ancestors: Ancestors?
    }

    private struct Directory {
        let path: Path
        var names: DirectoryNames
        /// Whether it has `cur` and `new`.
        let isMaildir: Bool
        /// Whether it lies in one of these.
        let holdsMessages: Bool
        let ancestors: Ancestors

        mutating func next() -> Entry? {
            while let name = names.next() {
                // Deliveries are written in a Maildir's `tmp` and moved when they are whole.
                if isMaildir, name.elementsEqual("tmp".utf8) { continue }
                let isMessages =
                    isMaildir && (name.elementsEqual("cur".utf8) || name.elementsEqual("new".utf8))
                return Entry(
                    path: path.appending(name), isNamed: false,
                    isMaildirMessage: holdsMessages || isMessages, ancestors: ancestors)
            }
            return nil
        }
    }

    /// A list that branches share.
    private final class Ancestors {
        let identity: Identity
        let parent: Ancestors?

        init(_ identity: Identity, in parent: Ancestors?) {
            self.identity = identity
            self.parent = parent
        }

        func contains(_ identity: Identity) -> Bool {
            var next: Ancestors? = self
            while let current = next {
                if current.identity == identity { return true }
                next = current.parent
            }
            return false
        }
    }

    package init(_ paths: [Path]) {
        inputs = paths.reversed()
    }

    package mutating func next() -> Step? {
        while let entry = nextEntry() {
            var status = stat()
            guard unsafe entry.path.withCString({ unsafe stat($0, &status) }) == 0 else {
                return .problem(missing(entry.path, errno))
            }
            let identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                return .file(
                    SourceFile(
                        path: entry.path, size: Int(status.st_size),
                        isMaildirMessage: entry.isMaildirMessage, isNamed: entry.isNamed))
            case S_IFDIR:
                if entry.ancestors?.contains(identity) == true {
                    return .problem(
                        SourceProblem(
                            path: entry.path, code: "symlink-loop",
                            detail: "the link leads back to a directory around it"))
                }
                guard seen.insert(identity).inserted else { continue }
                if let problem = enter(entry, identity) { return .problem(problem) }
            default:
                return .problem(
                    SourceProblem(
                        path: entry.path, code: "not-a-file",
                        detail:
                            "is \(SourceWalk.kind(status.st_mode)), neither a file nor a directory")
                )
            }
        }
        return nil
    }

    private mutating func nextEntry() -> Entry? {
        while let last = open.indices.last {
            if let entry = open[last].next() { return entry }
            open.removeLast()
        }
        return inputs.popLast().map {
            Entry(path: $0, isNamed: true, isMaildirMessage: false, ancestors: nil)
        }
    }

    /// Goes into a directory.
    private mutating func enter(_ entry: Entry, _ identity: Identity) -> SourceProblem? {
        guard let directory = unsafe entry.path.withCString({ unsafe opendir($0) }) else {
            return unreadable(entry.path, errno)
        }
        defer { unsafe closedir(directory) }
        var code: CInt = 0
        let names = unsafe DirectoryNames(directory, code: &code)
        open.append(
            Directory(
                path: entry.path, names: names,
                isMaildir: names.contains("cur") && names.contains("new"),
                holdsMessages: entry.isMaildirMessage,
                ancestors: Ancestors(identity, in: entry.ancestors)))
        return code == 0 ? nil : unreadable(entry.path, code)
    }

    private func missing(_ path: Path, _ code: CInt) -> SourceProblem {
        var status = stat()
        let isLink =
            unsafe path.withCString { unsafe lstat($0, &status) } == 0
            && status.st_mode & S_IFMT == S_IFLNK
        switch code {
        case ELOOP:
            return SourceProblem(
                path: path, code: "symlink-loop", detail: "the link leads back to itself")
        case ENOENT where isLink:
            return SourceProblem(
                path: path, code: "dangling-link",
                detail: "the link leads to a file that is not there")
        case ENOENT:
            return SourceProblem(path: path, code: "vanished", detail: "no such file or directory")
        default:
            return unreadable(path, code)
        }
    }

    private func unreadable(_ path: Path, _ code: CInt) -> SourceProblem {
        SourceProblem(
            path: path, code: "unreadable",
            detail: "\(FileError(operation: "open", code: code))")
    }

    private static func kind(_ mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFIFO: "a FIFO"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "something else"
        }
    }
}
