internal import Bytes
internal import Foundation
internal import GRDB
internal import PassModel

extension PassLibrary {
    /// The pass with this name: its ID, `type/serial`, its URL (``/PassModel/PassIdentity/passURL``),
    /// a serial number, with or without `serial:` before it, or the beginning of a version's SHA-256
    /// (at least six digits).
    ///
    /// Issuers choose serial numbers, so an ID always names the pass that a list shows with it.
    ///
    /// ```swift
    /// print(try library.pass(named: "pass.com.example.card/0001").current.description)
    /// ```
    ///
    /// - Throws: ``LibraryError/noSuchPass(_:)``; ``LibraryError/ambiguous(name:candidates:)``,
    ///   with unambiguous names of the candidates; other errors if the index cannot be read.
    public func pass(named name: String) throws(LibraryError) -> StoredPass {
        try read { db in
            let pass = try named(name, db).pass
            guard let stored = try StoredPass.load([pass], db).first else {
                throw LibraryError.noSuchPass(name)
            }
            return stored
        }
    }

    /// The version with this name: the current one, unless the name is the SHA-256 of an older one.
    ///
    /// ```swift
    /// let file = library.file(of: try library.version(named: "3"))
    /// ```
    ///
    /// - Throws: As ``pass(named:)``.
    public func version(named name: String) throws(LibraryError) -> StoredVersion {
        try read { db in
            let (pass, byDigest) = try named(name, db)
            guard let version = try byDigest ?? pass.frontRecord(db),
                let stored = try StoredVersion.load([version], db).first
            else { throw LibraryError.noSuchPass(name) }
            return stored
        }
    }

    /// The pass with this name, with the version if the name is the SHA-256 of exactly one.
    private func named(
        _ name: String, _ db: Database
    ) throws -> (pass: PassRecord, version: VersionRecord?) {
        // First, so that no pass can take the URL or the ID of another by its serial number.
        if let url = URL(string: name, encodingInvalidCharacters: false),
            let identity = PassIdentity(passURL: url)
        {
            guard let pass = try visible(identity, db) else { throw LibraryError.noSuchPass(name) }
            return (pass, nil)
        }
        if let id = Int64(name), name.isExactly("\(id)") {
            let pass = try PassRecord.fetchOne(db, key: id)
            if let pass, sees(pass.passTypeIdentifier) { return (pass, nil) }
            // The number of a removed pass: a command that is repeated must not hit another one.
            let last = try Int64.fetchOne(
                db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'passes'")
            if pass == nil, id > 0, id <= last ?? 0 { throw LibraryError.noSuchPass(name) }
        }
        // A pass type contains no slash; a serial number may.
        if let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) {
            let identity = PassIdentity(
                passTypeIdentifier: String(name[..<slash]),
                serialNumber: String(name[name.utf8.index(after: slash)...]))
            if let pass = try visible(identity, db) { return (pass, nil) }
        }
        let prefix = "serial:"
        if name.utf8.starts(with: prefix.utf8) {
            let serialNumber = String(name.unicodeScalars.dropFirst(prefix.utf8.count))
            // Not the pass whose serial number includes the prefix: a mistaken number would remove it.
            guard let pass = try only(passes(withSerialNumber: serialNumber, db), name) else {
                throw LibraryError.noSuchPass(name)
            }
            return (pass, nil)
        }
        if let pass = try only(passes(withSerialNumber: name, db), name) { return (pass, nil) }
        let versions = try versions(withDigest: name, db)
        let byDigest = try PassRecord.fetchAll(db, keys: Set(versions.map(\.pass)).sorted())
            .filter { sees($0.passTypeIdentifier) }
        guard let pass = try only(byDigest, name) else { throw LibraryError.noSuchPass(name) }
        let own = versions.filter { $0.pass == pass.id }
        return (pass, own.count == 1 ? own[0] : nil)
    }

    private func passes(
        withSerialNumber serialNumber: String, _ db: Database
    ) throws -> [PassRecord] {
        let types = TypeFilter(visibleTypes)
        return try PassRecord.fetchAll(
            db,
            sql: """
                SELECT * FROM passes WHERE serialNumber = ? AND \(types.condition)
                ORDER BY id LIMIT 20
                """,
            arguments: [serialNumber] + types.arguments)
    }

    private func only(_ passes: [PassRecord], _ name: String) throws -> PassRecord? {
        guard passes.count > 1 else { return passes.first }
        throw LibraryError.ambiguous(name: name, candidates: passes.map(\.identity))
    }

    /// The versions whose SHA-256 begins with `prefix`; empty if the prefix is invalid.
    private func versions(withDigest prefix: String, _ db: Database) throws -> [VersionRecord] {
        let prefix = prefix.asciiLowercased
        guard prefix.count >= 6, prefix.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            return []
        }
        return try VersionRecord.fetchAll(
            db, sql: "SELECT * FROM versions WHERE sha256 >= ? AND sha256 < ? LIMIT 20",
            arguments: [prefix, prefix + "g"])
    }
}
