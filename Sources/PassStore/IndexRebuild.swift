internal import Bytes
internal import Foundation
internal import GRDB
internal import Glibc
internal import PassModel
internal import PassVerification
internal import Platform

/// Rebuilds the index from the pass files.
///
/// Creates a new index beside the old one and exchanges them, so that there is always one. An
/// interrupted rebuild starts again until the new index has its final name. Once the new index has
/// its intermediate name, it is complete, and data is salvaged from it.
struct IndexRebuild {
    /// The pass files that the verifier rejected, which were moved to `damaged`.
    private(set) var refused: [String] = []

    private let files: FileStore
    private let patience: Duration

    init(_ files: FileStore, patience: Duration) {
        self.files = files
        self.patience = patience
    }

    mutating func run(_ verify: (Data) -> VerifiedPass?) throws -> LibraryFinding.RebuiltIndex {
        let new = Index.draftPath(in: files.root)
        let ready = Index.readyPath(in: files.root)
        let wasBegun = try files.isThere(new)
        var rebuilt: LibraryFinding.RebuiltIndex
        do {
            for suffix in ["-wal", "-shm", "-journal"] { try files.remove(new + suffix) }
            try files.empty(new)
            let source = try files.isThere(ready) ? ready : Index.path(in: files.root)
            let salvage = try Salvage(from: source, files, patience: patience)
            rebuilt = try fill(new, salvage, verify)
            try salvage.close()
            try files.syncFile(new)
        } catch {
            // Remove the draft, which marks the old index as damaged. The old index may be intact,
            // and only temporarily unreadable.
            if !wasBegun { try? files.remove(new) }
            throw error
        }
        try DurableFile.move(new.utf8, to: ready.utf8)
        rebuilt.oldIndex = try exchange(ready)
        return rebuilt
    }

    /// Fills a new index. Returns the numbers of files added.
    private mutating func fill(
        _ new: String, _ salvage: Salvage, _ verify: (Data) -> VerifiedPass?
    ) throws -> LibraryFinding.RebuiltIndex {
        // Syncs once, at the end: nothing uses the index before it is complete.
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
        }
        let index = try DatabaseQueue(path: new, configuration: configuration)
        try Schema.migrator.migrate(index)
        var rebuilt = LibraryFinding.RebuiltIndex()
        try index.write { db in
            try Index.beginNumbers(
                after: salvage.lastPass, lastDownload: salvage.lastDownload(files), db)
            let readmission = Readmission(files)
            var missing = Set(salvage.versions.keys)
            for sha256 in try salvage.sortedByArrival(files.storedDigests()) {
                guard let admission = try readmission.add(sha256, verify, db, salvage) else {
                    refused.append(files.path(of: sha256))
                    continue
                }
                missing.remove(sha256)
                rebuilt.files += 1
                let isOfUnknownOrigin =
                    salvage.origins[sha256] == nil && admission != .unchanged
                rebuilt.unknownOrigins += isOfUnknownOrigin ? 1 : 0
            }
            try salvage.copySettings(to: db)
            // If a pass was lost, its source must be read again.
            let isWhole = salvage.knowsDigests && missing.isEmpty
            if isWhole { try salvage.copySourceNotes(to: db) }
            try salvage.copyServiceLogs(to: db)
            rebuilt.hasAllDownloads = try salvage.copyDownloads(finished: isWhole, to: db)
        }
        try index.close()
        return rebuilt
    }

    /// Replaces the old index by the new one. Returns the path of the old one; nil if there was
    /// none.
    private func exchange(_ new: String) throws -> String? {
        let path = Index.path(in: files.root)
        try DurableFile.makeFolder(files.damaged.utf8)
        let old = try files.unusedName("\(files.damaged)/library.sqlite")
        // Link it to a second name first, so that there is always an index. Move its log away, or
        // SQLite would replay it into the new index.
        let isKept = try files.isThere(path)
        if isKept, unsafe link(path, old) != 0 { try DurableFile.move(path.utf8, to: old.utf8) }
        if try files.hasContents(path + "-wal") {
            try DurableFile.move((path + "-wal").utf8, to: (old + "-wal").utf8)
        }
        try files.syncDirectory(files.damaged)
        for suffix in ["-wal", "-shm"] { try files.remove(path + suffix) }
        // Leave a log that a reader has created in the meantime: it is empty, and a reader of the
        // new index may use it.
        try DurableFile.move(new.utf8, to: path.utf8)
        return isKept ? old : nil
    }
}

extension Index {
    /// Starts new IDs after all IDs of passes, downloads, changes and notes used before, so that no
    /// old ID gets a new meaning.
    fileprivate static func beginNumbers(
        after lastPass: Int64, lastDownload: Int64, _ db: Database
    ) throws {
        let now = Int64(Date.now.timeIntervalSince1970 * 1000)
        for (table, number) in [
            ("passes", lastPass), ("downloads", lastDownload), ("changes", now),
            ("sourceNotes", now),
        ] {
            try db.execute(
                sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
                arguments: [table, number])
        }
    }
}

extension FileStore {
    /// Creates an empty file, or empties an existing one.
    fileprivate func empty(_ path: String) throws(FileError) {
        // Without O_TRUNC, which confined programs may not use with Landlock before version 3.
        let number = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw FileError(.create, errno) }
        let file = FileDescriptor(number)
        defer { file.close() }
        guard ftruncate(number, 0) == 0 else { throw FileError(.create, errno) }
    }

    fileprivate func hasContents(_ path: String) throws(LibraryError) -> Bool {
        guard try isThere(path) else { return false }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            let failure = FileError(.examine, errno)
            throw .cannotRead(path: path, reason: .system(failure.code))
        }
        return status.st_size > 0
    }
}
