internal import Bytes
internal import Foundation
internal import GRDB
internal import Glibc
internal import PassModel
internal import PassVerification

/// Whether the index is whole, and agrees with itself.
extension Checkup {
    /// Looks at the database; one that is beyond use is made again from the pass files.
    mutating func lookAtIndex(_ verify: (Data) -> VerifiedPass?) throws {
        let path = Index.path(in: files.root)
        guard let damage = try damage() else { return }
        guard mend else {
            note(.damagedIndex, path, damage)
            return
        }
        try rebuild(verify)
        note(.damagedIndex, path, "\(damage); it was made again from the pass files")
    }

    /// What is wrong with the database; nil when it can be used.
    private func damage() throws -> String? {
        guard files.exists(Index.path(in: files.root)) else { return "it is gone" }
        do {
            let index = try Index.openForCheck(files, patience: patience)
            let answers = try index.read { db in
                let answers = try String.fetchAll(db, sql: "PRAGMA integrity_check(3)")
                guard answers == ["ok"] else { return answers }
                // Rows can be whole and still not hold what the schema promises.
                let passes = try PassRecord.fetchCursor(db)
                while try passes.next() != nil {}
                let versions = try VersionRecord.fetchCursor(db)
                while try versions.next() != nil {}
                let broken = try Row.fetchOne(db, sql: "PRAGMA foreign_key_check")
                return broken == nil ? [] : ["a row points to one that is gone"]
            }
            try index.close()
            return answers.isEmpty ? nil : answers.joined(separator: ", ")
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: return error.message ?? "it is no database"
            default: throw error
            }
        } catch LibraryError.corrupted(_, let reason) {
            return reason
        } catch let error as DecodingError {
            return "\(error)"
        }
    }

    /// Makes a new index beside the old one and exchanges them, so that there is always one.
    private mutating func rebuild(_ verify: (Data) -> VerifiedPass?) throws {
        let path = Index.path(in: files.root)
        let new = path + ".new"
        for suffix in ["", "-wal", "-shm", "-journal"] { try files.remove(new + suffix) }
        try files.create(new).close()
        let origins = Index.salvageOrigins(from: path)
        let index = try DatabaseQueue(path: new)
        try Schema.migrator.migrate(index)
        for folder in try files.names(in: files.passes) where files.isFolder(folder) {
            for name in try files.names(in: "\(files.passes)/\(folder)") {
                guard let sha256 = files.sha256(named: name) else { continue }
                try readmit(sha256, origins[sha256] ?? [], verify, index)
            }
        }
        try index.close()
        try files.syncFile(new)
        let old = "\(path).damaged-\(Int(Date.now.timeIntervalSince1970))"
        // The old log would be replayed into the new index.
        for suffix in ["-wal", "-shm"] where files.exists(path + suffix) {
            try files.rename(path + suffix, to: old + suffix)
        }
        // A second name first, so that there is an index at every moment.
        if files.exists(path), unsafe link(path, old) != 0 { try files.rename(path, to: old) }
        try files.rename(new, to: path)
        try files.syncDirectory(files.root)
    }

    private mutating func readmit(
        _ sha256: String, _ origins: [Origin], _ verify: (Data) -> VerifiedPass?,
        _ index: DatabaseQueue
    ) throws {
        let path = files.path(of: sha256)
        let octets = try Data(contentsOf: URL(fileURLWithPath: path))
        guard let verified = verify(octets), verified.sha256 == sha256 else {
            try files.setAside(path)
            note(
                .refusedFile, path,
                "the verifier does not take this file, or it was changed: it was set aside in "
                    + "'damaged'")
            return
        }
        let sources = origins.isEmpty ? [Origin(source: path)] : origins
        try index.write { db in
            var admittance = Admittance(db)
            for origin in sources {
                _ = try admittance.admit(Arrival(pass: verified, origin: origin))
            }
        }
    }

    /// Whether the version in front of each pass is the one that belongs there.
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
            note(.wrongFront, path, "another version belongs in front", about: identity)
        }
    }

    /// Whether the search has the passes that there are, and agrees with itself.
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
                try db.execute(sql: "DELETE FROM search")
                try db.execute(sql: "INSERT INTO search (search) VALUES ('rebuild')")
                for pass in try PassRecord.fetchAll(db) { try SearchTable.index(pass, db) }
            }
        }
        note(
            .wrongSearch, Index.path(in: files.root), "the search does not fit the passes")
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

    /// The origins that can still be read from a damaged index, by the digests of the versions.
    static func salvageOrigins(from path: String) -> [String: [Origin]] {
        var origins: [String: [Origin]] = [:]
        var configuration = Configuration()
        configuration.readonly = true
        try? DatabaseQueue(path: path, configuration: configuration).read { db in
            let rows = try Salvaged.fetchCursor(
                db,
                sql: """
                    SELECT versions.sha256, origins.* FROM versions
                    JOIN origins ON origins.version = versions.id ORDER BY origins.id
                    """)
            while let row = try rows.next() {
                origins[row.sha256, default: []].append(row.origin.origin)
            }
        }
        return origins
    }

    private struct Salvaged: FetchableRecord {
        let sha256: String
        let origin: OriginRecord

        init(row: Row) throws {
            sha256 = try row.value("sha256")
            origin = try OriginRecord(row: row)
        }
    }
}
