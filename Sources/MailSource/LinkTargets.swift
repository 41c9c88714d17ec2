import Glibc

/// What symbolic links in directory trees lead to, which may lie outside of them.
///
/// A walk over names alone, without a look at the files: most directories hold thousands of these and
/// no link.
package struct LinkTargets {
    /// The links, each to be opened as what it leads to.
    package private(set) var links: [Path] = []
    /// Whether there are more of them than `limit`.
    package private(set) var isCut = false

    private var directories: [Path]
    private var seen: Set<WalkedDirectory.Identity> = []
    private let limit: Int

    /// - Parameter limit: How many links are of interest: each may cost the system memory.
    package init(in trees: [Path], limit: Int = 100_000) {
        directories = trees
        self.limit = limit
        while !isCut, let directory = directories.popLast() { look(into: directory) }
    }

    /// What cannot be opened is left out: the walk that reads the files says so.
    private mutating func look(into path: Path) {
        let flags = O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NONBLOCK
        let number = unsafe path.withCString { unsafe open($0, flags) }
        guard number >= 0 else { return }
        var status = stat()
        guard unsafe fstat(number, &status) == 0,
            seen.insert(WalkedDirectory.Identity(status)).inserted,
            let directory = unsafe fdopendir(number)
        else {
            close(number)
            return
        }
        defer { unsafe closedir(directory) }
        while let entry = unsafe readdir(directory) {
            let type = unsafe Int(entry.pointee.d_type)
            guard type == DT_DIR || type == DT_LNK || type == DT_UNKNOWN else { continue }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
                unsafe Array(name.prefix { $0 != 0 })
            }
            guard name != [0x2E], name != [0x2E, 0x2E] else { continue }
            let path = path.appending(name)
            // What is no directory cannot be opened as one.
            directories.append(path)
            // Not every file system says what a name stands for.
            if type == DT_LNK || type == DT_UNKNOWN && path.isLink { links.append(path) }
        }
        isCut = links.count > limit
    }
}
