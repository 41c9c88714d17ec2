internal import Bytes
internal import Foundation
internal import GRDB
internal import Glibc
internal import PassModel
internal import PassVerification
internal import Platform

/// Checks that files and index agree.
extension Checkup {
    /// Checks the file of every version; returns the number of versions.
    mutating func lookAtVersions(_ index: DatabaseQueue) throws -> Int {
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

    /// Checks every file under `passes`.
    mutating func lookAtPassFiles(
        _ index: DatabaseQueue, _ verify: (Data) -> VerifiedPass?
    ) throws {
        let known = try index.read { db in
            try Set(String.fetchAll(db, sql: "SELECT sha256 FROM versions"))
        }
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
                let isTaken =
                    mend
                    ? try index.write { db in
                        try readmit(sha256, [], verify, db)
                    } : false
                guard !mend || isTaken else { continue }
                note(.orphanFile, path)
            }
        }
        try removePackings()
    }

    /// Removes a version without a file from the library. Returns whether other versions of its
    /// pass remain; nil if the pass is unknown.
    private func lose(
        _ version: Int64, of pass: Int64, _ index: DatabaseQueue
    ) throws -> (identity: PassIdentity, versions: LibraryFinding.RemainingVersions)? {
        try index.write { db in
            guard var record = try PassRecord.fetchOne(db, key: pass) else { return nil }
            let others = try VersionRecord.fetchAll(
                db, sql: "SELECT * FROM versions WHERE pass = ? AND id <> ?",
                arguments: [pass, version])
            let next = others.max { $0.rank < $1.rank }
            let rest = (
                record.identity,
                next == nil ? LibraryFinding.RemainingVersions.onlyVersion : .others
            )
            guard mend else { return rest }
            let now = Date.now.timeIntervalSince1970
            try SourceNotes.forget(db)
            try DownloadRow.forgetFinished(db)
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
}

extension FileStore {
    /// The sorted names in a directory; empty if it does not exist.
    func names(in path: String) throws(LibraryError) -> [String] {
        do throws(FileError) {
            return try FileDescriptor.names(in: path).sorted()
        } catch {
            if error.operation == .open, error.isAbsence { return [] }
            throw .cannotRead(path: path, reason: .system(error.code))
        }
    }

    /// Whether this is a folder for files whose digests begin with its name.
    func isFolder(_ name: String) throws(LibraryError) -> Bool {
        guard name.utf8.count == 2, name.utf8.allSatisfy(isDigit) else { return false }
        return try isThere("\(passes)/\(name)/.")
    }

    /// The digest in the name of a pass file.
    func sha256(named name: String) -> String? {
        guard name.hasSuffix(".pkpass") else { return nil }
        let digest = name.dropLast(7)
        guard digest.utf8.count == 64, digest.utf8.allSatisfy(isDigit) else { return nil }
        return String(digest)
    }

    /// The digest of a file; nil if it does not exist.
    fileprivate func digestIfThere(of path: String) throws(LibraryError) -> String? {
        do throws(FileError) {
            return try digest(of: path)
        } catch {
            if error.isAbsence { return nil }
            throw .cannotRead(path: path, reason: .system(error.code))
        }
    }

    /// Moves a file to the folder of damaged files, for inspection.
    func setAside(_ path: String) throws(FileError) {
        try makeDirectory(damaged)
        let name = path.split(separator: "/").last ?? "file"
        try rename(path, to: "\(damaged)/\(name)")
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}
