internal import GRDB
internal import PassModel

/// Data of a damaged index that is not in the pass files.
struct Salvage {
    /// Origins by digest of the version.
    private(set) var origins: [String: [Origin]] = [:]
    /// The IDs of passes.
    private(set) var numbers: [PassIdentity: Int64] = [:]
    /// The greatest pass ID ever used.
    private(set) var lastPass: Int64 = 0

    /// The digests of the files in the index.
    private(set) var digests: Set<String> = []
    /// Whether `digests` is complete.
    private(set) var knowsDigests = false

    let index: DatabaseQueue?

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
            digests = try index.read { db in
                try String.fetchSet(db, sql: "SELECT sha256 FROM versions NOT INDEXED")
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
                let passes = try PassRecord.fetchCursor(db)
                while let pass = try passes.next() {
                    numbers[pass.identity] = pass.id
                    lastPass = max(lastPass, pass.id ?? 0)
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

    func close() throws { try index?.close() }

    /// Calls `read`, which stops at damage. Returns whether there was none.
    @discardableResult
    static func upToDamage(_ read: () throws -> Void) throws -> Bool {
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

private struct SalvagedOrigin: FetchableRecord {
    let sha256: String
    let origin: OriginRecord

    init(row: Row) throws {
        sha256 = try row.value("sha256")
        origin = try OriginRecord(row: row)
    }
}
