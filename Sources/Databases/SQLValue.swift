/// The value of a parameter or a column.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral
{
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .text(value) }
    package init(nilLiteral: ()) { self = .null }
}

/// A row of a result.
package struct SQLRow: Sendable, Hashable {
    private let values: [SQLValue]

    init(_ values: [SQLValue]) {
        self.values = values
    }

    package subscript(column: Int) -> SQLValue {
        values.indices.contains(column) ? values[column] : .null
    }

    /// - Throws: ``SQLError/unexpectedValue(column:)`` if the column is not an integer.
    package func integer(_ column: Int) throws(SQLError) -> Int64 {
        guard case .integer(let number) = self[column] else {
            throw .unexpectedValue(column: column)
        }
        return number
    }

    /// - Throws: ``SQLError/unexpectedValue(column:)`` if the column is not text.
    package func text(_ column: Int) throws(SQLError) -> String {
        guard case .text(let text) = self[column] else { throw .unexpectedValue(column: column) }
        return text
    }

    /// - Throws: ``SQLError/unexpectedValue(column:)`` if the column is not bytes.
    package func bytes(_ column: Int) throws(SQLError) -> [UInt8] {
        guard case .bytes(let bytes) = self[column] else {
            throw .unexpectedValue(column: column)
        }
        return bytes
    }
}
