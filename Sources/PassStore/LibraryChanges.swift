internal import Bytes
internal import Dispatch
internal import Foundation
internal import GRDB
internal import Glibc
public import PassModel
internal import Synchronization

/// Something that changed in the library, by this process or another.
public enum LibraryChange: Sendable, Hashable {
    /// A pass that the library did not have.
    case added(PassIdentity)
    /// Another version came to front, or the one in front was judged anew.
    case updated(PassIdentity)
    /// A pass was removed, with all its versions.
    case removed(PassIdentity)
    /// More changed than the library remembers: what was read before has to be read again.
    case everything
}

extension PassLibrary {
    /// Every change from now on, by any process, each once, in the order in which they happened. The stream ends
    /// with ``LibraryChange/everything`` when the index was replaced: the library is to be opened again.
    ///
    /// - Throws: ``LibraryError`` when the index cannot be read. A stream that has begun never fails.
    public func changes() throws(LibraryError) -> AsyncStream<LibraryChange> {
        let start = try read(Changes.latest)
        let (stream, continuation) = AsyncStream.makeStream(of: LibraryChange.self)
        let feed = ChangeFeed(self, from: start, into: continuation)
        continuation.onTermination = { _ in feed.stop() }
        feed.start()
        return stream
    }
}

/// The table of changes, written in the transaction of the change itself.
enum Changes {
    enum Kind: String, Codable { case added, updated, removed }

    /// A reader that is neither an hour nor this many changes behind misses none.
    static let remembered = 10_000

    struct Record: Codable, FetchableRecord {
        var id: Int64
        var kind: Kind
        var passTypeIdentifier: String
        var serialNumber: String

        var change: LibraryChange {
            let identity = PassIdentity(
                passTypeIdentifier: passTypeIdentifier, serialNumber: serialNumber)
            return switch kind {
            case .added: .added(identity)
            case .updated: .updated(identity)
            case .removed: .removed(identity)
            }
        }
    }

    static func note(
        _ kind: Kind, _ identity: PassIdentity, _ now: Double, _ db: Database
    ) throws {
        try db.run(
            "INSERT INTO changes (kind, passTypeIdentifier, serialNumber, at) VALUES (?, ?, ?, ?)",
            [kind.rawValue, identity.passTypeIdentifier, identity.serialNumber, now])
    }

    static func prune(_ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM changes WHERE id <= ? AND at < ?",
            arguments: [try latest(db) - Int64(remembered), Date.now.timeIntervalSince1970 - 3600])
    }

    /// The number of the last change that there ever was.
    static func latest(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'changes'") ?? 0
    }

    static func after(_ id: Int64, limit: Int, _ db: Database) throws -> [Record] {
        try Record.fetchAll(
            db, sql: "SELECT * FROM changes WHERE id > ? ORDER BY id LIMIT ?",
            arguments: [id, limit])
    }
}

/// Reads the table of changes whenever somebody has let go of the library's lock.
private final class ChangeFeed: Sendable {
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
            self.drain()
            self.deliver()
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
            return (try? notices.watch(root, for: IN_CLOSE_WRITE)) == nil ? nil : notices.number
        case .none: return nil
        }
    }

    private func drain() {
        switch notices {
        case .some(let notices): while !notices.read().isEmpty {}
        case .none: break
        }
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
            guard case .replaced = error else { return nil }
            continuation.yield(.everything)
            continuation.finish()
            return nil
        }
    }
}
