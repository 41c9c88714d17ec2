internal import Bytes
internal import GRDB
internal import PassModel
internal import PassVerification

/// Data of a damaged index that is not in the pass files.
struct Salvage {
    /// Origins by digest of the version.
    private(set) var origins: [String: [Origin]] = [:]
    /// The rows of passes.
    private(set) var passes: [PassIdentity: SalvagedPass] = [:]
    /// The greatest pass ID ever used.
    private(set) var lastPass: Int64 = 0

    /// The rows of versions by the digests of their files.
    private(set) var versions: [String: SalvagedVersion] = [:]
    /// Whether `versions` is complete.
    private(set) var knowsDigests = false
    /// The current versions.
    private var fronts: Set<Int64> = []

    private let index: DatabaseQueue?

    /// Reads an index as far as it is readable.
    ///
    /// - Throws: If the index cannot be read right now, though it may be intact.
    init(from path: String, _ files: FileStore, patience: Duration) throws {
        guard try files.isThere(path) else {
            index = nil
            return
        }
        var configuration = Index.configuration(patience)
        configuration.readonly = true
        var opened: DatabaseQueue?
        try Salvage.upToDamage {
            opened = try DatabaseQueue(path: path, configuration: configuration)
        }
        index = opened
        guard let index = opened else { return }
        knowsDigests = try Salvage.upToDamage {
            try index.read { db in
                let rows = try SalvagedVersion.fetchCursor(
                    db, sql: "SELECT * FROM versions NOT INDEXED")
                while let version = try rows.next() { versions[version.sha256] = version }
            }
        }
        try Salvage.upToDamage {
            try index.read { db in
                let rows = try SalvagedOrigin.fetchCursor(
                    db,
                    sql: """
                        SELECT versions.sha256, origins.* FROM versions
                        JOIN origins ON origins.version = versions.id ORDER BY origins.id
                        """)
                while let row = try rows.next() {
                    origins[row.sha256, default: []].append(row.origin.origin)
                }
            }
        }
        try Salvage.upToDamage {
            try index.read { db in
                let rows = try SalvagedPass.fetchCursor(
                    db, sql: "SELECT * FROM passes NOT INDEXED")
                while let pass = try rows.next() {
                    passes[pass.identity] = pass
                    lastPass = max(lastPass, pass.id)
                    if let front = pass.front { fronts.insert(front) }
                }
            }
        }
        try Salvage.upToDamage {
            let last = try index.read { db in
                try Int64.fetchOne(
                    db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'passes'")
            }
            lastPass = max(lastPass, last ?? 0)
        }
    }

    /// Sorts the digests of files in the order of arrival of their versions, the unknown ones last.
    ///
    /// Current versions come after the others: in an index of an earlier version of this program,
    /// the dates of messages may have made an earlier one of two versions current.
    func sortedByArrival(_ digests: [String]) -> [String] {
        let places = digests.map { sha256 in
            let id = versions[sha256]?.id
            return (sha256, id == nil ? 2 : fronts.contains(id ?? 0) ? 1 : 0, id ?? 0)
        }
        return places.sorted { ($0.1, $0.2, $0.0) < ($1.1, $1.2, $1.0) }.map(\.0)
    }

    /// Copies source notes with their IDs.
    func copySourceNotes(to db: Database) throws {
        guard let index else { return }
        try Salvage.upToDamage {
            try index.read { old in
                let notes = try Row.fetchCursor(
                    old, sql: "SELECT id, source, manner, content FROM sourceNotes")
                while let note = try notes.next() {
                    try db.execute(
                        sql: """
                            INSERT INTO sourceNotes (id, source, manner, content)
                            VALUES (?, ?, ?, ?)
                            """,
                        arguments: StatementArguments(note.databaseValues))
                }
            }
        }
    }

    /// Copies the settings of the library.
    func copySettings(to db: Database) throws {
        guard let index else { return }
        try Salvage.upToDamage {
            try index.read { old in
                // The index may be older than this table.
                guard try old.tableExists("settings") else { return }
                let rows = try Row.fetchCursor(old, sql: "SELECT name, value FROM settings")
                while let row = try rows.next() {
                    try db.execute(
                        sql: "INSERT INTO settings (name, value) VALUES (?, ?)",
                        arguments: StatementArguments(row.databaseValues))
                }
            }
        }
    }

    /// Copies the times at which messages may be sent to the logs of web services.
    func copyServiceLogs(to db: Database) throws {
        guard let index else { return }
        try Salvage.upToDamage {
            try index.read { old in
                // The index may be older than this table.
                guard try old.tableExists("services") else { return }
                try Salvage.copy("services", from: old, to: db)
            }
        }
    }

    private static func copy(_ table: String, from old: Database, to db: Database) throws {
        let columns = try db.columns(in: table).map(\.name)
        let names = columns.joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let rows = try Row.fetchCursor(old, sql: "SELECT \(names) FROM \(table)")
        while let row = try rows.next() {
            // In a damaged index, a row may refer to a missing one.
            try? db.execute(
                sql: "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(marks))",
                arguments: StatementArguments(row.databaseValues))
        }
    }

    /// Copies readable downloads with their IDs.
    ///
    /// - Parameter finished: Whether to include finished ones. They are left out if a pass was
    ///   lost, so that it is fetched again.
    /// - Returns: Whether all downloads were copied.
    func copyDownloads(finished: Bool, to db: Database) throws -> Bool {
        guard let index else { return false }
        return try Salvage.upToDamage {
            try index.read { old in
                // The index may be older than this table.
                guard try old.tableExists("downloads") else { return }
                let rows = try Row.fetchCursor(
                    old, sql: "SELECT * FROM downloads NOT INDEXED ORDER BY id")
                while let row = try rows.next() {
                    guard var kept = DownloadRow(salvaging: row) else { continue }
                    if finished || kept.download.state != .finished { try kept.store(db) }
                }
            }
        }
    }

    /// The greatest ID ever used, as far as known. Also looks at the names of files, since a
    /// process may hold a file whose row was lost.
    func lastDownload(_ files: FileStore) throws -> Int64 {
        var last = try files.names(in: files.downloads).compactMap(DownloadFile.id).max() ?? 0
        try Salvage.upToDamage {
            let kept = try index?.read { old in
                try Int64.fetchOne(
                    old, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'downloads'")
            }
            last = max(last, kept ?? 0)
        }
        return last
    }

    func close() throws { try index?.close() }

    /// Calls `read`, which stops at damage. Returns whether there was none.
    @discardableResult
    private static func upToDamage(_ read: () throws -> Void) throws -> Bool {
        do {
            try read()
            return true
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_NOMEM, .SQLITE_IOERR, .SQLITE_CANTOPEN,
                .SQLITE_FULL:
                throw error
            default: return false
            }
        } catch {
            // Any other error means that a row violates the schema.
            return false
        }
    }
}

/// A row of `passes`: the columns that a rebuild cannot read from the pass file.
struct SalvagedPass: FetchableRecord {
    let identity: PassIdentity
    let id: Int64
    /// The ID of the current version.
    let front: Int64?
    let updatesAutomatically: Bool
    let showsNotifications: Bool

    init(row: Row) throws {
        identity = PassIdentity(
            passTypeIdentifier: try row.value("passTypeIdentifier"),
            serialNumber: try row.value("serialNumber"))
        id = try row.value("id")
        front = try? row.optional("front")
        // The index may be older than these columns.
        updatesAutomatically = (try? row.optional("updatesAutomatically")) ?? true
        showsNotifications = (try? row.optional("showsNotifications")) ?? true
    }
}

/// A row of `versions`: the columns that a rebuild cannot read from the pass file.
struct SalvagedVersion: FetchableRecord {
    let sha256: String
    let id: Int64
    /// Nil if it is damaged.
    let verdict: Verdict?
    let anchor: String?
    let anchorOrigin: TrustAnchor.Origin?

    /// The standing that a worse judgement of the same file does not change; nil otherwise.
    func standing(outlasting verified: VerifiedPass) -> Standing? {
        guard let verdict else { return nil }
        let standing = Standing(verdict: verdict, anchorOrigin: anchorOrigin)
        return standing.outlasts(Standing(verified), verified.reasons) ? standing : nil
    }

    init(row: Row) throws {
        sha256 = try row.value("sha256")
        id = try row.value("id")
        verdict = try? row.named("verdict", Verdict.init(exactly:))
        // The index may be older than these columns.
        anchor = try? row.optional("anchor")
        anchorOrigin = try? row.named("anchorOrigin", TrustAnchor.Origin.init(exactly:))
    }
}

private struct SalvagedOrigin: FetchableRecord {
    let sha256: String
    let origin: OriginRecord

    init(row: Row) throws {
        sha256 = try row.value("sha256")
        origin = try OriginRecord(row: row)
    }
}

extension DownloadRow {
    /// A possibly incomplete row: its download is fetched from the start, and is paused if its
    /// state is unknown.
    fileprivate init?(salvaging row: Row) {
        if let whole = try? DownloadRow(row: row) {
            self = whole
            return
        }
        guard let id: Int64 = try? row.value("id"), let url: String = try? row.value("contentURL")
        else { return nil }
        let request = DownloadRequest(
            url: url, origin: try? DownloadRow.origin(row), parent: try? row.optional("parent"),
            conditions: try? row.optional("conditions"))
        self.init(Download(request, at: .nowAsKept))
        download.id = id
        let state = try? row.named("state", Download.State.init(exactly:))
        download.state = state?.asKept ?? .paused
    }
}
