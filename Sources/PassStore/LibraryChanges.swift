internal import Foundation
internal import GRDB
public import PassModel

/// A change of the library by any process, as the notification
/// `PKPassLibraryNotificationName.PKPassLibraryDidChange` tells an app on a phone.
///
/// ```swift
/// let change = LibraryChange.added(stored.identity)
/// if case .added(let identity) = change { print(identity.serialNumber) }
/// ```
public enum LibraryChange: Sendable, Hashable {
    /// A new pass.
    case added(PassIdentity)
    /// A pass has another current version, a new verdict on it, or other settings of the user.
    case updated(PassIdentity)
    /// A pass was removed with all its versions.
    case removed(PassIdentity)
    /// Read everything again: there were more changes than are recorded, a setting of the library
    /// changed, or the index was replaced, which ends the stream. If reading throws
    /// ``LibraryError/replaced(_:)``, open the library again.
    case everything
}

extension PassLibrary {
    /// The changes by any process from now on, in order, each once: only those of the pass types
    /// that this instance sees. The stream ends with ``LibraryChange/everything`` when the index was
    /// replaced, deleted or damaged; opening the library again reports the error, if any. It also
    /// ends, and closes its files, when the task that reads it is cancelled.
    ///
    /// An instance with any access can report changes. They arrive within milliseconds where
    /// inotify works, otherwise, as on NFS, within a second.
    ///
    /// ```swift
    /// for await change in try library.changes() {
    ///     switch change {
    ///     case .added(let identity), .updated(let identity):
    ///         print(try library.pass(identity)?.current.description ?? "")
    ///     case .removed(let identity): print(identity.serialNumber)
    ///     case .everything: print(try library.count())
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: ``LibraryError`` if the index cannot be read. A stream that has begun never fails.
    public func changes() throws(LibraryError) -> AsyncStream<LibraryChange> {
        let start = try read(Changes.latest)
        let (stream, continuation) = AsyncStream.makeStream(of: LibraryChange.self)
        let feed = ChangeFeed(self, from: start, into: continuation)
        continuation.onTermination = { _ in feed.stop() }
        feed.start()
        return stream
    }
}

/// The table of changes, written in the same transaction as the change.
enum Changes {
    enum Kind: String, Codable {
        case added, updated, removed
        /// A change that concerns no single pass; its identity is empty.
        case everything
    }

    /// The number of changes kept. Changes of the last hour are kept in any case.
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
            case .everything: .everything
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

    /// The ID of the latest change.
    static func latest(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'changes'") ?? 0
    }

    static func after(_ id: Int64, limit: Int, _ db: Database) throws -> [Record] {
        try Record.fetchAll(
            db, sql: "SELECT * FROM changes WHERE id > ? ORDER BY id LIMIT ?",
            arguments: [id, limit])
    }
}
