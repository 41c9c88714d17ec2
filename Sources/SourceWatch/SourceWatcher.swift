import Bytes
import Glibc
package import MailSource
package import Platform

/// Watches the paths that the user named, and returns what to read and when.
///
/// Does not read or print anything. The caller repeats: take `rescans`, read them, call `finish` or
/// `fail`, and `wait`.
package struct SourceWatcher: ~Copyable {
    package private(set) var schedule: RescanSchedule
    private let timing: WatchTiming
    private var roots: [Root]
    private var folders: WatchedFolders
    private var unfinishedFiles: UnfinishedFiles
    private var notices: [Notice] = []
    private var told: FileError?
    private var nextSearch: RescanSchedule.Instant
    /// Whether the kernel dropped events.
    private var isLost = false

    /// - Parameters:
    ///   - paths: Folders, and mailbox files.
    ///   - leavingOut: A folder that is not watched.
    ///   - followsLinks: Whether links to folders are followed, as in a walk.
    package init(
        _ paths: [Path], leavingOut: Path? = nil, followsLinks: Bool = false,
        timing: WatchTiming = WatchTiming(),
        at now: RescanSchedule.Instant = .now
    ) {
        self.timing = timing
        // Wait before the first read, since a file may be in the middle of being written.
        schedule = RescanSchedule(timing, at: now + timing.quiet)
        roots = paths.map(Root.init)
        folders = WatchedFolders(
            leavingOut: leavingOut, followsLinks: followsLinks, links: timing.links)
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
    private mutating func look(
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

    private mutating func tellShortage(at now: RescanSchedule.Instant) {
        schedule.note(isTold: folders.shortage == nil, at: now)
        if let shortage = folders.shortage, shortage != told {
            notices.append(.untold(shortage))
        }
        told = folders.shortage
    }
}

/// The translation of inotify events to rescans.
extension SourceWatcher {
    private mutating func take(_ event: Inotify.Event, at now: RescanSchedule.Instant) {
        if event.has(IN_Q_OVERFLOW) {
            isLost = true
            return
        }
        let places = folders.places(of: event)
        if event.has(IN_IGNORED) { folders.forget(event.watch) }
        for place in places {
            if event.name.isEmpty {
                // The folder was moved, removed or unmounted. Its parent reports that too, but the
                // parent of a root is not watched.
                let isGone = event.has(IN_DELETE_SELF | IN_UNMOUNT | IN_IGNORED)
                if place.path == roots[place.root].path {
                    look(at: place.root, isAnother: isGone, now)
                }
            } else if let only = place.only {
                guard event.name == only else { continue }
                if let link = place.link {
                    noteTarget(of: link, in: place.root, by: event, now)
                    continue
                }
                look(at: place.root, now)
                noteChange(of: place.root, by: event, now)
            } else {
                take(event, in: place, now)
            }
        }
    }

    private mutating func take(
        _ event: Inotify.Event, in place: WatchedFolders.Folder, _ now: RescanSchedule.Instant
    ) {
        let path = place.path.appending(event.name)
        if event.has(IN_MOVED_FROM) {
            unfinishedFiles.remove(path)
            folders.unfollow(path)
            if event.has(IN_ISDIR) { folders.leave(path, of: place.root) }
        } else if event.has(IN_ISDIR) {
            if event.has(IN_CREATE | IN_MOVED_TO) { enter(path, of: place.root, now) }
        } else if event.has(IN_CREATE) {
            noteNew(path, in: place, now)
        } else if event.has(IN_MOVED_TO) {
            noteNewName(path, in: place, now)
        } else if event.has(IN_CLOSE_WRITE) {
            // A browser creates an empty file under the final name while it downloads to another.
            guard path.status(followsLinks: true)?.st_size != 0 else { return }
            unfinishedFiles.remove(path)
            note(place, now)
        }
    }

    /// Handles a new name. A file still being written is reported again when it is closed, but a
    /// file with a second name, such as one delivered by a link, is complete.
    private mutating func noteNew(
        _ path: Path, in place: WatchedFolders.Folder, _ now: RescanSchedule.Instant
    ) {
        guard let status = path.status(followsLinks: false) else { return }
        // Files in a Maildir are moved or linked into place, never written there.
        let isDelivery =
            status.st_size > 0
            && Rescan(place.path, below: roots[place.root].path) != .folder(place.path)
        if isDelivery || status.st_nlink > 1 || status.st_mode & S_IFMT != S_IFREG {
            noteNewName(path, in: place, now)
        } else {
            unfinishedFiles.insert(path, status, at: now)
            // The file may have been linked here and have lost its other name since. Then it is
            // never closed.
            if status.st_size > 0,
                let rescan = Rescan(place.path, below: roots[place.root].path)
            {
                schedule.note(rescan, again: timing.unclosed, at: now)
            }
        }
    }

    /// Handles a complete new file, or a link to a folder.
    private mutating func noteNewName(
        _ path: Path, in place: WatchedFolders.Folder, _ now: RescanSchedule.Instant
    ) {
        unfinishedFiles.remove(path)
        if path.isLink, FolderIdentity(path) != nil {
            enter(path, of: place.root, now)
            return
        }
        folders.unfollow(path)
        if path.isLink {
            folders.follow(path, of: place.root)
            tellShortage(at: now)
        }
        note(place, now)
    }

    /// Handles a change of a link's target.
    private mutating func noteTarget(
        of link: Path, in root: Int, by event: Inotify.Event, _ now: RescanSchedule.Instant
    ) {
        guard event.has(WatchedFolders.bitsOfFile) else { return }
        if FolderIdentity(link) != nil {
            enter(link, of: root, now)
        } else {
            note(link.parent, of: root, now)
        }
    }

    private mutating func enter(_ path: Path, of root: Int, _ now: RescanSchedule.Instant) {
        // A Maildir's `tmp` is not watched.
        guard Rescan(path, below: roots[root].path) != nil, folders.enters(path) else { return }
        for filled in folders.enter(path, of: root) { note(filled, of: root, now) }
        tellShortage(at: now)
    }

    private mutating func note(_ place: WatchedFolders.Folder, _ now: RescanSchedule.Instant) {
        note(place.path, of: place.root, now)
    }

    private mutating func note(_ folder: Path, of root: Int, _ now: RescanSchedule.Instant) {
        if let rescan = Rescan(folder, below: roots[root].path) {
            schedule.note(rescan, at: now)
        }
    }

    /// Handles a change of a root that is a file.
    private mutating func noteChange(
        of root: Int, by event: Inotify.Event, _ now: RescanSchedule.Instant
    ) {
        guard roots[root].state == .file, event.has(WatchedFolders.bitsOfFile) else { return }
        schedule.note(.tree(roots[root].path), at: now)
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
