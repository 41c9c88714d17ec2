internal import Bytes
internal import Dispatch
internal import GRDB
internal import Glibc
internal import Platform
internal import Synchronization

/// Reads the table of changes whenever a process has released the library's lock.
final class ChangeFeed: Sendable {
    private let library: PassLibrary
    private let continuation: AsyncStream<LibraryChange>.Continuation
    /// The last change delivered.
    private let position: Mutex<Int64>
    private let sources = Mutex<[any DispatchSourceProtocol]>([])
    /// Nil if inotify is not available.
    private let notices: Inotify?

    init(
        _ library: PassLibrary, from position: Int64,
        into continuation: AsyncStream<LibraryChange>.Continuation
    ) {
        self.library = library
        self.position = Mutex(position)
        self.continuation = continuation
        notices = try? Inotify()
    }

    func start() {
        sources.withLock { sources in
            sources = makeSources()
            for source in sources { source.resume() }
        }
    }

    func stop() {
        sources.withLock { sources in
            for source in sources { source.cancel() }
            sources = []
        }
    }

    private func makeSources() -> [any DispatchSourceProtocol] {
        let queue = DispatchQueue(label: "PassLibrary.changes")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { self.deliver() }
        guard let number = watch() else {
            // Poll if inotify is unavailable, as on NFS or at the limit of watches.
            timer.schedule(deadline: .now(), repeating: .seconds(1))
            return [timer]
        }
        timer.schedule(deadline: .now(), repeating: .seconds(15))
        let source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        source.setEventHandler {
            if self.takeNotices() { self.deliver() } else { self.end() }
        }
        // Keeps this object alive as long as the source is active.
        source.setCancelHandler { withExtendedLifetime(self) {} }
        return [timer, source]
    }

    /// The descriptor to poll; nil if inotify is not available.
    private func watch() -> CInt? {
        switch notices {
        case .some(let notices):
            let root = Array(library.files.root.utf8)
            let bits =
                IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
                | IN_MOVE_SELF
            return (try? notices.watch(root, for: bits)) == nil ? nil : notices.number
        case .none: return nil
        }
    }

    /// Processes pending inotify events, which may mean that the library was deleted or its index
    /// replaced.
    ///
    /// - Returns: Whether the library can still be read.
    private func takeNotices() -> Bool {
        let index = Array(Index.path(in: "").dropFirst().utf8)
        var (isThere, isWritten) = (true, false)
        for event in takeEvents() {
            if event.has(IN_DELETE_SELF | IN_MOVE_SELF) { isThere = false }
            guard event.name == index else { continue }
            // SQLite rarely closes the database file after writing, so a process may have replaced
            // the file.
            if event.has(IN_CLOSE_WRITE) { isWritten = true } else { isThere = false }
        }
        guard isThere, isWritten else { return isThere }
        // The open connection may still use the old file.
        do throws(LibraryError) {
            _ = try OpenIndex.open(
                library.files, for: .reading, patience: library.patience, mending: nil)
            return true
        } catch {
            return !error.endsReading
        }
    }

    private func takeEvents() -> [Inotify.Event] {
        var taken: [Inotify.Event] = []
        switch notices {
        case .some(let notices):
            while true {
                let events = notices.read()
                if events.isEmpty { break }
                taken += events
            }
        case .none: break
        }
        return taken
    }

    private func end() {
        continuation.yield(.everything)
        continuation.finish()
    }

    /// Delivers new changes. If they cannot be read now, they are delivered next time.
    private func deliver() {
        position.withLock { position in
            while true {
                guard let records = records(after: position), let first = records.first else {
                    return
                }
                if first.id > position + 1 { continuation.yield(.everything) }
                for record in records {
                    position = record.id
                    let isVisible =
                        library.sees(record.passTypeIdentifier)
                    if isVisible || record.kind == .everything {
                        continuation.yield(record.change)
                    }
                }
            }
        }
    }
}

extension ChangeFeed {
    private func records(after last: Int64) -> [Changes.Record]? {
        do throws(LibraryError) {
            return try library.read { db in try Changes.after(last, limit: 500, db) }
        } catch {
            if error.endsReading { end() }
            return nil
        }
    }
}

extension LibraryError {
    /// Whether the open index was replaced or is unusable. After other errors, a later read may
    /// succeed.
    fileprivate var endsReading: Bool {
        switch self {
        case .replaced, .corrupted, .noSuchLibrary, .newerLibrary: true
        default: false
        }
    }
}
