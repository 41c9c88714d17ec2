import Bytes
import Glibc

/// A directory that a walk is in.
struct WalkedDirectory {
    let ancestors: Ancestors
    private let path: Path
    private let kind: FolderKind
    private var names: DirectoryNames

    /// A file that is unique on this computer.
    struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: stat) {
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    /// What a name stands for, before it was looked at.
    struct Entry {
        let path: Path
        let isNamed: Bool
        /// Of a file: whether it is one message.
        let isMessage: Bool
        /// Of a file: whether it was delivered into a Maildir.
        let isDelivery: Bool
        /// Of a file: whether it belongs to a message beside it.
        let isAttachment: Bool
        /// Whether it is known to be a file without a look at it.
        let isFile: Bool
        /// Of a directory: what the one around it makes of it.
        let kind: FolderKind?
        /// The directories around it.
        let ancestors: Ancestors?

        /// Of a directory: whether it holds the messages of a Maildir.
        var isOfMaildir: Bool { kind?.holdsDeliveries ?? false }

        /// One that the person named.
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

    /// A list that branches share.
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

    /// Goes into a directory; `code` is the errno with which its reading ended early, or 0.
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
