internal import Foundation
internal import GRDB

/// An SQLite database in a file.
package final class SQLiteDatabase: SQLDatabase {
    private let pool: DatabasePool

    /// Opens a database; creates the file if it does not exist.
    package init(path: String) throws(SQLError) {
        var configuration = Configuration()
        configuration.busyMode = .timeout(30)
        configuration.label = "SQLiteDatabase"
        // In WAL mode, GRDB sets NORMAL, which can lose the last commits in a power failure.
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
        }
        do {
            pool = try DatabasePool(path: path, configuration: configuration)
            // The pool overrides the setting above when it opens.
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
            }
        } catch {
            throw SQLError(error)
        }
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing any SQLTransaction) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.read { db in try body(SQLiteTransaction(db: db)) }
        } catch let error as DatabaseError {
            throw SQLError(error)
        }
    }

    @discardableResult package func write<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing any SQLTransaction) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.write { db in try body(SQLiteTransaction(db: db)) }
        } catch let error as DatabaseError {
            throw SQLError(error)
        }
    }
}

private struct SQLiteTransaction: SQLTransaction {
    let db: GRDB.Database

    var dialect: SQLDialect { .sqlite }

    func rows(_ statement: String, _ values: [SQLValue]) throws -> [SQLRow] {
        let statement = try db.cachedStatement(sql: statement)
        // Arguments are passed by name: SQLite numbers `$2` first if it occurs before `$1`.
        var arguments: [String: (any DatabaseValueConvertible)?] = [:]
        for (index, value) in values.enumerated() {
            arguments["\(index + 1)"] = .some(DatabaseValue(value))
        }
        return try Row.fetchAll(statement, arguments: StatementArguments(arguments)).map { row in
            SQLRow(row.databaseValues.map(SQLValue.init))
        }
    }

    func run(script: String) throws {
        try db.execute(sql: script)
    }

    func hasTable(_ name: String) throws -> Bool {
        try db.tableExists(name)
    }
}

extension DatabaseValue {
    fileprivate init(_ value: SQLValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = number.databaseValue
        case .text(let text): self = text.databaseValue
        case .bytes(let bytes): self = Data(bytes).databaseValue
        }
    }
}

extension SQLValue {
    fileprivate init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(number)
        case .double(let number): self = .text("\(number)")
        case .string(let text): self = .text(text)
        case .blob(let bytes): self = .bytes(Array(bytes))
        }
    }
}

extension SQLError {
    fileprivate init(_ error: any Error) {
        switch error {
        case let error as DatabaseError where error.resultCode == .SQLITE_BUSY:
            self = .locked
        case let error as DatabaseError where error.resultCode == .SQLITE_FULL:
            self = .noSpace
        case let error as DatabaseError:
            self = .failed(error.message ?? "SQLite \(error.resultCode.rawValue)")
        default:
            self = .failed("\(error)")
        }
    }
}
