internal import Bytes
internal import Foundation
internal import GRDB
internal import Glibc
internal import PassModel
internal import PassVerification
internal import Platform

/// A check in progress, with exclusive access to the library.
struct Checkup {
    private(set) var findings: [LibraryFinding] = []

    private let files: FileStore
    private let mend: Bool
    private let patience: Duration
    /// The IDs of versions without an intact file.
    private var lost: Set<Int64> = []

    init(files: FileStore, mend: Bool, patience: Duration) {
        self.files = files
        self.mend = mend
        self.patience = patience
    }

    /// Checks the database; rebuilds an unusable one from the pass files.
    mutating func checkIndex(_ verify: (Data) -> VerifiedPass?) throws {
        let path = Index.path(in: files.root)
        guard let damage = try damage() else { return }
        guard mend else {
            note(.damagedIndex(damage, nil), path)
            return
        }
        var rebuild = IndexRebuild(files, patience: patience)
        let rebuilt = try rebuild.run(verify)
        for file in rebuild.refused { note(.refusedFile, file) }
        note(.damagedIndex(damage, rebuilt), path)
    }

    mutating func checkAll(_ verify: (Data) -> VerifiedPass?) throws -> LibraryCheck {
        checkPermissions()
        try checkLeftovers()
        guard files.exists(Index.path(in: files.root)), !isIndexBeyondUse else {
            return LibraryCheck(findings: findings, passes: 0, versions: 0)
        }
        let index = try Index.openForCheck(files, patience: patience, mend: mend)
        let versions = try checkVersions(index)
        try checkPassFiles(index, verify)
        try checkFronts(index)
        try checkSearch(index)
        try checkUpdates(index)
        try checkDownloads(index)
        let passes = try index.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM passes") ?? 0
        }
        try index.close()
        return LibraryCheck(findings: findings, passes: passes, versions: versions)
    }

    private var isIndexBeyondUse: Bool {
        findings.contains { $0.code == .damagedIndex && !$0.isMended }
    }

    /// Checks every file under `passes`.
    mutating func checkPassFiles(
        _ index: DatabaseQueue, _ verify: (Data) -> VerifiedPass?
    ) throws {
        let known = try index.read { db in
            try String.fetchSet(
                db, sql: "SELECT sha256 FROM versions UNION SELECT sha256 FROM replacedFiles")
        }
        let readmission = Readmission(files)
        for folder in try files.names(in: files.passes) {
            guard try files.isFolder(folder) else {
                note(.strayFile, "\(files.passes)/\(folder)", mended: false)
                continue
            }
            for name in try files.names(in: "\(files.passes)/\(folder)") {
                let path = "\(files.passes)/\(folder)/\(name)"
                guard let sha256 = files.sha256(named: name), sha256.hasPrefix(folder) else {
                    note(.strayFile, path, mended: false)
                    continue
                }
                guard !known.contains(sha256) else { continue }
                // Its version was just reported as lost.
                guard !findings.contains(where: { $0.path == path }) else { continue }
                guard mend else {
                    note(.orphanFile, path)
                    continue
                }
                let admission = try index.write { db in
                    try readmission.add(sha256, verify, db)
                }
                note(admission == nil ? .refusedFile : .orphanFile, path)
            }
        }
    }

    /// Checks that the search index contains all passes and is consistent.
    mutating func checkSearch(_ index: DatabaseQueue) throws {
        let isComplete = try index.write { db in
            try SearchTable.names.allSatisfy { try self.isComplete($0, db) }
        }
        guard !isComplete else { return }
        if mend {
            try index.write { db in
                // A damaged table cannot be emptied row by row.
                for name in SearchTable.names {
                    let table = try String.fetchOne(
                        db, sql: "SELECT sql FROM sqlite_master WHERE name = ?", arguments: [name])
                    try db.execute(sql: "DROP TABLE \(name)")
                    try db.execute(sql: table ?? "")
                }
                for pass in try PassRecord.fetchAll(db) { try SearchTable.index(pass, db) }
            }
        }
        note(.wrongSearch, Index.path(in: files.root))
    }

    /// Whether a table of the search index contains all passes and is consistent.
    private func isComplete(_ table: String, _ db: Database) throws -> Bool {
        let difference = try Int.fetchOne(
            db,
            sql: """
                SELECT (SELECT count(*) FROM passes WHERE id NOT IN (SELECT rowid FROM \(table)))
                    + (SELECT count(*) FROM \(table) WHERE rowid NOT IN (SELECT id FROM passes))
                """)
        guard difference == 0 else { return false }
        do {
            try db.execute(sql: "INSERT INTO \(table) (\(table)) VALUES ('integrity-check')")
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return false
        }
    }

    /// The damage of the database; nil if it is usable.
    private func damage() throws -> IndexDamage? {
        guard try files.isThere(Index.path(in: files.root)) else { return .gone }
        if let damage = try Index.visibleDamage(files) { return damage }
        do {
            let index = try Index.openForCheck(files, patience: patience, mend: mend)
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

    private mutating func checkPermissions() {
        var isOpen = false
        if let attributes = try? FileManager.default.attributesOfItem(atPath: files.root),
            let permissions = attributes[.posixPermissions] as? NSNumber
        {
            isOpen = permissions.intValue & 0o077 != 0
        }
        guard isOpen else { return }
        let mended =
            mend
            && (try? FileManager.default.setAttributes(
                [.posixPermissions: 0o700], ofItemAtPath: files.root)) != nil
        note(.openToOthers, files.root, mended: mended)
    }

    /// No import is running, so every temporary file is a leftover.
    private mutating func checkLeftovers() throws {
        for name in try files.names(in: files.temporary) {
            let path = "\(files.temporary)/\(name)"
            if mend { try files.remove(path) }
            note(.interruptedImport, path)
        }
    }

    /// Checks the file of every version; returns the number of versions.
    private mutating func checkVersions(_ index: DatabaseQueue) throws -> Int {
        let versions = try index.read { db in
            try VersionRecord.fetchAll(db, sql: "SELECT * FROM versions ORDER BY id")
        }
        for version in versions {
            guard let id = version.id else { continue }
            let (pass, sha256) = (version.pass, version.sha256)
            let path = files.path(of: sha256)
            guard let digest = try files.digestIfThere(of: path) else {
                let rest = try lose(id, of: pass, index)
                note(.missingFile(rest?.versions), path, about: rest?.identity)
                continue
            }
            guard digest != sha256 else { continue }
            if mend { try files.setAside(path) }
            let rest = try lose(id, of: pass, index)
            note(.changedFile(rest?.versions), path, about: rest?.identity)
        }
        return versions.count
    }

    /// Removes a version without a file from the library. Returns whether other versions of its
    /// pass remain; nil if the pass is unknown.
    private mutating func lose(
        _ version: Int64, of pass: Int64, _ index: DatabaseQueue
    ) throws -> (identity: PassIdentity, versions: LibraryFinding.RemainingVersions)? {
        lost.insert(version)
        let (lost, mend, order) = (lost, mend, VersionOrder(files))
        return try index.write { db in
            guard var record = try PassRecord.fetchOne(db, key: pass) else { return nil }
            let others = try VersionRecord.fetchAll(
                db, sql: "SELECT * FROM versions WHERE pass = ?", arguments: [pass]
            ).filter { version in version.id.map { !lost.contains($0) } ?? false }
            let next = try order.sorted(others).first
            let rest = (
                record.identity,
                next == nil ? LibraryFinding.RemainingVersions.onlyVersion : .others
            )
            guard mend else { return rest }
            let now = Date.now.timeIntervalSince1970
            try SourceNotes.forget(db)
            try DownloadRow.forgetFinished(db)
            // A replaced copy may be all that is left: it is added again.
            try db.run("DELETE FROM replacedFiles WHERE pass = ?", [pass])
            if let next {
                if record.front == version {
                    try record.putInFront(next, change: .updated, now, db)
                }
                try db.execute(sql: "DELETE FROM versions WHERE id = ?", arguments: [version])
            } else {
                _ = try record.removeWholly(db)
            }
            return rest
        }
    }

    /// Checks that the current version of each pass is the right one.
    private mutating func checkFronts(_ index: DatabaseQueue) throws {
        let path = Index.path(in: files.root)
        let (mend, order) = (mend, VersionOrder(files))
        let wrong = try index.write { db in
            var wrong: [PassIdentity] = []
            for var pass in try PassRecord.fetchAll(db) {
                guard let best = try order.best(pass, db) else {
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

    /// Checks that the update records are readable. Deletes all if any is not: the passes contain
    /// the same information.
    private mutating func checkUpdates(_ index: DatabaseQueue) throws {
        let isReadable = try index.read { db in
            let records = try UpdateRecord.fetchCursor(
                db, sql: "SELECT * FROM updates WHERE url IS NOT NULL")
            do {
                while try records.next() != nil {}
                try ServiceLogs.check(db)
                return true
            } catch is DecodingError {
                return false
            }
        }
        guard !isReadable else { return }
        if mend {
            try index.write { db in
                try db.execute(sql: "DELETE FROM updates; DELETE FROM services")
            }
        }
        note(.wrongUpdates, Index.path(in: files.root))
    }

    /// Checks that the files of downloads belong to unfinished downloads.
    private mutating func checkDownloads(_ index: DatabaseQueue) throws {
        let names = try files.names(in: files.downloads)
        let ended = try index.read { db in
            Set(try DownloadRow.ended(names.compactMap(DownloadFile.id), db))
        }
        for name in names {
            let path = "\(files.downloads)/\(name)"
            guard let id = DownloadFile.id(named: name), isFile(path) else {
                note(.strayFile, path, mended: false)
                continue
            }
            // The process that holds the file removes it.
            guard ended.contains(id), DownloadFile.look(at: path)?.isHeld != true else { continue }
            if mend { try DownloadFile.take(path, making: false)?.remove() }
            note(.interruptedDownload, path)
        }
    }

    private func isFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private mutating func note(
        _ kind: LibraryFinding.Kind, _ path: String, about identity: PassIdentity? = nil,
        mended: Bool? = nil
    ) {
        findings.append(
            LibraryFinding(kind: kind, path: path, identity: identity, isMended: mended ?? mend))
    }
}

extension FileStore {
    /// The digest of a file; nil if it does not exist.
    fileprivate func digestIfThere(of path: String) throws(LibraryError) -> String? {
        do throws(FileError) {
            return try digest(of: path)
        } catch {
            if error.isAbsence { return nil }
            throw .cannotRead(path: path, reason: .system(error.code))
        }
    }
}
