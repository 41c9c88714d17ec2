internal import Foundation
internal import GRDB
internal import PassVerification

/// The files whose place a better copy of the same version took.
///
/// They are deleted a day later: readers may have looked up a file just before, and a backup copies
/// the index first, and then the files.
enum ReplacedFile {
    /// In seconds.
    private static let age = 24 * 3600.0
    /// The number of files that are deleted at a time, while other processes wait.
    private static let most = 200

    static func note(_ sha256: String, of pass: Int64, at now: Double, _ db: Database) throws {
        try db.run(
            "INSERT OR REPLACE INTO replacedFiles (sha256, pass, replacedAt) VALUES (?, ?, ?)",
            [sha256, pass, now])
    }

    /// The digests of the files to be deleted at this time. A time more than a day in the future was
    /// stored while the clock was ahead.
    fileprivate static func due(_ now: Double, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT sha256 FROM replacedFiles WHERE replacedAt NOT BETWEEN ? AND ?
                    AND sha256 NOT IN (SELECT sha256 FROM versions)
                LIMIT ?
                """,
            arguments: [now - age, now + age, most])
    }

    /// The digests of the versions of the same pass.
    fileprivate static func versions(beside sha256: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT versions.sha256 FROM replacedFiles
                JOIN versions ON versions.pass = replacedFiles.pass
                WHERE replacedFiles.sha256 = ?
                """,
            arguments: [sha256])
    }
}

extension PassLibrary {
    /// Deletes the files that were replaced a day ago, unless another process is adding passes.
    /// Moves those that are not passes by the present rules to `damaged`.
    func removeReplacedFiles() {
        let now = Date.now.timeIntervalSince1970
        guard let due = try? read({ db in try ReplacedFile.due(now, db) }), !due.isEmpty else {
            return
        }
        try? LibraryLock.hold(
            for: .removing, in: files.root, patience: .zero
        ) { () throws(LibraryError) in
            try write { db in
                // Under the lock, no process can begin to refer to them again.
                for sha256 in try ReplacedFile.due(now, db) {
                    // It may be the last copy of a version whose file was lost. One that cannot be
                    // read or deleted is tried again.
                    guard
                        try ReplacedFile.versions(beside: sha256, db).allSatisfy(files.contains),
                        (try? files.discard(sha256)) != nil
                    else { continue }
                    try db.run("DELETE FROM replacedFiles WHERE sha256 = ?", [sha256])
                }
            }
        }
    }
}

extension FileStore {
    fileprivate func discard(_ sha256: String) throws {
        let path = path(of: sha256)
        if try verification(of: sha256)?.verified != nil {
            try remove(path)
        } else if try isThere(path) {
            try setAside(path)
        }
    }
}
