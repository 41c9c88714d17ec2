import Glibc
import MailSource
import Platform

/// The watched folders, and the paths by which they are reached from the roots.
struct WatchedFolders: ~Copyable {
    /// Nil if inotify is not available.
    private let inotify: Inotify?
    private var folders: [CInt: [Folder]] = [:]
    /// Why some folders are not watched.
    private(set) var shortage: FileError?
    /// A folder that is not watched.
    private let leftOut: FolderIdentity?
    /// Whether links to folders are followed.
    private let followsLinks: Bool
    /// The links to files that are followed.
    private var links: Set<Path> = []
    private let linkLimit: Int

    /// A watched folder as reached from one of the roots.
    struct Folder {
        let path: Path
        /// The index of the root.
        let root: Int
        /// The only name in it that matters; nil for all.
        var only: [UInt8]?
        /// The link whose target has this name.
        var link: Path?
    }

    /// The events to watch for in a folder and the files in it. A file that is written to matters
    /// only once it is closed.
    private static let bits =
        IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_MOVE_SELF | IN_DELETE_SELF
        | IN_ONLYDIR | IN_EXCL_UNLINK

    /// The events that add data to a file.
    static let bitsOfFile = IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO

    init(leavingOut path: Path?, followsLinks: Bool, links: Int) {
        linkLimit = links
        self.followsLinks = followsLinks
        leftOut = path.flatMap(FolderIdentity.init)
        do throws(FileError) {
            inotify = try Inotify()
        } catch {
            inotify = nil
            shortage = error
        }
    }

    /// The descriptor to poll; nil if inotify is not available.
    var number: CInt? {
        switch inotify {
        case .some(let inotify): inotify.number
        case .none: nil
        }
    }

    var count: Int { folders.count }

    func events() -> [Inotify.Event] {
        switch inotify {
        case .some(let inotify): inotify.read()
        case .none: []
        }
    }

    /// The paths of the folder that an event is about.
    func places(of event: Inotify.Event) -> [Folder] { folders[event.watch] ?? [] }

    /// Watches a folder and everything in it, following links as a walk does. Entries are listed
    /// after the watch is added, so that none is missed.
    ///
    /// - Returns: The folders that contain anything other than folders.
    mutating func enter(_ top: Path, of root: Int) -> [Path] {
        var filled: [Path] = []
        var stack = [top]
        while let path = stack.popLast() {
            guard watch(path, of: root) else { continue }
            var code: CInt = 0
            var names = DirectoryNames(of: path, code: &code)
            let isMaildir = names.contains("cur") && names.contains("new")
            var below: [Path] = []
            var isFilled = false
            while let name = names.next() {
                if names.type == .file {
                    isFilled = true
                } else if !isMaildir || !name.elementsEqual("tmp".utf8) {
                    let entry = path.appending(name)
                    if FolderIdentity(entry) == nil {
                        isFilled = true
                        follow(entry, of: root)
                    } else if enters(entry) {
                        below.append(entry)
                    }
                }
            }
            if isFilled { filled.append(path) }
            stack += below.reversed()
        }
        return filled
    }

    /// Whether a walk enters this folder if it meets it on the way.
    func enters(_ folder: Path) -> Bool {
        guard followsLinks || !folder.isLink, let status = folder.status(followsLinks: true) else {
            return false
        }
        return FolderIdentity(folder) != leftOut && !folder.isOfKernel(status)
    }

    /// Watches a root: a folder with everything in it, or a file by its name in the parent folder.
    mutating func enter(_ root: Root, _ index: Int) {
        guard !root.isFolder else {
            _ = enter(root.path, of: index)
            return
        }
        watch(file: root.path, of: index)
        if let target = root.path.target { watch(file: target, of: index) }
    }

    /// Watches a name in its parent folder.
    private mutating func watch(file: Path, of root: Int, link: Path? = nil) {
        let parent = file.parent.bytes.isEmpty ? Path(".") : file.parent
        guard leftOut == nil || FolderIdentity(parent) != leftOut, let watch = add(parent)
        else { return }
        let name = Array(file.nameBytes)
        folders[watch, default: []].append(
            Folder(path: parent, root: root, only: name, link: link))
    }

    /// Watches the target of a link, whether or not it exists, since a change to a file is reported
    /// in the folder of the file. Ignores links beyond the limit: a folder may contain a million.
    mutating func follow(_ link: Path, of root: Int) {
        guard links.count < linkLimit, let target = link.target else { return }
        links.insert(link)
        watch(file: target, of: root, link: link)
    }

    /// Stops watching the target of a link.
    mutating func unfollow(_ link: Path) {
        guard links.contains(link) else { return }
        leave { $0.link == link }
    }

    /// Ends the watches on a folder and everything in it, as far as they belong to this root.
    mutating func leave(_ top: Path, of root: Int) {
        leave { place in
            guard place.root == root else { return false }
            if let link = place.link { return link.isWithin(top) }
            return place.only == nil && place.path.isWithin(top)
        }
    }

    /// Ends all watches of a root.
    mutating func leave(_ root: Int) {
        leave { $0.root == root }
    }

    /// Removes a watch that the kernel has ended.
    mutating func forget(_ watch: CInt) { folders[watch] = nil }

    /// Calls `body` to add all watches again, and ends those that it did not add.
    mutating func renew(_ body: (inout WatchedFolders) -> Void) {
        let old = folders
        (folders, links) = ([:], [])
        if number != nil { shortage = nil }
        body(&self)
        for watch in old.keys where folders[watch] == nil { end(watch) }
    }

    private mutating func leave(_ isLeft: (Folder) -> Bool) {
        for (watch, places) in folders where places.contains(where: isLeft) {
            let rest = places.filter { !isLeft($0) }
            if !links.isEmpty { links.subtract(places.filter(isLeft).compactMap(\.link)) }
            folders[watch] = rest.isEmpty ? nil : rest
            if rest.isEmpty { end(watch) }
        }
    }

    private func end(_ watch: CInt) {
        switch inotify {
        case .some(let inotify): inotify.end(watch)
        case .none: break
        }
    }

    /// Watches a folder; returns whether it is new to this root, also by other paths.
    private mutating func watch(_ path: Path, of root: Int) -> Bool {
        guard let watch = add(path) else { return false }
        var places = folders[watch] ?? []
        if let index = places.firstIndex(where: { $0.root == root && $0.only == nil }) {
            let other = places[index].path
            if other == path || FolderIdentity(other) == FolderIdentity(path) { return false }
            places.remove(at: index)
        }
        places.append(Folder(path: path, root: root))
        folders[watch] = places
        return true
    }

    private mutating func add(_ path: Path) -> CInt? {
        guard shortage == nil else { return nil }
        do throws(FileError) {
            switch inotify {
            case .some(let inotify):
                return try inotify.watch(path.bytes, for: WatchedFolders.bits)
            case .none: return nil
            }
        } catch {
            // Missing and unreadable folders are reported by the import.
            if error.code == ENOSPC || error.code == ENOMEM { shortage = error }
            return nil
        }
    }
}

extension Path {
    /// Whether the path equals the other or is below it.
    func isWithin(_ other: Path) -> Bool {
        guard bytes.starts(with: other.bytes) else { return false }
        let count = other.bytes.count
        return bytes.count == count || bytes[count] == UInt8(ascii: "/")
            || other.bytes.last == UInt8(ascii: "/")
    }
}
