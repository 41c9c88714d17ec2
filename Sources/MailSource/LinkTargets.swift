import Glibc
import Platform

/// The symbolic links in directory trees that a walk follows to files, which may be outside of the
/// trees.
///
/// Only names and types are read, not the files: most directories hold thousands of files and no
/// link. Directories that cannot be opened are skipped: the walk that reads the files reports them.
package func linksToFiles(in trees: [Path]) -> [Path] {
    var links: [Path] = []
    var folders = trees.map { (path: $0, device: dev_t?.none) }
    while let next = folders.popLast() {
        // The user may have named a link.
        let flags = next.device == nil ? O_DIRECTORY : O_DIRECTORY | O_NOFOLLOW
        let number = unsafe next.path.withCString { unsafe open($0, flags | O_CLOEXEC) }
        guard number >= 0 else { continue }
        let folder = FileDescriptor(number)
        defer { folder.close() }
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { continue }
        if let device = next.device, device != status.st_dev, next.path.isOfKernel(status) {
            continue
        }
        try? folder.forEachEntry { name, type in
            guard type == .folder || type == .link || type == .unknown else { return }
            let path = next.path.appending(name.indices.map { name[$0] })
            if type == .folder || type == .unknown && !path.isLink {
                folders.append((path, status.st_dev))
            } else if let target = path.status(followsLinks: true),
                target.st_mode & S_IFMT == S_IFREG, !path.isOfKernel(target)
            {
                links.append(path)
            }
        }
    }
    return links
}
