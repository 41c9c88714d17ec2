internal import GRDB

/// Values are validated: the file may have been modified by others.
extension Row {
    func holds(_ column: String) -> Bool { stored(column) != nil }

    func optional<Value: DatabaseValueConvertible>(_ column: String) throws -> Value? {
        guard let stored = stored(column) else { return nil }
        guard let value = Value.fromDatabaseValue(stored) else { throw unreadable(column) }
        return value
    }

    /// The value of a column that must not be NULL.
    func value<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        guard let value: Value = try optional(column) else { throw unreadable(column) }
        return value
    }

    func named<Value>(_ column: String, _ read: (String) -> Value?) throws -> Value {
        guard let value = read(try value(column)) else { throw unreadable(column) }
        return value
    }

    private func stored(_ column: String) -> DatabaseValue? {
        let value: (any DatabaseValueConvertible)? = self[column]
        return value?.databaseValue
    }

    private func unreadable(_ column: String) -> DecodingError {
        .dataCorrupted(
            .init(codingPath: [], debugDescription: column))
    }
}
