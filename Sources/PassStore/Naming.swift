internal import Bytes
internal import Foundation
internal import GRDB
internal import PassModel

extension PassLibrary {
    /// The pass with this name: `type/serial`, its URL (``/PassModel/PassIdentity/passURL``), a
    /// serial number, an ID, or the beginning of a version's SHA-256 (at least six digits).
    ///
    /// ```swift
    /// print(try library.pass(named: "pass.com.example.card/0001").current.description)
    /// ```
    ///
    /// - Throws: ``LibraryError/noSuchPass(_:)``; ``LibraryError/ambiguous(name:candidates:)``,
    ///   with unambiguous names of the candidates; other errors if the index cannot be read.
    public func pass(named name: String) throws(LibraryError) -> StoredPass {
        try read { db in
            let pass = try passRecord(named: name, db)
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
            let pass = try passRecord(named: name, db)
            let byDigest = try versions(withDigest: name, db).filter { $0.pass == pass.id }
            guard
                let version = byDigest.count == 1 ? byDigest.first : try pass.frontRecord(db),
                let stored = try StoredVersion.load([version], db).first
            else { throw LibraryError.noSuchPass(name) }
            return stored
        }
    }

    private func passRecord(named name: String, _ db: Database) throws -> PassRecord {
        // First, so that no pass can take the URL of another by its serial number.
        if let url = URL(string: name, encodingInvalidCharacters: false),
            let identity = PassIdentity(passURL: url)
        {
            guard let pass = try visible(identity, db) else { throw LibraryError.noSuchPass(name) }
            return pass
        }
        // A pass type contains no slash; a serial number may.
        if let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) {
            let identity = PassIdentity(
                passTypeIdentifier: String(name[..<slash]),
                serialNumber: String(name[name.utf8.index(after: slash)...]))
            if let pass = try visible(identity, db) { return pass }
        }
        let types = TypeFilter(visibleTypes)
        let byNumber = try PassRecord.fetchAll(
            db,
            sql: """
                SELECT * FROM passes WHERE (serialNumber = ? OR id = ?) AND \(types.condition)
                ORDER BY id LIMIT 20
                """,
            arguments: [name, Int64(name)] + types.arguments)
        if let pass = try only(byNumber, name) { return pass }
        let passes = try Set(versions(withDigest: name, db).map(\.pass)).sorted()
        let byDigest = try PassRecord.fetchAll(db, keys: passes)
            .filter { sees($0.passTypeIdentifier) }
        if let pass = try only(byDigest, name) { return pass }
        throw LibraryError.noSuchPass(name)
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
