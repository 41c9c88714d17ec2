internal import Bytes
internal import Dispatch
internal import GRDB
internal import Glibc
internal import Synchronization

/// Reads the table of changes whenever somebody has let go of the library's lock.
final class ChangeFeed: Sendable {
    private let library: PassLibrary
    private let continuation: AsyncStream<LibraryChange>.Continuation
    /// The last change that was handed on.
    private let position: Mutex<Int64>
    private let sources = Mutex<[any DispatchSourceProtocol]>([])
    /// Nil where the system gives none.
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
            // Not every file system tells (NFS), nor has everybody a watch left: the clock has to do.
            timer.schedule(deadline: .now(), repeating: .seconds(1))
            return [timer]
        }
        timer.schedule(deadline: .now(), repeating: .seconds(15))
        let source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        source.setEventHandler {
            if self.takeNotices() { self.deliver() } else { self.end() }
        }
        // The notices live as long as anybody waits for them.
        source.setCancelHandler { withExtendedLifetime(self) {} }
        return [timer, source]
    }

    /// What to wait for; nil where the system does not tell.
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

    /// Takes what the system told, which may be that the library is gone or its index beyond use.
    ///
    /// - Returns: Whether there is still something to read.
    private func takeNotices() -> Bool {
        let index = Array(Index.path(in: "").dropFirst().utf8)
        var (isThere, isWritten) = (true, false)
        for event in takeEvents() {
            if event.has(IN_DELETE_SELF | IN_MOVE_SELF) { isThere = false }
            guard event.name == index else { continue }
            // SQLite writes it seldom, but to its log; and another one may have its number.
            if event.has(IN_CLOSE_WRITE) { isWritten = true } else { isThere = false }
        }
        guard isThere, isWritten else { return isThere }
        // What is in memory of it may still be what it was before somebody else wrote over it.
        do throws(LibraryError) {
            _ = try Index.openForReading(library.files, patience: library.patience)
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

    /// Hands on what is new. What cannot be read now is read at the next occasion.
    private func deliver() {
        position.withLock { position in
            while true {
                guard let records = records(after: position), let first = records.first else {
                    return
                }
                if first.id > position + 1 { continuation.yield(.everything) }
                for record in records {
                    position = record.id
                    if library.visibleTypes?.contains(record.passTypeIdentifier) != false {
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
    /// Whether the index is not that which was opened any more, or of no use. Else it may be read later.
    fileprivate var endsReading: Bool {
        switch self {
        case .replaced, .corrupted, .noSuchLibrary, .newerLibrary: true
        default: false
        }
    }
}
