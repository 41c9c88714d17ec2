import Bytes
import Glibc
package import MailSource
package import Platform

/// Watches the paths that the user named, and returns what to read and when.
///
/// Does not read or print anything. The caller repeats: take `rescans`, read them, call `finish` or
/// `fail`, and `wait`.
package struct SourceWatcher: ~Copyable {
    package internal(set) var schedule: RescanSchedule
    let timing: WatchTiming
    var roots: [Root]
    var folders: WatchedFolders
    var unfinishedFiles: UnfinishedFiles
    private var notices: [Notice] = []
    private var told: FileError?
    private var nextSearch: RescanSchedule.Instant
    /// Whether the kernel dropped events.
    var isLost = false

    /// - Parameters:
    ///   - paths: Folders, and mailbox files.
    ///   - leavingOut: A folder that is not watched.
    package init(
        _ paths: [Path], leavingOut: Path? = nil, timing: WatchTiming = WatchTiming(),
        at now: RescanSchedule.Instant = .now
    ) {
        self.timing = timing
        // Wait before the first read, since a file may be in the middle of being written.
        schedule = RescanSchedule(timing, at: now + timing.quiet)
        roots = paths.map(Root.init)
        folders = WatchedFolders(leavingOut: leavingOut, links: timing.links)
        unfinishedFiles = UnfinishedFiles(timing)
        nextSearch = now + timing.search
        for index in roots.indices {
            roots[index].look()
            if roots[index].state == .missing { notices.append(.missing(roots[index].path)) }
        }
    }

    /// The number of folders watched.
    package var watchCount: Int { folders.count }

    /// Files that are still being written, and need not be read yet.
    package var unfinished: Set<Path> { unfinishedFiles.paths }

    /// Returns the notices since the last call.
    package mutating func takeNotices() -> [Notice] {
        defer { notices = [] }
        return notices
    }

    /// Processes pending events, and returns the rescans that are due.
    package mutating func rescans(at now: RescanSchedule.Instant) -> [Rescan] {
        // Limit the reads: a busy folder always has more events, which the next call handles.
        for _ in 0..<timing.looks {
            let events = folders.events()
            if events.isEmpty { break }
            for event in events { take(event, at: now) }
        }
        if isLost {
            isLost = false
            unfinishedFiles.clear()
            schedule.note(.everything, at: now)
        }
        if now >= nextSearch {
            nextSearch = now + timing.search
            for index in roots.indices { look(at: index, now) }
        }
        let due = schedule.take(at: now)
        if !due.isEmpty { unfinishedFiles.forgetStale(at: now) }
        guard due.contains(.everything) else { return due.filter(\.isThere) }
        // Watch before reading, so that no change is missed.
        watchAnew(at: now)
        return due
    }

    /// The paths to read for `.everything`.
    package var presentRoots: [Path] {
        roots.filter { $0.state != .missing }.map(\.path)
    }

    package mutating func finish(
        _ rescans: [Rescan], from start: RescanSchedule.Instant, to end: RescanSchedule.Instant
    ) {
        schedule.finish(rescans, from: start, to: end)
    }

    package mutating func fail(_ rescans: [Rescan], at now: RescanSchedule.Instant) {
        schedule.fail(rescans, at: now)
    }

    package mutating func read(
        _ rescan: Rescan, again delay: Duration, at now: RescanSchedule.Instant
    ) {
        schedule.note(rescan, again: delay, at: now)
    }

    /// Waits for an event, the next rescan, or until `stop` is readable.
    package func wait(orUntil stop: FileDescriptor, from now: RescanSchedule.Instant) {
        // Wake up regularly, since not every replacement of a path causes an event.
        let left = (min(schedule.due, nextSearch) - now) / .milliseconds(1)
        let milliseconds = CInt(clamping: Int(max(min(left, 3_600_000), 0).rounded(.up)))
        var events = [
            pollfd(fd: stop.number, events: Int16(POLLIN), revents: 0),
            // poll(2) ignores negative descriptors.
            pollfd(fd: folders.number ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        _ = unsafe poll(&events, nfds_t(events.count), milliseconds)
    }
}

extension SourceWatcher {
    /// Checks whether a root is still the same file, and updates the watches.
    ///
    /// - Parameter isAnother: Whether the old file is known to be gone, even if the new one has the
    ///   same inode number.
    mutating func look(
        at index: Int, isAnother: Bool = false, _ now: RescanSchedule.Instant
    ) {
        guard isChanged(index, now) || isAnother else { return }
        if isAnother { schedule.note(.tree(roots[index].path), at: now) }
        folders.leave(index)
        folders.enter(roots[index], index)
        tellShortage(at: now)
    }

    private mutating func isChanged(_ index: Int, _ now: RescanSchedule.Instant) -> Bool {
        let old = roots[index].state
        roots[index].look()
        let root = roots[index]
        guard old != root.state else { return false }
        if root.state == .missing {
            // An empty mailbox often has no file.
            if old != .file { notices.append(.gone(root.path)) }
        } else {
            if old == .missing, root.isFolder { notices.append(.back(root.path)) }
            schedule.note(.tree(root.path), at: now)
        }
        return true
    }

    private mutating func watchAnew(at now: RescanSchedule.Instant) {
        for index in roots.indices { _ = isChanged(index, now) }
        folders.renew { folders in
            for index in roots.indices { folders.enter(roots[index], index) }
        }
        tellShortage(at: now)
    }

    mutating func tellShortage(at now: RescanSchedule.Instant) {
        schedule.note(isTold: folders.shortage == nil, at: now)
        if let shortage = folders.shortage, shortage != told {
            notices.append(.untold(shortage))
        }
        told = folders.shortage
    }
}

extension Rescan {
    /// Whether the files still exist. If they were moved, another rescan reads them.
    fileprivate var isThere: Bool {
        switch self {
        case .everything: true
        case .tree(let path), .folder(let path): path.status(followsLinks: true) != nil
        }
    }
}
