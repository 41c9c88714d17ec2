import Glibc
import MailSource

/// New files that their writers have not closed yet.
struct UnfinishedFiles {
    private var files: [Path: File] = [:]
    private let timing: WatchTiming

    /// A file at the time it was noticed.
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

    /// A file not written to for this long is read as it is, in seconds.
    private static let staleAfter = 60

    init(_ timing: WatchTiming) {
        self.timing = timing
    }

    var paths: Set<Path> { Set(files.keys) }

    /// Ignores files beyond the limit: these are read while incomplete, and again when they are
    /// closed.
    mutating func insert(_ path: Path, _ status: stat, at now: RescanSchedule.Instant) {
        guard files.count < timing.unfinished else { return }
        files[path] = File(status, now)
    }

    mutating func remove(_ path: Path) {
        guard !files.isEmpty else { return }
        files[path] = nil
    }

    mutating func clear() { files = [:] }

    /// Removes files that are gone, that are no longer written to, or that were never written here
    /// because they are links whose other name was removed. Files that a program keeps open, such
    /// as mailboxes, are removed after some time.
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
