internal import Bytes
internal import Foundation
internal import GRDB
internal import Glibc
internal import PassModel
internal import PassVerification

/// Making the index again from the pass files.
extension Checkup {
    /// Makes a new index beside the old one and exchanges them, so that there is always one. Ended at
    /// any moment, it is done again from the start: as long as the new one has its first name.
    ///
    /// - Returns: What was done, as a clause.
    mutating func rebuild(_ verify: (Data) -> VerifiedPass?) throws -> String {
        let new = Index.draftPath(in: files.root)
        for suffix in ["-wal", "-shm", "-journal"] { try files.remove(new + suffix) }
        try files.empty(new)
        let salvage = Salvage(from: Index.path(in: files.root))
        let count = try fill(new, salvage, verify)
        try files.syncFile(new)
        let old = try exchange(new)
        return clause(count.files, unknown: count.unknown, keptAt: old)
    }

    private func clause(_ count: Int, unknown: Int, keptAt old: String?) -> String {
        var clause = "it was made again from the pass files (\(count))"
        if let old { clause += ", and is kept as \(old)" }
        if unknown > 0 { clause += "; of \(unknown) it is not known any more where they came from" }
        return clause
    }

    /// Fills a new index; returns how many files there were, and of how many the origins are unknown.
    private mutating func fill(
        _ new: String, _ salvage: Salvage, _ verify: (Data) -> VerifiedPass?
    ) throws -> (files: Int, unknown: Int) {
        // Nobody relies on it before it is whole: it is synced once, at its end.
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
        }
        let index = try DatabaseQueue(path: new, configuration: configuration)
        try Schema.migrator.migrate(index)
        var (count, unknown) = (0, 0)
        try index.write { db in
            try Index.beginNumbers(after: salvage.lastPass, db)
            for sha256 in try files.storedDigests() {
                let origins = salvage.origins[sha256] ?? []
                guard try readmit(sha256, origins, verify, db, numbers: salvage.numbers) else {
                    continue
                }
                count += 1
                unknown += origins.isEmpty ? 1 : 0
            }
        }
        try index.close()
        return (count, unknown)
    }

    /// Takes a pass file in again; one that the verifier does not take is set aside.
    mutating func readmit(
        _ sha256: String, _ origins: [Origin], _ verify: (Data) -> VerifiedPass?, _ db: Database,
        numbers: [PassIdentity: Int64] = [:]
    ) throws -> Bool {
        let path = files.path(of: sha256)
        let octets = try? Data(contentsOf: URL(fileURLWithPath: path))
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
            _ = try admittance.admit(Arrival(pass: verified, origin: origin))
        }
        // Another packing of what is there already, by an import that was ended before it was done.
        if !admittance.kept.contains(sha256) { try files.remove(path) }
        return true
    }

    /// Puts the new index in the place of the old one; returns where that is kept, if there was one.
    private func exchange(_ new: String) throws -> String? {
        let path = Index.path(in: files.root)
        try files.makeDirectory(files.damaged)
        let old = files.unusedName("\(files.damaged)/library.sqlite")
        // The old log would be replayed into the new index. A second name first, so that there is an
        // index at every moment.
        if files.hasContents(path + "-wal") { try files.rename(path + "-wal", to: old + "-wal") }
        let isKept = files.exists(path)
        if isKept, unsafe link(path, old) != 0 { try files.rename(path, to: old) }
        try files.syncDirectory(files.damaged)
        for suffix in ["-wal", "-shm"] { try files.remove(path + suffix) }
        try files.rename(new, to: path)
        // Somebody who looked at the old one at this moment may have begun another.
        for suffix in ["-wal", "-shm"] { try files.remove(path + suffix) }
        try files.syncDirectory(files.root)
        return isKept ? old : nil
    }
}

extension Index {
    /// Has the numbers of passes begin behind those that were given, and those of changes and notes
    /// where nobody was before: who has passed one, or would replace one, must not meet another's.
    fileprivate static func beginNumbers(after lastPass: Int64, _ db: Database) throws {
        let now = Int64(Date.now.timeIntervalSince1970 * 1000)
        for (table, number) in [("passes", lastPass), ("changes", now), ("sourceNotes", now)] {
            try db.execute(
                sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
                arguments: [table, number])
        }
    }
}

extension FileStore {
    /// The digests that files in the library's folders are named for.
    func storedDigests() throws -> [String] {
        try names(in: passes).filter(isFolder).flatMap { folder in
            try names(in: "\(passes)/\(folder)").compactMap(sha256).filter { $0.hasPrefix(folder) }
        }
    }

    /// Makes an empty file, also of one that is there.
    fileprivate func empty(_ path: String) throws(FileError) {
        let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw FileError(operation: "create", code: errno) }
        FileDescriptor(number).close()
    }

    fileprivate func hasContents(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_size > 0
    }

    /// A name of this moment that no file has.
    fileprivate func unusedName(_ path: String) -> String {
        let name = "\(path)-\(Int(Date.now.timeIntervalSince1970))"
        var candidate = name
        var number = 1
        while exists(candidate) || exists(candidate + "-wal") {
            number += 1
            candidate = "\(name)-\(number)"
        }
        return candidate
    }
}
