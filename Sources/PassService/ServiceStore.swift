internal import Cryptography
internal import Databases
internal import Fetching
public import Foundation
internal import Glibc
public import PassModel
public import PassVerification
internal import Platform

/// The published passes and the registered devices, in an SQLite or PostgreSQL database.
///
/// Several programs may use a store at once: one can publish while others serve. With PostgreSQL
/// they may run on several computers.
///
/// ```swift
/// let store = try await ServiceStore(at: url)
/// if let verified = verification.verified { _ = try await store.publish(verified) }
/// ```
public final class ServiceStore: Sendable {
    /// The path of the SQLite database, or the address of the PostgreSQL database.
    public let place: String
    private let limits: ServiceLimits
    private let database: any SQLDatabase

    /// Opens a store in a folder, in an SQLite database.
    ///
    /// For example: `let store = try await ServiceStore(at: url, creating: false)`
    ///
    /// - Parameters:
    ///   - folder: The folder of the store.
    ///   - creating: Whether a missing store is created.
    ///   - limits: The limits for log lines and answers.
    /// - Throws: ``ServiceError/noSuchStore(_:)``, ``ServiceError/newerStore(_:)``, or an error of
    ///   the file system or of SQLite.
    public init(
        at folder: URL, creating: Bool = true, limits: ServiceLimits = ServiceLimits()
    ) async throws(ServiceError) {
        self.limits = limits
        let root = folder.standardizedFileURL.path
        place = "\(root)/service.sqlite"
        if unsafe access(place, F_OK) != 0 {
            let code = errno
            guard code == ENOENT else { throw .cannotRead(path: root, code: code) }
            guard creating else { throw .noSuchStore(root) }
            try Self.createFile(place, in: root)
        }
        do throws(SQLError) {
            database = try SQLiteDatabase(path: place)
        } catch {
            throw ServiceError(error, at: place)
        }
        try await prepare(creating: creating)
    }

    private static func createFile(_ path: String, in root: String) throws(ServiceError) {
        do throws(FileError) {
            try DurableFile.makeFolder(root.utf8)
        } catch {
            throw .cannotWrite(path: root, code: error.code)
        }
        // SQLite would create a file that all users can read.
        let number = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .cannotWrite(path: path, code: errno) }
        FileDescriptor(number).close()
        do throws(FileError) {
            try FileDescriptor.syncFolder(at: root.utf8)
        } catch {
            throw .cannotWrite(path: root, code: error.code)
        }
    }

    /// Opens a store in a PostgreSQL database, which two or more servers can share.
    ///
    /// ```swift
    /// let store = try await ServiceStore(postgreSQL: "postgresql://passes@db.example/passes")
    /// ```
    ///
    /// - Parameters:
    ///   - address: A connection URI (PostgreSQL's manual, 34.1.1.2). A password is read from
    ///     `~/.pgpass` or `$PGPASSFILE`, which only the user may read.
    ///   - creating: Whether missing tables are created.
    ///   - limits: The limits for log lines and answers.
    /// - Throws: ``ServiceError/invalidAddress``, ``ServiceError/passwordInAddress``,
    ///   ``ServiceError/unavailable(_:message:)``, ``ServiceError/noSuchStore(_:)``,
    ///   ``ServiceError/newerStore(_:)``, or an error of PostgreSQL.
    public init(
        postgreSQL address: String, creating: Bool = true, limits: ServiceLimits = ServiceLimits()
    ) async throws(ServiceError) {
        self.limits = limits
        place = address
        do throws(SQLError) {
            database = PostgreSQLDatabase(try PostgreSQLAddress(address))
        } catch {
            throw ServiceError(error, at: address)
        }
        try await prepare(creating: creating)
    }

    /// Whether a text is an address for ``init(postgreSQL:creating:limits:)`` rather than a path.
    package static func isAddress(_ text: String) -> Bool {
        PostgreSQLAddress.isAddress(text)
    }

    private func prepare(creating: Bool) async throws(ServiceError) {
        let place = place
        try await write { db in
            if !creating, try !ServiceSchema.hasTables(db) {
                throw ServiceError.noSuchStore(place)
            }
            try ServiceSchema.migrate(db) { .newerStore(place) }
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing any SQLTransaction) throws -> Value
    ) async throws(ServiceError) -> Value {
        do {
            return try await database.read(body)
        } catch {
            throw ServiceError(error, at: place)
        }
    }

    @discardableResult func write<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing any SQLTransaction) throws -> Value
    ) async throws(ServiceError) -> Value {
        do {
            return try await database.write(body)
        } catch {
            throw ServiceError(error, at: place)
        }
    }
}

// MARK: - Passes

extension ServiceStore {
    /// Publishes a pass, or a new version of it. A push to each registered device is stored in the
    /// same transaction.
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
    ///   database. Nothing is published then.
    @discardableResult public func publish(
        _ pass: VerifiedPass, at time: Date = .now
    ) async throws(ServiceError) -> Publication {
        try await publishFile(pass, at: time).publication
    }

    /// Publishes a pass as ``publish(_:at:)`` does.
    package func publishFile(
        _ pass: VerifiedPass, at time: Date = .now
    ) async throws(ServiceError) -> FilePublication {
        let file = try PassFile(pass)
        return try await write { db in
            try db.lockTags()
            return try db.publish(file, replacing: db.find(file.identity), at: time)
        }
    }

    /// Publishes a new version of a pass.
    ///
    /// - Parameter tag: The tag of the version that it is made of.
    /// - Returns: Nil if another version was published meanwhile.
    package func publishFile(
        _ pass: VerifiedPass, replacing tag: Int64, at time: Date = .now
    ) async throws(ServiceError) -> FilePublication? {
        let file = try PassFile(pass)
        return try await write { db in
            try db.lockTags()
            guard let old = try db.find(file.identity), old.pass.tag == tag else { return nil }
            return try db.publish(file, replacing: old, at: time)
        }
    }

    /// The published version of a pass; nil if it was never published.
    ///
    /// For example: `let tag = try await store.pass(identity)?.tag`
    public func pass(_ identity: PassIdentity) async throws(ServiceError) -> PublishedPass? {
        try await read { db in try db.find(identity)?.pass }
    }

    /// The published version of the pass with this ``PublishedPass/downloadKey``; nil if there is
    /// none.
    ///
    /// For example: `let pass = try await store.pass(downloadKey: key)`
    public func pass(downloadKey: String) async throws(ServiceError) -> PublishedPass? {
        try await read { db in
            try db.find("downloadKey = $1", [.text(downloadKey)])?.pass
        }
    }

    /// The published version of a pass, and its file; nil if it was never published. See
    /// ``TemplateSigner/file(of:)`` for passes that are signed when they are asked for.
    ///
    /// For example: `let bytes = try await store.file(of: identity)?.bytes`
    ///
    /// - Throws: ``ServiceError/notSigned(_:)`` if this version is not signed yet, or an error of the
    ///   database.
    public func file(
        of identity: PassIdentity
    ) async throws(ServiceError) -> (pass: PublishedPass, bytes: [UInt8])? {
        try await read { db in
            guard let (id, pass) = try db.find(identity) else { return nil }
            guard let row = try db.row("SELECT octets FROM files WHERE pass = $1", .integer(id))
            else { throw ServiceError.notSigned(identity) }
            return (pass, try row.bytes(0))
        }
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
            try db.rows(
                """
                SELECT digest FROM tokens JOIN passes ON passes.id = tokens.pass
                WHERE passTypeIdentifier = $1 AND serialNumber = $2
                """, .text(identity.passTypeIdentifier), .text(identity.serialNumber)
            ).map { row in try row.bytes(0) }
        }
        let nobodys = [UInt8](repeating: 0, count: digest.count)
        var isAccepted = false
        for each in known.isEmpty ? [nobodys] : known {
            let isSame = isEqual(digest, each)
            isAccepted = isAccepted || isSame
        }
        return isAccepted && !known.isEmpty
    }

    /// Adds to the number of fetched passes, which ``status()`` shows.
    ///
    /// For example: `try await store.addFetches(1)`
    public func addFetches(_ count: Int) async throws(ServiceError) {
        try await write { db in try db.add(count, to: .fetches) }
    }

    /// The published passes, the one that was published last first.
    ///
    /// ```swift
    /// let entries = try await store.passes(matching: "guest-", limit: 20)
    /// for entry in entries where entry.devices == 0 { print(entry.pass.identity) }
    /// ```
    ///
    /// - Parameters:
    ///   - text: Only passes with this text in `TYPE/SERIAL`, their pass type identifier and serial
    ///     number; nil for all. Upper and lower case differ.
    ///   - limit: The maximum number of passes.
    public func passes(
        matching text: String? = nil, limit: Int = 100
    ) async throws(ServiceError) -> [ListedPass] {
        // Neither database stores NUL in a text, so no pass has it.
        if text?.utf8.contains(0) == true { return [] }
        let (text, limit) = (text ?? "", SQLValue.integer(Int64(max(0, limit))))
        return try await read { db in
            let name = "passTypeIdentifier || '/' || serialNumber"
            // A function that both databases have.
            let condition = text.isEmpty ? "" : "WHERE replace(\(name), $2, '') <> \(name)"
            let rows = try db.rows(
                """
                SELECT \(PublishedPass.columns),
                    (SELECT count(*) FROM registrations WHERE pass = passes.id)
                FROM passes \(condition) ORDER BY tag DESC LIMIT $1
                """, text.isEmpty ? [limit] : [limit, .text(text)])
            return try rows.map { row in
                ListedPass(pass: try PublishedPass(row), devices: Int(try row.integer(9)))
            }
        }
    }

    /// Removes a pass: its file or row, its tokens and registrations, and pushes that are only about
    /// it. Devices that ask for it then get 401. It stays on them as it is: ``void(_:at:)`` it first
    /// if it should be valid no longer.
    ///
    /// A pass with the same identity may be published again. It has another
    /// ``PublishedPass/downloadKey``.
    ///
    /// For example: `let isRemoved = try await store.remove(identity) != nil`
    ///
    /// - Returns: The removed version; nil if there is no such pass.
    @discardableResult public func remove(
        _ identity: PassIdentity
    ) async throws(ServiceError) -> PublishedPass? {
        try await write { db in
            try db.lockTags()
            return try db.remove(identity)
        }
    }
}

// MARK: - Devices

extension ServiceStore {
    /// Registers a device for a pass. A device has at most one push token; the latest registration
    /// decides.
    ///
    /// ```swift
    /// _ = try await store.register("d1c3", pushToken: "00ff", for: identity)
    /// ```
    ///
    /// - Parameters:
    ///   - device: The device's library identifier.
    ///   - pushToken: The token for pushes.
    ///   - identity: The pass.
    ///   - time: The time of registration.
    /// - Returns: Nil if there is no such pass.
    /// - Throws: ``ServiceError/tooManyDevices(_:)``, or an error of the database.
    public func register(
        _ device: String, pushToken: String, for identity: PassIdentity, at time: Date = .now
    ) async throws(ServiceError) -> Registration? {
        let (now, limit) = (milliseconds(time), limits.devicesPerPass)
        return try await write { db in
            guard let pass = try db.keepPass(identity) else { return nil }
            let row = try db.row(
                """
                INSERT INTO devices (identifier, pushToken) VALUES ($1, $2)
                ON CONFLICT (identifier) DO UPDATE SET pushToken = excluded.pushToken
                RETURNING id
                """, .text(device), .text(pushToken))
            let key: [SQLValue] = [
                .integer(try row?.integer(0) ?? 0), .integer(pass), .integer(now),
            ]
            let isKnown = try !db.rows(
                """
                UPDATE registrations SET confirmed = $3 WHERE device = $1 AND pass = $2
                RETURNING pass
                """, key
            ).isEmpty
            if isKnown { return .known }
            let last = try db.row(
                "SELECT 1 FROM registrations WHERE pass = $1 LIMIT 1 OFFSET $2",
                .integer(pass), .integer(Int64(limit) - 1))
            guard last == nil else { throw ServiceError.tooManyDevices(identity) }
            try db.rows(
                """
                INSERT INTO registrations (device, pass, confirmed) VALUES ($1, $2, $3)
                """, key)
            return .added
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
            guard let pass = try db.find(identity)?.id,
                let device = try db.lockDevice("identifier = $1", .text(device))
            else { return false }
            let removed = try db.rows(
                "DELETE FROM registrations WHERE device = $1 AND pass = $2 RETURNING pass",
                .integer(device), .integer(pass))
            try db.removeIfUnregistered(device)
            return !removed.isEmpty
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
        let count = Int64(limits.serialNumbers)
        return try await read { db in
            let last = try db.lastTag()
            let since = tag.flatMap { $0 <= last ? $0 : nil } ?? 0
            let rows = try db.rows(
                """
                SELECT serialNumber, tag FROM registrations
                JOIN passes ON passes.id = registrations.pass
                WHERE device = (SELECT id FROM devices WHERE identifier = $1)
                AND passTypeIdentifier = $2 AND tag > $3
                ORDER BY tag LIMIT $4
                """, .text(device), .text(type), .integer(since), .integer(count))
            guard let end = rows.last else { return nil }
            return ChangedPasses(
                serialNumbers: try rows.map { row in try row.text(0) }, tag: try end.integer(1))
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
        let (now, kept) = (milliseconds(time), Int64(limits.storedLogLines))
        guard !texts.isEmpty else { return }
        // Neither database stores NUL in a text.
        let texts = texts.map { text in
            shortened(text, to: limits.logLineBytes)
                .replacingOccurrences(of: "\0", with: "\u{FFFD}")
        }
        try await write { db in
            for text in texts {
                try db.rows(
                    "INSERT INTO log (received, text) VALUES ($1, $2)", .integer(now), .text(text))
            }
            try db.rows(
                "DELETE FROM log WHERE id <= (SELECT max(id) FROM log) - $1", .integer(kept))
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
            let (part, limit) = (part ?? "", SQLValue.integer(Int64(limit)))
            let rows =
                part.isEmpty
                ? try db.rows("SELECT received, text FROM log ORDER BY id DESC LIMIT $1", limit)
                // A function that both databases have.
                : try db.rows(
                    """
                    SELECT received, text FROM log WHERE replace(text, $1, '') <> text
                    ORDER BY id DESC LIMIT $2
                    """, .text(part), limit)
            return try rows.map { row in
                LogLine(
                    received: Date(timeIntervalSince1970: Double(try row.integer(0)) / 1000),
                    text: try row.text(1))
            }
        }
    }

    /// The numbers of passes, devices, registrations, pushes, fetches and log lines.
    ///
    /// For example: `let devices = try await store.status().devices`
    public func status() async throws(ServiceError) -> ServiceStatus {
        try await read { db in
            func count(_ table: String) throws -> Int {
                Int(try db.row("SELECT count(*) FROM \(table)")?.integer(0) ?? 0)
            }
            func count(_ counter: ServiceCounter) throws -> Int {
                let row = try db.row(
                    "SELECT value FROM counters WHERE name = $1", .text(counter.rawValue))
                return Int(try row?.integer(0) ?? 0)
            }
            return ServiceStatus(
                passes: try count("passes"), devices: try count("devices"),
                registrations: try count("registrations"), logLines: try count("log"),
                tag: try db.lastTag(), pendingPushes: try count("outbox"),
                deliveredPushes: try count(.deliveredPushes),
                refusedPushes: try count(.refusedPushes),
                removedRegistrations: try count(.removedRegistrations),
                fetches: try count(.fetches))
        }
    }
}

// MARK: - Statements

extension SQLTransaction {
    func lastTag() throws -> Int64 {
        try row("SELECT tag FROM sequence")?.integer(0) ?? 0
    }

    /// Waits for other publications, so that tags are committed in their order.
    func lockTags() throws {
        if dialect == .postgreSQL { try rows("SELECT tag FROM sequence FOR UPDATE") }
    }

    func nextTag() throws -> Int64 {
        try row("UPDATE sequence SET tag = tag + 1 RETURNING tag")?.integer(0) ?? 0
    }

    func find(_ identity: PassIdentity) throws -> (id: Int64, pass: PublishedPass)? {
        try find(
            "passTypeIdentifier = $1 AND serialNumber = $2",
            [.text(identity.passTypeIdentifier), .text(identity.serialNumber)])
    }

    func find(
        _ condition: String, _ values: [SQLValue]
    ) throws -> (id: Int64, pass: PublishedPass)? {
        let row = try rows(
            "SELECT \(PublishedPass.columns) FROM passes WHERE \(condition)", values
        ).first
        return try row.map { row in (try row.integer(0), try PublishedPass(row)) }
    }

    /// Keeps a pass from being removed until the transaction ends, and returns its number; nil if
    /// there is none.
    func keepPass(_ identity: PassIdentity) throws -> Int64? {
        try row(
            """
            SELECT id FROM passes WHERE passTypeIdentifier = $1 AND serialNumber = $2
            \(dialect.keepingRows(of: "passes"))
            """, .text(identity.passTypeIdentifier), .text(identity.serialNumber))?
            .integer(0)
    }

    /// Removes a pass and all that belongs to it. Tags must be locked.
    func remove(_ identity: PassIdentity) throws -> PublishedPass? {
        guard let (id, pass) = try find(identity) else { return nil }
        // Devices that register meanwhile wait.
        try rows("SELECT id FROM passes WHERE id = $1 \(dialect.lockingRows)", .integer(id))
        let devices = "IN (SELECT device FROM registrations WHERE pass = $1)"
        try rows(
            "SELECT id FROM devices WHERE id \(devices) ORDER BY id \(dialect.lockingRows)",
            .integer(id))
        try rows(
            """
            DELETE FROM outbox WHERE passTypeIdentifier = $2 AND device \(devices)
            AND NOT EXISTS (
                SELECT 1 FROM registrations JOIN passes ON passes.id = registrations.pass
                WHERE registrations.device = outbox.device AND passes.id <> $1
                AND passes.passTypeIdentifier = $2)
            """, .integer(id), .text(identity.passTypeIdentifier))
        try rows(
            """
            DELETE FROM devices WHERE id \(devices)
            AND NOT EXISTS (
                SELECT 1 FROM registrations
                WHERE registrations.device = devices.id AND registrations.pass <> $1)
            """, .integer(id))
        // With its file, row, tokens and registrations.
        try rows("DELETE FROM passes WHERE id = $1", .integer(id))
        try removeUnusedTemplates()
        return pass
    }

    /// Adds a version with a file, unless it is the current one. Tags must be locked.
    func publish(
        _ file: PassFile, replacing old: (id: Int64, pass: PublishedPass)?, at time: Date
    ) throws -> FilePublication {
        if let old, old.pass.sha256 == file.sha256 {
            return FilePublication(
                publication: .unchanged, hasOtherToken: false, wasVoided: false,
                downloadKey: old.pass.downloadKey)
        }
        let (id, key, hasNewToken) = try addVersion(
            of: file.identity, replacing: old, sha256: file.sha256,
            size: Int64(file.octets.count), token: file.token, isVoided: file.isVoided, at: time)
        try rows(
            "INSERT INTO files (pass, octets) VALUES ($1, $2)", .integer(id),
            .bytes(file.octets))
        return FilePublication(
            publication: old == nil ? .added : .updated, hasOtherToken: old != nil && hasNewToken,
            wasVoided: !file.isVoided && old?.pass.isVoided == true, downloadKey: key)
    }

    /// Adds a version of a pass without a file or row, and a push to each registered device. Tags
    /// must be locked.
    ///
    /// - Returns: The number of the pass, its download key, and whether no earlier version had this
    ///   token.
    func addVersion(
        of identity: PassIdentity, replacing old: (id: Int64, pass: PublishedPass)?,
        sha256: String, size: Int64, token: [UInt8], isVoided: Bool, at time: Date
    ) throws -> (id: Int64, downloadKey: String, hasNewToken: Bool) {
        let now = Int64(HTTPDate(time).seconds)
        let tag = try nextTag()
        let id: Int64
        let key = old?.pass.downloadKey ?? downloadKey()
        if let old {
            id = old.id
            // Last-Modified must differ from that of the version before it, even if both were
            // published within one second or the clock was set back: Wallet asks with
            // If-Modified-Since. So it may be later than Date (against RFC 9110, 8.8.2.1).
            let modified = max(now, Int64(HTTPDate(old.pass.modified).seconds) + 1)
            try rows(
                """
                UPDATE passes SET sha256 = $1, size = $2, tag = $3, modified = $4, voided = $5
                WHERE id = $6
                """,
                .text(sha256), .integer(size), .integer(tag), .integer(modified),
                .integer(isVoided ? 1 : 0), .integer(id))
            try rows("DELETE FROM files WHERE pass = $1", .integer(id))
            // With the images of the row.
            try rows("DELETE FROM passRows WHERE pass = $1", .integer(id))
        } else {
            let row = try row(
                """
                INSERT INTO passes (passTypeIdentifier, serialNumber, sha256, size, tag,
                    modified, downloadKey, voided)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id
                """,
                .text(identity.passTypeIdentifier), .text(identity.serialNumber),
                .text(sha256), .integer(size), .integer(tag), .integer(now),
                .text(key), .integer(isVoided ? 1 : 0))
            id = try row?.integer(0) ?? 0
        }
        let added = try row(
            """
            INSERT INTO tokens (pass, digest) VALUES ($1, $2)
            ON CONFLICT (pass, digest) DO NOTHING RETURNING pass
            """, .integer(id), .bytes(token))
        try addPushes(id, type: identity.passTypeIdentifier, tag)
        return (id, key, added != nil)
    }

    /// Adds a push for each device that is registered for a pass, or replaces the one that is there.
    /// It is due at once, whatever the clocks of the servers say.
    func addPushes(_ pass: Int64, type: String, _ tag: Int64) throws {
        try rows(
            """
            INSERT INTO outbox (device, passTypeIdentifier, tag, due, attempts)
            SELECT devices.id, $1, $2, 0, 0 FROM registrations
            JOIN devices ON devices.id = registrations.device
            WHERE pass = $3 ORDER BY devices.id \(dialect.keepingRows(of: "devices"))
            ON CONFLICT (device, passTypeIdentifier) DO UPDATE
            SET tag = excluded.tag, due = 0, attempts = 0
            """, .text(type), .integer(tag), .integer(pass))
    }

    /// Waits for other changes of a device, and returns its number; nil if there is none.
    func lockDevice(_ condition: String, _ value: SQLValue) throws -> Int64? {
        try row("SELECT id FROM devices WHERE \(condition) \(dialect.lockingRows)", value)?
            .integer(0)
    }

    /// The device must be locked, since a registration at the same time would be removed with it.
    func removeIfUnregistered(_ device: Int64) throws {
        try rows(
            """
            DELETE FROM devices WHERE id = $1
            AND NOT EXISTS (SELECT 1 FROM registrations WHERE device = devices.id)
            """, .integer(device))
    }

    func add(_ count: Int, to counter: ServiceCounter) throws {
        try rows(
            """
            INSERT INTO counters (name, value) VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET value = counters.value + excluded.value
            """, .text(counter.rawValue), .integer(Int64(count)))
    }
}

/// The beginning of a text, up to a number of bytes of UTF-8.
private func shortened(_ text: String, to count: Int) -> String {
    guard text.utf8.count > count else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: max(count, 0))
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text.unicodeScalars[..<end])
}

extension PublishedPass {
    fileprivate static let columns = """
        id, passTypeIdentifier, serialNumber, sha256, size, tag, modified, downloadKey, voided
        """

    /// Reads a row of these columns.
    fileprivate init(_ row: SQLRow) throws {
        let sha256 = try row.text(3)
        self.init(
            identity: PassIdentity(
                passTypeIdentifier: try row.text(1), serialNumber: try row.text(2)),
            sha256: sha256.isEmpty ? nil : sha256,
            size: sha256.isEmpty ? nil : Int(try row.integer(4)), tag: try row.integer(5),
            modified: Date(timeIntervalSince1970: TimeInterval(try row.integer(6))),
            downloadKey: try row.text(7), isVoided: try row.integer(8) != 0)
    }
}

/// 128 random bits, as 32 hexadecimal digits.
private func downloadKey() -> String {
    let bits = (0..<2).map { _ in UInt64.random(in: .min ... .max) }
    return bits.map { word in
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
}

/// Compares in a time that depends only on the lengths.
private func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
}
