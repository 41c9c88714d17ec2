internal import GRDB
internal import PassModel

/// What can still be read from a damaged index, and is not in the pass files.
struct Salvage {
    /// Where versions came from, by their digests.
    private(set) var origins: [String: [Origin]] = [:]
    /// The numbers that passes had.
    private(set) var numbers: [PassIdentity: Int64] = [:]
    /// The greatest number that a pass ever had.
    private(set) var lastPass: Int64 = 0

    /// The digests of the files that it knew.
    private(set) var digests: Set<String> = []
    /// Whether those are all.
    private(set) var knowsDigests = false

    let index: DatabaseQueue?

    /// Reads an index up to where it is damaged.
    ///
    /// - Throws: Where it cannot be read now, though it may be whole.
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

    /// Copies what was noted of sources, under the same numbers.
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

    /// Does it up to where the damage is; returns whether there was none.
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
            // What is left is a row that does not hold what the schema promises.
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
