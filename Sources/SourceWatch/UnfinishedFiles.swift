import Glibc
import MailSource

/// Files that were made and are not yet closed by their writers.
struct UnfinishedFiles {
    private(set) var paths: Set<Path> = []
    private let limit: Int

    /// A file that nobody has written to for so long is read as it is, in seconds.
    private static let staleAfter = 60

    init(limit: Int) {
        self.limit = limit
    }

    /// Beyond the limit files are read before they are whole, and again when they are.
    mutating func insert(_ path: Path) {
        guard paths.count < limit else { return }
        paths.insert(path)
    }

    mutating func remove(_ path: Path) {
        guard !paths.isEmpty else { return }
        paths.remove(path)
    }

    mutating func clear() { paths = [] }

    /// Forgets what is gone, and what nobody writes to any more.
    mutating func forgetStale() {
        let now = time(nil)
        paths = paths.filter { path in
            guard let status = path.status(followsLinks: false) else { return false }
            return now - status.st_mtim.tv_sec < UnfinishedFiles.staleAfter
        }
    }
}
