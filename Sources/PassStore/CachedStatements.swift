internal import GRDB

/// Statements used for every pass are prepared once.
extension Database {
    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

extension FetchableRecord {
    static func first(
        _ db: Database, _ sql: String, _ arguments: StatementArguments
    ) throws -> Self? {
        try fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }
}
