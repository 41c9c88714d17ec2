import Bytes
import Glibc
import Platform

/// A directory being walked.
struct WalkedDirectory {
    /// Whether it holds the files of a pass.
    let isUnpackedPass: Bool
    /// Files that are not returned.
    var leftOut: Set<[UInt8]> = []
    private let path: Path
    /// The file system that it is on.
    private let device: UInt64
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
        /// Its type as the directory reports it.
        let type: EntryType
        /// For a directory: its kind, if the parent determines it.
        let kind: FolderKind?
        /// The file system of the directory; nil for an entry named by the user.
        let device: UInt64?

        /// Whether it is a link that the user did not name.
        var isLink: Bool { !isNamed && (type == .link || type == .unknown && path.isLink) }

        /// For a directory: whether it holds the messages of a Maildir.
        var isOfMaildir: Bool { kind?.holdsDeliveries ?? false }

        /// An entry named by the user.
        init(named path: Path) {
            self.path = path
            isNamed = true
            isMessage = false
            isDelivery = false
            isAttachment = false
            type = .unknown
            kind = nil
            device = nil
        }

        fileprivate init(_ name: [UInt8], in directory: WalkedDirectory) {
            path = directory.path.appending(name)
            isNamed = false
            isMessage = directory.kind.saysMessage(name)
            isDelivery = directory.kind.holdsDeliveries
            isAttachment = directory.kind.saysAttachment
            type = directory.names.type
            kind = directory.kind.kind(of: name, in: directory.path)
            device = directory.device
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
        isUnpackedPass = names.areUnpackedPass(in: path)
        device = identity.device
    }

    mutating func next() -> Entry? {
        while let name = names.next() {
            if isUnpackedPass, name.suffix(6).elementsEqual(".lproj".utf8) { continue }
            if !kind.hides(name), !leftOut.contains(name) { return Entry(name, in: self) }
        }
        return nil
    }
}
