internal import Bytes
internal import Foundation
internal import GRDB
public import PassModel

extension PassLibrary {
    /// Removes a pass with its history and its files; false when this instance sees no such pass.
    ///
    /// - Throws: ``LibraryError/cannotWrite(path:reason:)``, also for an instance that only reads;
    ///   ``LibraryError/locked(_:)``; ``LibraryError/replaced(_:)``.
    @discardableResult
    public func remove(_ identity: PassIdentity) throws(LibraryError) -> Bool {
        try mendingOnce { () throws(LibraryError) in try removeOnce(identity) }
    }

    private func removeOnce(_ identity: PassIdentity) throws(LibraryError) -> Bool {
        try holdingLock(for: .removing) { () throws(LibraryError) in
            let digests: [String]? = try write { db in
                guard let pass = try visible(identity, db) else { return nil }
                return try pass.removeWholly(db)
            }
            // First the index, then the files: killed in between, a file is left that nothing
            // points to, and the check finds it.
            for sha256 in digests ?? [] { try files.removePass(sha256) }
            return digests != nil
        }
    }
}

extension PassRecord {
    /// Removes the pass from the index; returns the digests of its files.
    func removeWholly(_ db: Database) throws -> [String] {
        let digests = try String.fetchAll(
            db, sql: "SELECT sha256 FROM versions WHERE pass = ?", arguments: [id])
        try SearchTable.remove(id, db)
        try delete(db)
        try Changes.note(.removed, identity, Date.now.timeIntervalSince1970, db)
        return digests
    }
}
