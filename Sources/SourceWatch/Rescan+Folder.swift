import Bytes
import MailSource

extension Rescan {
    /// The rescan for a change in a folder below `root`: usually of the files in the folder. Nil
    /// for a folder that is never read.
    ///
    /// Interprets the folder as in a walk from `root`: the parent determines whether `cur` and
    /// `new` belong to a Maildir.
    init?(_ folder: Path, below root: Path) {
        var path = root
        let rest = folder.bytes.dropFirst(root.bytes.count)
        let names = rest.split(separator: UInt8(ascii: "/"))
        for (index, name) in names.enumerated() {
            switch String(streamSafe: name) {
            case "cur", "new", "tmp":
                guard path.holds("cur"), path.holds("new") else { break }
                if name.elementsEqual("tmp".utf8) { return nil }
                self = index == names.count - 1 ? .folder(path) : .tree(path)
                return
            case "Attachments" where path.holds("Messages"):
                self = .tree(path)
                return
            default:
                break
            }
            path = path.appending(Array(name))
        }
        self = .folder(folder)
    }
}

extension Path {
    fileprivate func holds(_ name: String) -> Bool {
        appending(Array(name.utf8)).status(followsLinks: true) != nil
    }
}
