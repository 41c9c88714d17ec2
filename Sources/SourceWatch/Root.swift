import Glibc
import MailSource

/// A path that the user named.
struct Root {
    let path: Path
    private(set) var state = State.missing

    enum State: Equatable {
        case missing, file
        case folder(FolderIdentity)
    }

    init(_ path: Path) {
        var bytes = path.bytes[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        self.path = Path(Array(bytes))
    }

    var isFolder: Bool {
        if case .folder = state { return true }
        return false
    }

    /// Updates the state from the file system.
    mutating func look() {
        if let identity = FolderIdentity(path) {
            state = .folder(identity)
        } else {
            state = path.status(followsLinks: true) == nil ? .missing : .file
        }
    }
}
