package import Bytes
import Glibc
package import MailSource

/// Follows what happens in the places that a person named, and says what to read, and when.
///
/// It reads nothing itself and prints nothing. Whoever uses it asks for `readings`, reads them, says how
/// that went, and has it `wait`, again and again.
package struct SourceWatcher: ~Copyable {
    package internal(set) var schedule: RescanSchedule
    let timing: WatchTiming
    var roots: [Root]
    var folders: WatchedFolders
    var unfinishedFiles: UnfinishedFiles
    private var notices: [Notice] = []
    private var told: FileError?
    private var nextSearch: RescanSchedule.Instant
    /// Whether the system lost events.
    var isLost = false

    /// - Parameters:
    ///   - paths: Folders, and mailboxes that are files.
    ///   - leavingOut: A folder that is left alone, wherever it lies.
    package init(
        _ paths: [Path], leavingOut: Path? = nil, timing: WatchTiming = WatchTiming(),
        at now: RescanSchedule.Instant = .now
    ) {
        self.timing = timing
        // What was written just now is not read at the same moment.
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

    /// How many folders the system tells about.
    package var watchCount: Int { folders.count }

    /// Files that are being written, and need not be read before that is done.
    package var unfinished: Set<Path> { unfinishedFiles.paths }

    /// What there is to tell since this was asked last.
    package mutating func takeNotices() -> [Notice] {
        defer { notices = [] }
        return notices
    }

    /// Takes note of what happened, and returns what is to be read now.
    package mutating func rescans(at now: RescanSchedule.Instant) -> [Rescan] {
        // In a folder that never rests there is always more; it is taken the next time.
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
        // Watched before it is read, so that nothing comes between.
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

    /// Waits until something happens, something is due, or `stop` can be read.
    package func wait(orUntil stop: FileDescriptor, from now: RescanSchedule.Instant) {
        // The system does not tell of all that happens to a place: another may come to lie under its path.
        let left = (min(schedule.due, nextSearch) - now) / .milliseconds(1)
        let milliseconds = CInt(clamping: Int(max(min(left, 3_600_000), 0).rounded(.up)))
        var events = [
            pollfd(fd: stop.number, events: Int16(POLLIN), revents: 0),
            // A negative number is passed over.
            pollfd(fd: folders.number ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        _ = unsafe poll(&events, nfds_t(events.count), milliseconds)
    }
}

extension SourceWatcher {
    /// Looks whether a place is still what it was, and watches what it is.
    ///
    /// - Parameter isAnother: What was there is gone, even where its number was given to another.
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
            // A mailbox without mail is often no file at all.
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
    /// What is gone by now is read where it turns up again.
    fileprivate var isThere: Bool {
        switch self {
        case .everything: true
        case .tree(let path), .folder(let path): path.status(followsLinks: true) != nil
        }
    }
}
