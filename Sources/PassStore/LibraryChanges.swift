internal import Foundation
internal import GRDB
public import PassModel

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
    /// with ``LibraryChange/everything`` when the index was replaced, is gone or beyond use: the library is to
    /// be opened again, which says why it cannot be.
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
