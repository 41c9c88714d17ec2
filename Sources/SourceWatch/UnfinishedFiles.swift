import Glibc
import MailSource

/// Files that were made and are not yet closed by their writers.
struct UnfinishedFiles {
    private var files: [Path: File] = [:]
    private let timing: WatchTiming

    /// A file as it was when it was noticed.
    private struct File {
        let size: Int
        let modified: timespec
        let since: RescanSchedule.Instant

        init(_ status: stat, _ now: RescanSchedule.Instant) {
            size = Int(status.st_size)
            modified = status.st_mtim
            since = now
        }

        func isSame(as status: stat) -> Bool {
            size == Int(status.st_size) && modified.tv_sec == status.st_mtim.tv_sec
                && modified.tv_nsec == status.st_mtim.tv_nsec
        }
    }

    /// A file that nobody has written to for so long is read as it is, in seconds.
    private static let staleAfter = 60

    init(_ timing: WatchTiming) {
        self.timing = timing
    }

    var paths: Set<Path> { Set(files.keys) }

    /// Beyond the limit files are read before they are whole, and again when they are.
    mutating func insert(_ path: Path, _ status: stat, at now: RescanSchedule.Instant) {
        guard files.count < timing.unfinished else { return }
        files[path] = File(status, now)
    }

    mutating func remove(_ path: Path) {
        guard !files.isEmpty else { return }
        files[path] = nil
    }

    mutating func clear() { files = [:] }

    /// Forgets what is gone, what nobody writes to any more, and what was never written here: a file
    /// that was linked to its name, and lost the other since. What a program keeps open, as a mailbox, is
    /// forgotten in the end too.
    mutating func forgetStale(at now: RescanSchedule.Instant) {
        guard !files.isEmpty else { return }
        let time = time(nil)
        files = files.filter { path, file in
            guard let status = path.status(followsLinks: false) else { return false }
            let age = now - file.since
            if age >= timing.longestUnclosed { return false }
            if age >= timing.unclosed, file.size > 0, file.isSame(as: status) { return false }
            return time - status.st_mtim.tv_sec < UnfinishedFiles.staleAfter
        }
    }
}
