internal import Foundation
internal import GRDB
internal import PassModel
internal import PassVerification
internal import Platform

/// Checks that the index is intact and consistent.
extension Checkup {
    /// Checks the database; rebuilds an unusable one from the pass files.
    mutating func lookAtIndex(_ verify: (Data) -> VerifiedPass?) throws {
        let path = Index.path(in: files.root)
        guard let damage = try damage() else { return }
        guard mend else {
            note(.damagedIndex(damage, nil), path)
            return
        }
        note(.damagedIndex(damage, try rebuild(verify)), path)
    }

    /// The damage of the database; nil if it is usable.
    private func damage() throws -> IndexDamage? {
        guard try files.isThere(Index.path(in: files.root)) else { return .gone }
        if let damage = try Index.visibleDamage(files) { return damage }
        do {
            let index = try Index.openForCheck(files, patience: patience)
            let damage = try index.read { db -> IndexDamage? in
                let answers = try String.fetchAll(db, sql: "PRAGMA integrity_check(3)")
                guard answers == ["ok"] else {
                    return .reported(IndexDamage.inOneLine(answers.joined(separator: ", ")))
                }
                // Rows can be intact and still violate the schema.
                let passes = try PassRecord.fetchCursor(db)
                while try passes.next() != nil {}
                let versions = try VersionRecord.fetchCursor(db)
                while try versions.next() != nil {}
                let downloads = try DownloadRow.fetchCursor(db, sql: "SELECT * FROM downloads")
                while try downloads.next() != nil {}
                let broken = try Row.fetchOne(db, sql: "PRAGMA foreign_key_check")
                return broken == nil ? nil : .danglingRow
            }
            try index.close()
            return damage
        } catch let error as DatabaseError {
            switch error.resultCode {
            // An SQL error is a defect of the program, or a missing table.
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_CONSTRAINT:
                return error.message.map { .reported(IndexDamage.inOneLine($0)) } ?? .notDatabase
            default: throw error
            }
        } catch LibraryError.corrupted(_, let reason) {
            return reason
        } catch let error as LibraryError {
            throw error
        } catch let error as FileError {
            throw error
        } catch {
            // Any other error means that a row violates the schema.
            return IndexDamage(unreadable: error)
        }
    }

    /// Checks that the current version of each pass is the right one.
    mutating func lookAtFronts(_ index: DatabaseQueue) throws {
        let path = Index.path(in: files.root)
        let mend = mend
        let wrong = try index.write { db in
            var wrong: [PassIdentity] = []
            for var pass in try PassRecord.fetchAll(db) {
                guard let best = try pass.best(db) else {
                    wrong.append(pass.identity)
                    if mend {
                        _ = try pass.removeWholly(db)
                        try SourceNotes.forget(db)
                        try DownloadRow.forgetFinished(db)
                    }
                    continue
                }
                guard best.id != pass.front else { continue }
                wrong.append(pass.identity)
                if mend {
                    try pass.putInFront(best, change: .updated, Date.now.timeIntervalSince1970, db)
                }
            }
            return wrong
        }
        for identity in wrong {
            note(.wrongFront, path, about: identity)
        }
    }

    /// Checks that the search index contains all passes and is consistent.
    mutating func lookAtSearch(_ index: DatabaseQueue) throws {
        let isWhole = try index.write { db in
            let difference = try Int.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) FROM passes WHERE id NOT IN (SELECT rowid FROM search))
                        + (SELECT count(*) FROM search WHERE rowid NOT IN (SELECT id FROM passes))
                    """)
            guard difference == 0 else { return false }
            do {
                try db.execute(sql: "INSERT INTO search (search) VALUES ('integrity-check')")
                return true
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                return false
            }
        }
        guard !isWhole else { return }
        if mend {
            try index.write { db in
                // A damaged table cannot be emptied row by row.
                let table = try String.fetchOne(
                    db, sql: "SELECT sql FROM sqlite_master WHERE name = 'search'")
                try db.execute(sql: "DROP TABLE search")
                try db.execute(sql: table ?? "")
                for pass in try PassRecord.fetchAll(db) { try SearchTable.index(pass, db) }
            }
        }
        note(.wrongSearch, Index.path(in: files.root))
    }
}

extension Index {
    static func openForCheck(_ files: FileStore, patience: Duration) throws -> DatabaseQueue {
        var configuration = configuration(patience)
        configuration.journalMode = .wal
        let index = try DatabaseQueue(path: path(in: files.root), configuration: configuration)
        try index.inDatabase { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
        try bringUpToDate(index, files)
        return index
    }
}
