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

    init(from path: String) {
        var configuration = Configuration()
        configuration.readonly = true
        guard let index = try? DatabaseQueue(path: path, configuration: configuration) else {
            return
        }
        // Each is read up to where the damage is.
        try? index.read { db in
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
        try? index.read { db in
            let passes = try PassRecord.fetchCursor(db)
            while let pass = try passes.next() {
                numbers[pass.identity] = pass.id
                lastPass = max(lastPass, pass.id ?? 0)
            }
        }
        try? index.read { db in
            let last = try Int64.fetchOne(
                db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'passes'")
            lastPass = max(lastPass, last ?? 0)
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
