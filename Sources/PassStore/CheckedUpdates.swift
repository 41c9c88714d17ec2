internal import GRDB

/// Checks that the update records are readable.
extension Checkup {
    /// Deletes all of them if any is unreadable: the passes contain the same information.
    mutating func lookAtUpdates(_ index: DatabaseQueue) throws {
        let isReadable = try index.read { db in
            let records = try UpdateRecord.fetchCursor(
                db, sql: "SELECT * FROM updates WHERE url IS NOT NULL")
            do {
                while try records.next() != nil {}
                return true
            } catch is DecodingError {
                return false
            }
        }
        guard !isReadable else { return }
        if mend { try index.write { db in try db.execute(sql: "DELETE FROM updates") } }
        note(.wrongUpdates, Index.path(in: files.root))
    }
}
