/// A database that several threads and processes can use at once.
///
/// Statements use the SQL that SQLite and PostgreSQL share, with parameters `$1`, `$2`, ...
/// ``SQLTransaction/dialect`` provides the parts that differ.
package protocol SQLDatabase: Sendable {
    /// Runs queries on a single snapshot of the database.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing any SQLTransaction) throws -> Value
    ) async throws -> Value

    /// Runs statements in a transaction, which is committed unless `body` throws. `body` may run
    /// more than once: after a conflict with another transaction, or after a lost connection to the
    /// server.
    @discardableResult func write<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing any SQLTransaction) throws -> Value
    ) async throws -> Value
}

/// A transaction of a database.
package protocol SQLTransaction {
    var dialect: SQLDialect { get }

    /// Runs a statement and returns the rows of its result.
    @discardableResult func rows(_ statement: String, _ values: [SQLValue]) throws -> [SQLRow]

    /// Runs several statements without parameters.
    func run(script: String) throws

    func hasTable(_ name: String) throws -> Bool
}

extension SQLTransaction {
    @discardableResult package func rows(
        _ statement: String, _ values: SQLValue...
    ) throws -> [SQLRow] {
        try rows(statement, values)
    }

    /// The first row of a result; nil if there is none.
    package func row(_ statement: String, _ values: SQLValue...) throws -> SQLRow? {
        try rows(statement, values).first
    }
}

/// The parts of SQL that differ between the databases.
package enum SQLDialect: Sendable {
    case sqlite
    case postgreSQL

    /// The type of a primary key that the database assigns.
    package var assignedKey: String {
        switch self {
        case .sqlite: "INTEGER PRIMARY KEY AUTOINCREMENT"
        case .postgreSQL: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
        }
    }

    /// The type of a column of bytes.
    package var bytes: String {
        switch self {
        case .sqlite: "BLOB"
        case .postgreSQL: "BYTEA"
        }
    }

    /// A suffix for a query: locks its rows until the transaction ends. Empty for SQLite, which has
    /// one writer at a time.
    package var lockingRows: String {
        switch self {
        case .sqlite: ""
        case .postgreSQL: "FOR UPDATE"
        }
    }

    /// A suffix for a query: keeps other transactions from deleting its rows of a table, and skips
    /// rows that another transaction is deleting.
    package func keepingRows(of table: String) -> String {
        switch self {
        case .sqlite: ""
        case .postgreSQL: "FOR KEY SHARE OF \(table)"
        }
    }

    /// A suffix for a query: locks its rows, and skips rows that another transaction has locked.
    /// Empty for SQLite, which has one writer at a time.
    package var lockingFreeRows: String {
        switch self {
        case .sqlite: ""
        case .postgreSQL: "FOR UPDATE SKIP LOCKED"
        }
    }
}
