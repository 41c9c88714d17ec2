import Glibc
import Platform

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
        let folder = FileDescriptor(number)
        defer { folder.close() }
        var status = stat()
        guard unsafe fstat(number, &status) == 0,
            seen.insert(WalkedDirectory.Identity(status)).inserted
        else { return }
        try? folder.forEachEntry { name, type in
            guard type == .folder || type == .link || type == .unknown else { return }
            let path = path.appending(name.indices.map { name[$0] })
            // Opening a non-directory with O_DIRECTORY fails.
            directories.append(path)
            if type == .link || type == .unknown && path.isLink { links.append(path) }
        }
        isCut = links.count > limit
    }
}
