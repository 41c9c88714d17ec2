import Glibc

/// The symbolic links in directory trees, whose targets may be outside of them.
///
/// Only names and types are read, not the files: most directories hold thousands of files and no
/// link.
package struct LinkTargets {
    /// The paths of the links.
    package private(set) var links: [Path] = []
    /// Whether there are more links than `limit`.
    package private(set) var isCut = false

    private var directories: [Path]
    private var seen: Set<WalkedDirectory.Identity> = []
    private let limit: Int

    /// - Parameter limit: The maximum number of links; each may cost kernel memory.
    package init(in trees: [Path], limit: Int = 100_000) {
        directories = trees
        self.limit = limit
        while !isCut, let directory = directories.popLast() { look(into: directory) }
    }

    /// Directories that cannot be opened are skipped: the walk that reads the files reports them.
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
            // Opening a non-directory with O_DIRECTORY fails.
            directories.append(path)
            // Some file systems do not report the type of an entry.
            if type == DT_LNK || type == DT_UNKNOWN && path.isLink { links.append(path) }
        }
        isCut = links.count > limit
    }
}
