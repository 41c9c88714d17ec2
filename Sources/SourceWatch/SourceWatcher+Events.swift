import Glibc
import MailSource
import Platform

/// The translation of inotify events to rescans.
extension SourceWatcher {
    mutating func take(_ event: Inotify.Event, at now: RescanSchedule.Instant) {
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
        guard Rescan(path, below: roots[root].path) != nil else { return }
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
