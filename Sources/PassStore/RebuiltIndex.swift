internal import Bytes
internal import Foundation
internal import GRDB
internal import Glibc
internal import PassModel
internal import PassVerification

/// Making the index again from the pass files.
extension Checkup {
    /// Makes a new index beside the old one and exchanges them, so that there is always one. Ended at
    /// any moment, it is done again from the start, as long as the new one does not have its last name;
    /// by its second name it is whole, and what was salvaged is read from there.
    ///
    /// - Returns: What was done, as a clause.
    mutating func rebuild(_ verify: (Data) -> VerifiedPass?) throws -> String {
        let new = Index.draftPath(in: files.root)
        let ready = Index.readyPath(in: files.root)
        let wasBegun = try files.isThere(new)
        let count: Count
        do {
            for suffix in ["-wal", "-shm", "-journal"] { try files.remove(new + suffix) }
            try files.empty(new)
            let source = try files.isThere(ready) ? ready : Index.path(in: files.root)
            let salvage = try Salvage(from: source, files, patience: patience)
            count = try fill(new, salvage, verify)
            try salvage.close()
            try files.syncFile(new)
        } catch {
            // What is left says that the old one is damaged; it may be whole, and only unreadable now.
            if !wasBegun { try? files.remove(new) }
            throw error
        }
        try files.rename(new, to: ready)
        try files.syncDirectory(files.root)
        let old = try exchange(ready)
        try removePackings()
        return clause(count, keptAt: old)
    }

    private struct Count {
        var files = 0
        /// Of how many of them the origins are unknown.
        var unknown = 0
        var hasAllDownloads = true
    }

    private func clause(_ count: Count, keptAt old: String?) -> String {
        var clause = "it was made again from the pass files (\(count.files))"
        if let old { clause += ", and is kept as \(old)" }
        if !count.hasAllDownloads { clause += "; what was still to be downloaded may be lost" }
        if count.unknown > 0 {
            clause += "; of \(count.unknown) it is not known any more where they came from"
        }
        return clause
    }

    /// Fills a new index; returns what came of it.
    private mutating func fill(
        _ new: String, _ salvage: Salvage, _ verify: (Data) -> VerifiedPass?
    ) throws -> Count {
        // Nobody relies on it before it is whole: it is synced once, at its end.
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
        }
        let index = try DatabaseQueue(path: new, configuration: configuration)
        try Schema.migrator.migrate(index)
        var count = Count()
        try index.write { db in
            try Index.beginNumbers(
                after: salvage.lastPass, lastDownload: salvage.lastDownload(files), db)
            var missing = salvage.digests
            for sha256 in try files.storedDigests() {
                let origins = salvage.origins[sha256] ?? []
                guard try readmit(sha256, origins, verify, db, numbers: salvage.numbers) else {
                    continue
                }
                missing.remove(sha256)
                count.files += 1
                count.unknown += origins.isEmpty ? 1 : 0
            }
            // Where a pass was lost, reading its source again brings it back.
            let isWhole = salvage.knowsDigests && missing.isEmpty
            if isWhole { try salvage.copySourceNotes(to: db) }
            count.hasAllDownloads = try salvage.copyDownloads(finished: isWhole, to: db)
        }
        try index.close()
        return count
    }

    /// Takes a pass file in again; one that the verifier does not take is set aside. One that cannot be
    /// read is an error: at another time it can.
    mutating func readmit(
        _ sha256: String, _ origins: [Origin], _ verify: (Data) -> VerifiedPass?, _ db: Database,
        numbers: [PassIdentity: Int64] = [:]
    ) throws -> Bool {
        let path = files.path(of: sha256)
        let octets = try files.octetsIfAny(of: path)
        guard let verified = octets.flatMap(verify), verified.sha256 == sha256 else {
            try files.setAside(path)
            note(
                .refusedFile, path,
                "the verifier does not take this file, or it was changed: it was set aside in "
                    + "'damaged'")
            return false
        }
        var admittance = Admittance(db, numbers: numbers)
        for origin in origins.isEmpty ? [Origin(source: path)] : origins {
            _ = try admittance.admit(IncomingPass(pass: verified, origin: origin))
        }
        // Another packing of what is there already, by an import that was ended before it was done.
        if !admittance.kept.contains(sha256) { addPacking(path) }
        return true
    }

    /// Puts the new index in the place of the old one; returns where that is kept, if there was one.
    private func exchange(_ new: String) throws -> String? {
        let path = Index.path(in: files.root)
        try files.makeDirectory(files.damaged)
        let old = try files.unusedName("\(files.damaged)/library.sqlite")
        // A second name first, so that there is an index at every moment. The old log would be replayed
        // into the new index.
        let isKept = try files.isThere(path)
        if isKept, unsafe link(path, old) != 0 { try files.rename(path, to: old) }
        if try files.hasContents(path + "-wal") {
            try files.rename(path + "-wal", to: old + "-wal")
        }
        try files.syncDirectory(files.damaged)
        for suffix in ["-wal", "-shm"] { try files.remove(path + suffix) }
        // What a reader of the old one has begun since is empty, and a reader of the new one may use it.
        try files.rename(new, to: path)
        try files.syncDirectory(files.root)
        return isKept ? old : nil
    }
}

extension Index {
    /// Has the numbers of passes and downloads begin behind those that were given, and those of changes
    /// and notes where nobody was before: who has passed one, or would replace one, must not meet another's.
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
    /// The digests that files in the library's folders are named for.
    func storedDigests() throws -> [String] {
        try names(in: passes).filter { try isFolder($0) }.flatMap { folder in
            try names(in: "\(passes)/\(folder)").compactMap(sha256).filter { $0.hasPrefix(folder) }
        }
    }

    /// Makes an empty file, also of one that is there.
    fileprivate func empty(_ path: String) throws(FileError) {
        // Without O_TRUNC, which confined programs may not use where Landlock is older than version 3.
        let number = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw FileError(.create, errno) }
        let file = FileDescriptor(number)
        defer { file.close() }
        guard ftruncate(number, 0) == 0 else { throw FileError(.create, errno) }
    }

    /// What a pass file holds; nil where the name is that of no file: a directory, or a link to nothing.
    fileprivate func octetsIfAny(of path: String) throws(LibraryError) -> Data? {
        do throws(FileError) {
            return Data(try read(path))
        } catch {
            if error.isAbsence || error.code == EISDIR { return nil }
            throw .cannotRead(path: path, reason: error.reason)
        }
    }

    fileprivate func hasContents(_ path: String) throws(LibraryError) -> Bool {
        guard try isThere(path) else { return false }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            let failure = FileError(.examine, errno)
            throw .cannotRead(path: path, reason: failure.reason)
        }
        return status.st_size > 0
    }

    /// A name of this moment that no file has.
    fileprivate func unusedName(_ path: String) throws(LibraryError) -> String {
        let name = "\(path)-\(Int(Date.now.timeIntervalSince1970))"
        var candidate = name
        var number = 1
        while true {
            let isLogThere = try isThere(candidate + "-wal")
            if try !isThere(candidate), !isLogThere { return candidate }
            number += 1
            candidate = "\(name)-\(number)"
        }
    }
}
