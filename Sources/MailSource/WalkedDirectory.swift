import Bytes
import Glibc

/// A directory being walked.
struct WalkedDirectory {
    let ancestors: Ancestors
    private let path: Path
    private let kind: FolderKind
    private var names: DirectoryNames

    /// The identity of a file on this computer.
    struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: stat) {
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    /// A directory entry that was not examined yet.
    struct Entry {
        let path: Path
        let isNamed: Bool
        /// For a file: whether it is one message.
        let isMessage: Bool
        /// For a file: whether it was delivered into a Maildir.
        let isDelivery: Bool
        /// For a file: whether it is an attachment of a message stored beside it.
        let isAttachment: Bool
        /// Whether the directory reports it as a regular file.
        let isFile: Bool
        /// For a directory: its kind, if the parent determines it.
        let kind: FolderKind?
        /// The enclosing directories.
        let ancestors: Ancestors?

        /// For a directory: whether it holds the messages of a Maildir.
        var isOfMaildir: Bool { kind?.holdsDeliveries ?? false }

        /// An entry named by the user.
        init(named path: Path) {
            self.path = path
            isNamed = true
            isMessage = false
            isDelivery = false
            isAttachment = false
            isFile = false
            kind = nil
            ancestors = nil
        }

        fileprivate init(_ name: [UInt8], in directory: WalkedDirectory) {
            path = directory.path.appending(name)
            isNamed = false
            isMessage = directory.kind.saysMessage(name)
            isDelivery = directory.kind.holdsDeliveries
            isAttachment = directory.kind.saysAttachment
            isFile = directory.names.isFile
            kind = directory.kind.kind(of: name, in: directory.path)
            ancestors = directory.ancestors
        }
    }

    /// A linked list with shared tails.
    final class Ancestors {
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

    /// Opens a directory; `code` is the errno of an early end, or 0.
    init(_ entry: Entry, _ identity: Identity, code: inout CInt) {
        path = entry.path
        names = DirectoryNames(of: path, code: &code)
        if let inherited = entry.kind, !inherited.isOfAppleMail || !path.isLink {
            kind = inherited
        } else {
            kind = FolderKind(names)
        }
        ancestors = Ancestors(identity, in: entry.ancestors)
    }

    mutating func next() -> Entry? {
        while let name = names.next() {
            if !kind.hides(name) { return Entry(name, in: self) }
        }
        return nil
    }
}
