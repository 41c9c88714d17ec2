internal import Bytes
internal import Cryptography
internal import Fetching
public import Foundation
internal import GRDB
internal import Glibc
public import PassModel
public import PassVerification
internal import Platform

/// The published passes and the registered devices: an SQLite database, and the pass files beside
/// it.
///
/// Several programs may use a store at once: one can publish while another one serves.
///
/// ```swift
/// let store = try ServiceStore(at: url)
/// if let verified = verification.verified { _ = try await store.publish(verified) }
/// ```
public final class ServiceStore: Sendable {
    /// The folder of the store.
    public let folder: URL
    private let limits: ServiceLimits
    private let files: PublishedFiles
    private let database: DatabasePool

    /// Opens a store.
    ///
    /// For example: `let store = try ServiceStore(at: url, creating: false)`
    ///
    /// - Parameters:
    ///   - folder: The folder of the store.
    ///   - creating: Whether a missing store is created.
    ///   - limits: The limits for log lines and answers.
    /// - Throws: ``ServiceError/noSuchStore(_:)``, ``ServiceError/newerStore(_:)``, or an error of
    ///   the file system or of SQLite.
    public init(
        at folder: URL, creating: Bool = true, limits: ServiceLimits = ServiceLimits()
    ) throws(ServiceError) {
        self.folder = folder
        self.limits = limits
        let root = folder.standardizedFileURL.path
        files = PublishedFiles(root: root)
        database = try ServiceStore.open(root, creating: creating)
    }

    private static func open(_ root: String, creating: Bool) throws(ServiceError) -> DatabasePool {
        let path = "\(root)/service.sqlite"
        if unsafe access(path, F_OK) != 0 {
            guard creating else { throw .noSuchStore(root) }
            do throws(FileError) {
                try DurableFile.makeFolder(root.utf8)
            } catch {
                throw .cannotWrite(path: root, code: error.code)
            }
            // SQLite would create a file that all users can read.
            let number = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            guard number >= 0 else { throw .cannotWrite(path: path, code: errno) }
            FileDescriptor(number).close()
        }
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(30)
            configuration.label = "ServiceStore"
            // GRDB sets NORMAL in WAL mode, which loses the last commits in a power failure. A
            // device never repeats a registration that was answered with 201.
            configuration.prepareDatabase { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
            }
            let migrator = ServiceSchema.migrator
            if try pool.read(migrator.hasBeenSuperseded) { throw ServiceError.newerStore(root) }
            try migrator.migrate(pool)
            try FileDescriptor.syncFolder(at: root.utf8)
            return pool
        } catch {
            throw ServiceError(error, at: path)
        }
    }

    private var path: String { "\(files.root)/service.sqlite" }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(ServiceError) -> Value {
        do {
            return try await database.read(body)
        } catch {
            throw ServiceError(error, at: path)
        }
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(ServiceError) -> Value {
        do {
            return try await database.write(body)
        } catch {
            throw ServiceError(error, at: path)
        }
    }
}

// MARK: - Passes

extension ServiceStore {
    /// Publishes a pass, or a new version of it.
    ///
    /// The tokens of earlier versions stay valid, since a device that missed an update asks with
    /// the token of its own version.
    ///
    /// For example: `let publication = try await store.publish(verified)`
    ///
    /// - Parameters:
    ///   - pass: A trusted pass with an authentication token.
    ///   - time: The time of publication.
    /// - Throws: ``ServiceError/notTrusted(_:_:)``, ``ServiceError/noToken(_:)``, or an error of the
    ///   file system or of SQLite. Nothing is published then.
    @discardableResult public func publish(
        _ pass: VerifiedPass, at time: Date = .now
    ) async throws(ServiceError) -> Publication {
        let identity = pass.pass.identity
        guard pass.verdict == .trusted else { throw .notTrusted(identity, pass.verdict) }
        // "The authentication token … must be 16 characters or longer" (Apple, Pass.json).
        guard let token = pass.pass.authenticationToken, token.unicodeScalars.count >= 16 else {
            throw .noToken(identity)
        }
        let digest = Data(Digest.sha256Bytes(Array(token.utf8)))
        let now = Int64(HTTPDate(time).seconds)
        let files = files
        let (publication, replaced) = try await write { db -> (Publication, String?) in
            let old = try PublishedPass.find(identity, in: db)
            if let old, old.pass.sha256 == pass.sha256 { return (.unchanged, nil) }
            // In the transaction, so that no other program removes the file as unused.
            try files.write(pass)
            let tag = try nextTag(in: db)
            if let old {
                // Last-Modified must differ from that of the version before it, even if both were
                // published within one second or the clock was set back.
                let modified = max(now, Int64(HTTPDate(old.pass.modified).seconds) + 1)
                try db.execute(
                    sql:
                        "UPDATE passes SET sha256 = ?, size = ?, tag = ?, modified = ? WHERE id = ?",
                    arguments: [pass.sha256, pass.size, tag, modified, old.id])
            } else {
                try db.execute(
                    sql: """
                        INSERT INTO passes
                        (passTypeIdentifier, serialNumber, sha256, size, tag, modified)
                        VALUES (?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        identity.passTypeIdentifier, identity.serialNumber, pass.sha256, pass.size,
                        tag, now,
                    ])
            }
            let id = old?.id ?? db.lastInsertedRowID
            try db.execute(
                sql: "INSERT OR IGNORE INTO tokens (pass, digest) VALUES (?, ?)",
                arguments: [id, digest])
            return (old == nil ? .added : .updated, old?.pass.sha256)
        }
        if let replaced { try await removeIfUnused(replaced) }
        return publication
    }

    private func removeIfUnused(_ sha256: String) async throws(ServiceError) {
        let files = files
        try await write { db in
            let isUsed = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM passes WHERE sha256 = ?)",
                arguments: [sha256])
            if isUsed == false { try files.remove(sha256) }
        }
    }

    /// The published version of a pass; nil if it was never published.
    ///
    /// For example: `let tag = try await store.pass(identity)?.tag`
    public func pass(_ identity: PassIdentity) async throws(ServiceError) -> PublishedPass? {
        try await read { db in try PublishedPass.find(identity, in: db)?.pass }
    }

    /// The published version of a pass, and its file; nil if it was never published.
    ///
    /// For example: `let bytes = try await store.file(of: identity)?.bytes`
    public func file(
        of identity: PassIdentity
    ) async throws(ServiceError) -> (pass: PublishedPass, bytes: [UInt8])? {
        // The file of a version that is being replaced may be gone already.
        for _ in 0..<3 {
            let files = files
            let found = try await read { db -> (pass: PublishedPass, bytes: [UInt8]?)? in
                guard let pass = try PublishedPass.find(identity, in: db)?.pass else { return nil }
                return (pass, try files.contents(of: pass))
            }
            guard let found else { return nil }
            if let bytes = found.bytes { return (found.pass, bytes) }
        }
        throw .damagedFile(identity.description)
    }

    /// Whether a token is the authentication token of a pass, or was that of an earlier version.
    ///
    /// Takes the same time for a wrong token as for an unknown pass: digests are compared in
    /// constant time, at least one of them.
    ///
    /// For example: `let isAuthorized = try await store.accepts(token, for: identity)`
    public func accepts(
        _ token: String, for identity: PassIdentity
    ) async throws(ServiceError) -> Bool {
        let digest = Digest.sha256Bytes(Array(token.utf8))
        let known = try await read { db in
            try Data.fetchAll(
                db,
                sql: """
                    SELECT digest FROM tokens JOIN passes ON passes.id = tokens.pass
                    WHERE passTypeIdentifier = ? AND serialNumber = ?
                    """,
                arguments: [identity.passTypeIdentifier, identity.serialNumber])
        }
        let nobodys = Data(repeating: 0, count: digest.count)
        var isAccepted = false
        for each in known.isEmpty ? [nobodys] : known {
            let isSame = isEqual(digest, each)
            isAccepted = isAccepted || isSame
        }
        return isAccepted && !known.isEmpty
    }
}

// MARK: - Devices

extension ServiceStore {
    /// Registers a device for a pass. A device has one push token, which replaces an earlier one.
    ///
    /// ```swift
    /// _ = try await store.register("d1c3", pushToken: "00ff", for: identity)
    /// ```
    ///
    /// - Returns: Nil if there is no such pass.
    public func register(
        _ device: String, pushToken: String, for identity: PassIdentity, at time: Date = .now
    ) async throws(ServiceError) -> Registration? {
        let now = Int64(HTTPDate(time).seconds)
        return try await write { db in
            guard let pass = try PublishedPass.find(identity, in: db)?.id else { return nil }
            try db.execute(
                sql: """
                    INSERT INTO devices (identifier, pushToken, confirmed) VALUES (?, ?, ?)
                    ON CONFLICT (identifier) DO UPDATE
                    SET pushToken = excluded.pushToken, confirmed = excluded.confirmed
                    """, arguments: [device, pushToken, now])
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO registrations (device, pass, registered)
                    SELECT id, ?, ? FROM devices WHERE identifier = ?
                    """, arguments: [pass, now, device])
            return db.changesCount > 0 ? .added : .known
        }
    }

    /// Ends the registration of a device for a pass. A device without registrations is forgotten.
    ///
    /// For example: `try await store.unregister("d1c3", for: identity)`
    ///
    /// - Returns: Whether the device was registered.
    @discardableResult public func unregister(
        _ device: String, for identity: PassIdentity
    ) async throws(ServiceError) -> Bool {
        try await write { db in
            try db.execute(
                sql: """
                    DELETE FROM registrations
                    WHERE device = (SELECT id FROM devices WHERE identifier = ?)
                    AND pass = (
                        SELECT id FROM passes WHERE passTypeIdentifier = ? AND serialNumber = ?)
                    """,
                arguments: [device, identity.passTypeIdentifier, identity.serialNumber])
            let isEnded = db.changesCount > 0
            try db.execute(
                sql: """
                    DELETE FROM devices WHERE identifier = ?
                    AND NOT EXISTS (SELECT 1 FROM registrations WHERE device = devices.id)
                    """, arguments: [device])
            return isEnded
        }
    }

    /// The passes of a type for which a device is registered and that changed since a tag; nil if
    /// there are none.
    ///
    /// For example: `let changes = try await store.changes(for: "d1c3", ofType: type, since: 1742)`
    ///
    /// - Parameters:
    ///   - device: The device's library identifier.
    ///   - type: The pass type identifier.
    ///   - tag: The tag of an earlier answer. Nil lists all passes, and so does a tag that this store
    ///     has not reached: the device got it from another server.
    public func changes(
        for device: String, ofType type: String, since tag: Int64?
    ) async throws(ServiceError) -> ChangedPasses? {
        let count = limits.serialNumbers
        return try await read { db in
            let last = try Int64.fetchOne(db, sql: "SELECT tag FROM sequence") ?? 0
            let since = tag.flatMap { $0 <= last ? $0 : nil } ?? 0
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT serialNumber, tag FROM registrations
                    JOIN passes ON passes.id = registrations.pass
                    WHERE device = (SELECT id FROM devices WHERE identifier = ?)
                    AND passTypeIdentifier = ? AND tag > ?
                    ORDER BY tag LIMIT ?
                    """, arguments: [device, type, since, count])
            guard let end = rows.last else { return nil }
            return ChangedPasses(serialNumbers: rows.map { $0["serialNumber"] }, tag: end["tag"])
        }
    }
}

// MARK: - Log

extension ServiceStore {
    /// Stores messages of a device. The oldest messages are removed beyond
    /// ``ServiceLimits/storedLogLines``.
    ///
    /// For example: `try await store.log(["cannot parse the list of serial numbers"])`
    public func log(_ texts: [String], at time: Date = .now) async throws(ServiceError) {
        let (now, kept) = (Int64(HTTPDate(time).seconds), limits.storedLogLines)
        guard !texts.isEmpty else { return }
        // GRDB reads a text up to its first NUL.
        let texts = texts.map { $0.replacingOccurrences(of: "\0", with: "\u{FFFD}") }
        try await write { db in
            for text in texts {
                try db.execute(
                    sql: "INSERT INTO log (received, text) VALUES (?, ?)", arguments: [now, text])
            }
            try db.execute(
                sql: "DELETE FROM log WHERE id <= (SELECT max(id) FROM log) - ?", arguments: [kept])
        }
    }

    /// The stored messages, the newest first.
    ///
    /// For example: `let lines = try await store.logLines(containing: "E4", limit: 20)`
    ///
    /// - Parameters:
    ///   - part: Only messages that contain this text; nil for all.
    ///   - limit: The maximum number of messages.
    public func logLines(
        containing part: String? = nil, limit: Int = 100
    ) async throws(ServiceError) -> [LogLine] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT received, text FROM log WHERE ?1 IS NULL OR instr(text, ?1) > 0
                    ORDER BY id DESC LIMIT ?2
                    """, arguments: [part, limit]
            ).map { row in
                LogLine(
                    received: Date(timeIntervalSince1970: TimeInterval(row["received"] as Int64)),
                    text: row["text"])
            }
        }
    }

    /// The numbers of passes, devices, registrations and log lines.
    ///
    /// For example: `let devices = try await store.status().devices`
    public func status() async throws(ServiceError) -> ServiceStatus {
        try await read { db in
            func count(_ table: String) throws -> Int {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
            }
            return ServiceStatus(
                passes: try count("passes"), devices: try count("devices"),
                registrations: try count("registrations"), logLines: try count("log"),
                tag: try Int64.fetchOne(db, sql: "SELECT tag FROM sequence") ?? 0)
        }
    }
}

extension PublishedPass {
    fileprivate static func find(
        _ identity: PassIdentity, in db: Database
    ) throws -> (id: Int64, pass: PublishedPass)? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT id, sha256, size, tag, modified FROM passes
                WHERE passTypeIdentifier = ? AND serialNumber = ?
                """, arguments: [identity.passTypeIdentifier, identity.serialNumber])
        guard let row else { return nil }
        let pass = PublishedPass(
            identity: identity, sha256: row["sha256"], size: row["size"], tag: row["tag"],
            modified: Date(timeIntervalSince1970: TimeInterval(row["modified"] as Int64)))
        return (row["id"], pass)
    }
}

private func nextTag(in db: Database) throws -> Int64 {
    try db.execute(sql: "UPDATE sequence SET tag = tag + 1")
    return try Int64.fetchOne(db, sql: "SELECT tag FROM sequence") ?? 0
}

/// Compares in a time that depends only on the lengths.
private func isEqual(_ one: [UInt8], _ other: Data) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
}
