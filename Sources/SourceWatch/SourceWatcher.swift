package import Bytes
import Glibc
package import MailSource

/// Follows what happens in the places that a person named, and says what to read, and when.
///
/// It reads nothing itself and prints nothing. Whoever uses it asks for `readings`, reads them, says how
/// that went, and has it `wait`, again and again.
package struct SourceWatcher: ~Copyable {
    package private(set) var agenda: Agenda
    private let timing: WatchTiming
    private var roots: [Root]
    private var folders: WatchedFolders
    private var unfinishedFiles: UnfinishedFiles
    private var notices: [Notice] = []
    private var told: FileError?
    private var nextSearch: Agenda.Instant
    /// Whether the system lost events.
    private var isLost = false

    /// - Parameters:
    ///   - paths: Folders, and mailboxes that are files.
    ///   - leavingOut: A folder that is left alone, wherever it lies.
    package init(
        _ paths: [Path], leavingOut: Path? = nil, timing: WatchTiming = WatchTiming(),
        at now: Agenda.Instant = .now
    ) {
        self.timing = timing
        // What was written just now is not read at the same moment.
        agenda = Agenda(timing, at: now + timing.quiet)
        roots = paths.map(Root.init)
        folders = WatchedFolders(leavingOut: leavingOut)
        unfinishedFiles = UnfinishedFiles(limit: timing.unfinished)
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
    package mutating func readings(at now: Agenda.Instant) -> [Reading] {
        while true {
            let events = folders.events()
            if events.isEmpty { break }
            for event in events { take(event, at: now) }
        }
        if isLost {
            isLost = false
            unfinishedFiles.clear()
            agenda.note(.everything, at: now)
        }
        if now >= nextSearch {
            nextSearch = now + timing.search
            for index in roots.indices where !roots[index].isFolder { look(at: index, now) }
        }
        let due = agenda.take(at: now)
        guard due.contains(.everything) else { return due.filter(\.isThere) }
        // Watched before it is read, so that nothing comes between.
        unfinishedFiles.forgetStale()
        watchAnew(at: now)
        return due
    }

    /// The paths to read for `.everything`.
    package var presentRoots: [Path] {
        roots.filter { $0.state != .missing }.map(\.path)
    }

    package mutating func finish(
        _ readings: [Reading], from start: Agenda.Instant, to end: Agenda.Instant
    ) {
        agenda.finish(readings, from: start, to: end)
    }

    package mutating func fail(_ readings: [Reading], at now: Agenda.Instant) {
        agenda.fail(readings, at: now)
    }

    package mutating func read(_ reading: Reading, again delay: Duration, at now: Agenda.Instant) {
        agenda.note(reading, again: delay, at: now)
    }

    /// Waits until something happens, something is due, or `stop` can be read.
    package func wait(orUntil stop: FileDescriptor, from now: Agenda.Instant) {
        let isAnyMissing = roots.contains { !$0.isFolder }
        let until = isAnyMissing ? min(agenda.due, nextSearch) : agenda.due
        let left = (until - now) / .milliseconds(1)
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
    private mutating func take(_ event: Inotify.Event, at now: Agenda.Instant) {
        if event.has(IN_Q_OVERFLOW) {
            isLost = true
            return
        }
        let places = folders.places(of: event)
        if event.has(IN_IGNORED) { folders.forget(event.watch) }
        for place in places {
            if event.name.isEmpty {
                // It was moved, removed or unmounted. What lies around it tells of it as well, but
                // nothing lies around a root.
                let isGone = event.has(IN_DELETE_SELF | IN_UNMOUNT | IN_IGNORED)
                if place.path == roots[place.root].path {
                    look(at: place.root, isAnother: isGone, now)
                }
            } else if let only = place.only {
                guard event.name == only else { continue }
                look(at: place.root, now)
                noteChange(of: place.root, by: event, now)
            } else {
                take(event, in: place, now)
            }
        }
    }

    private mutating func take(
        _ event: Inotify.Event, in place: WatchedFolders.Folder, _ now: Agenda.Instant
    ) {
        let path = place.path.appending(event.name)
        if event.has(IN_MOVED_FROM) {
            unfinishedFiles.remove(path)
            if event.has(IN_ISDIR) { folders.leave(path, of: place.root) }
        } else if event.has(IN_ISDIR) {
            if event.has(IN_CREATE | IN_MOVED_TO) { enter(path, of: place.root, now) }
        } else if event.has(IN_CREATE) {
            noteNew(path, in: place, now)
        } else if event.has(IN_MOVED_TO) {
            unfinishedFiles.remove(path)
            noteNewName(path, in: place, now)
        } else if event.has(IN_CLOSE_WRITE) {
            // A browser keeps a name with an empty file while it downloads to another.
            guard path.status(followsLinks: true)?.st_size != 0 else { return }
            unfinishedFiles.remove(path)
            note(place, now)
        }
    }

    /// A name is there that was not. A file that is only now being written is told of again when it is
    /// closed, but not one that has another name already, as those have that are delivered by a link.
    private mutating func noteNew(
        _ path: Path, in place: WatchedFolders.Folder, _ now: Agenda.Instant
    ) {
        guard let status = path.status(followsLinks: false) else { return }
        // Nobody writes in a folder of a Maildir but by mistake: what is there was moved or linked.
        let isDelivery =
            status.st_size > 0
            && Reading(place.path, below: roots[place.root].path) != .folder(place.path)
        if isDelivery || status.st_nlink > 1 || status.st_mode & S_IFMT != S_IFREG {
            noteNewName(path, in: place, now)
        } else {
            unfinishedFiles.insert(path)
        }
    }

    /// What has a new name is there as it is, or leads to a folder.
    private mutating func noteNewName(
        _ path: Path, in place: WatchedFolders.Folder, _ now: Agenda.Instant
    ) {
        if path.isLink, FolderIdentity(path) != nil {
            enter(path, of: place.root, now)
        } else {
            note(place, now)
        }
    }

    private mutating func enter(_ path: Path, of root: Int, _ now: Agenda.Instant) {
        // `tmp` of a Maildir is none of ours.
        guard Reading(path, below: roots[root].path) != nil else { return }
        for filled in folders.enter(path, of: root) { note(filled, of: root, now) }
        tellShortage(at: now)
    }

    private mutating func note(_ place: WatchedFolders.Folder, _ now: Agenda.Instant) {
        note(place.path, of: place.root, now)
    }

    private mutating func note(_ folder: Path, of root: Int, _ now: Agenda.Instant) {
        if let reading = Reading(folder, below: roots[root].path) {
            agenda.note(reading, at: now)
        }
    }

    /// Something happened to a place that is a file.
    private mutating func noteChange(
        of root: Int, by event: Inotify.Event, _ now: Agenda.Instant
    ) {
        guard roots[root].state == .file, event.has(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE)
        else { return }
        agenda.note(.tree(roots[root].path), at: now)
    }

    /// Looks whether a place is still what it was, and watches what it is.
    ///
    /// - Parameter isAnother: What was there is gone, even where its number was given to another.
    private mutating func look(
        at index: Int, isAnother: Bool = false, _ now: Agenda.Instant
    ) {
        guard isChanged(index, now) || isAnother else { return }
        if isAnother { agenda.note(.tree(roots[index].path), at: now) }
        folders.leave(index)
        folders.enter(roots[index], index)
        tellShortage(at: now)
    }

    private mutating func isChanged(_ index: Int, _ now: Agenda.Instant) -> Bool {
        let old = roots[index].state
        roots[index].look()
        let root = roots[index]
        guard old != root.state else { return false }
        if root.state == .missing {
            // A mailbox without mail is often no file at all.
            if old != .file { notices.append(.gone(root.path)) }
        } else {
            if old == .missing, root.isFolder { notices.append(.back(root.path)) }
            agenda.note(.tree(root.path), at: now)
        }
        return true
    }

    private mutating func watchAnew(at now: Agenda.Instant) {
        for index in roots.indices { _ = isChanged(index, now) }
        folders.renew { folders in
            for index in roots.indices { folders.enter(roots[index], index) }
        }
        tellShortage(at: now)
    }

    private mutating func tellShortage(at now: Agenda.Instant) {
        agenda.note(isTold: folders.shortage == nil, at: now)
        if let shortage = folders.shortage, shortage != told {
            notices.append(.untold(shortage))
        }
        told = folders.shortage
    }
}

extension Reading {
    /// What is gone by now is read where it turns up again.
    fileprivate var isThere: Bool {
        switch self {
        case .everything: true
        case .tree(let path), .folder(let path): path.status(followsLinks: true) != nil
        }
    }
}
