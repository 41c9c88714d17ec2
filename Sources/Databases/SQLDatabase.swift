/// A database that several threads and processes use at once.
///
/// Statements are in the SQL that SQLite and PostgreSQL share, with parameters `$1`, `$2`, ...
/// ``SQLTransaction/dialect`` gives what they do not share.
package protocol SQLDatabase: Sendable {
    /// Runs statements that read, all on the same state of the database.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing any SQLTransaction) throws -> Value
    ) async throws -> Value

    /// Runs statements in a transaction, which is committed unless `body` throws. `body` may run
    /// more than once: after a conflict with another transaction, and after the connection to the
    /// server was lost.
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

/// What the SQL of the databases does not share.
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

    /// The type of bytes.
    package var bytes: String {
        switch self {
        case .sqlite: "BLOB"
        case .postgreSQL: "BYTEA"
        }
    }

    /// At the end of a query: locks its rows until the transaction ends. SQLite has one writer at a
    /// time.
    package var lockingRows: String {
        switch self {
        case .sqlite: ""
        case .postgreSQL: "FOR UPDATE"
        }
    }

    /// At the end of a query: keeps other transactions from deleting its rows of a table, and leaves
    /// out those that another transaction deletes.
    package func keepingRows(of table: String) -> String {
        switch self {
        case .sqlite: ""
        case .postgreSQL: "FOR KEY SHARE OF \(table)"
        }
    }

    /// At the end of a query: locks its rows, and leaves out those that another transaction has
    /// locked. SQLite has one writer at a time.
    package var lockingFreeRows: String {
        switch self {
        case .sqlite: ""
        case .postgreSQL: "FOR UPDATE SKIP LOCKED"
        }
    }
}
