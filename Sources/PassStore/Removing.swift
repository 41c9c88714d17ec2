internal import Bytes
public import Foundation
internal import GRDB
public import PassModel

extension PassLibrary {
    /// Removes a pass with its history and files; false if this instance sees no such pass.
    ///
    /// In PassKit: `PKPassLibrary.removePass(_:)`.
    ///
    /// ```swift
    /// if try !library.remove(stored.identity) { print("no such pass") }
    /// ```
    ///
    /// - Throws: ``LibraryError/cannotWrite(path:reason:)``, also for a read-only instance;
    ///   ``LibraryError/locked(_:)``; ``LibraryError/replaced(_:)``.
    @discardableResult
    public func remove(_ identity: PassIdentity) throws(LibraryError) -> Bool {
        try mendingOnce { () throws(LibraryError) in try removeOnce(identity) }
    }

    /// Removes passes with their histories and files in one transaction, except passes that have
    /// received a new version since they were read: those keep all versions.
    ///
    /// Decides under the lock, so that no process can add a version in the meantime.
    ///
    /// ```swift
    /// let kept = try library.remove(library.passes(limit: 10), asOf: .now)
    /// print("\(kept.count) passes have a new version")
    /// ```
    ///
    /// - Parameters:
    ///   - passes: The passes as they were read. Those already removed are ignored.
    ///   - moment: The time of the user's request: versions imported later are new.
    /// - Returns: The passes that stay.
    /// - Throws: As ``remove(_:)``.
    @discardableResult
    public func remove(
        _ passes: [StoredPass], asOf moment: Date
    ) throws(LibraryError) -> [StoredPass] {
        let moment = moment.timeIntervalSince1970
        return try mendingOnce { () throws(LibraryError) in
            var staying: [StoredPass] = []
            _ = try removeOnce { db in
                staying = []
                return try passes.compactMap { pass in
                    guard let found = try visible(pass.identity, db) else { return nil }
                    if try found.isStill(pass, asOf: moment, db) { return found }
                    staying.append(pass)
                    return nil
                }
            }
            return staying
        }
    }

    private func removeOnce(_ identity: PassIdentity) throws(LibraryError) -> Bool {
        try removeOnce { db in try visible(identity, db).map { [$0] } ?? [] }
    }

    /// - Parameter choose: Selects the passes to remove, within the transaction.
    /// - Returns: Whether there were any.
    private func removeOnce(
        _ choose: (Database) throws -> [PassRecord]
    ) throws(LibraryError) -> Bool {
        try holdingLock(for: .removing) { () throws(LibraryError) in
            let digests = try write { db in
                try choose(db).flatMap { pass in try pass.removeWholly(db) }
            }
            // First the index, then the files: if the process is killed in between, orphaned files
            // are left, which a check finds.
            for sha256 in digests { try files.removePass(sha256) }
            return !digests.isEmpty
        }
    }
}

extension PassRecord {
    /// Whether the current version is the same, and no version was imported after `moment`.
    func isStill(_ pass: StoredPass, asOf moment: Double, _ db: Database) throws -> Bool {
        try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT 1 FROM versions
                    WHERE id = ? AND (sha256 = ? OR manifestSHA256 = ?) AND NOT EXISTS
                        (SELECT 1 FROM versions WHERE pass = ? AND importedAt > ?)
                    """),
            arguments: [
                front, pass.current.sha256, pass.current.manifestSHA256, id, moment,
            ]) != nil
    }

    /// Removes the pass from the index; returns the digests of its files.
    func removeWholly(_ db: Database) throws -> [String] {
        let digests = try String.fetchAll(
            db,
            sql: """
                SELECT sha256 FROM versions WHERE pass = ?1
                UNION SELECT sha256 FROM replacedFiles WHERE pass = ?1
                """,
            arguments: [id])
        try SearchTable.remove(id, db)
        try delete(db)
        try Changes.note(.removed, identity, Date.now.timeIntervalSince1970, db)
        return digests
    }
}
