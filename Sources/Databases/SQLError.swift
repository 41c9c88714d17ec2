/// A database error.
package enum SQLError: Error, Sendable, Hashable {
    /// The server cannot be reached, or closed the connection. Carries its message.
    case unavailable(String)
    /// Another transaction locked the same data for too long.
    case locked
    /// The transaction conflicted with a concurrent one, and may be repeated.
    case conflict
    /// The disk of the database is full.
    case noSpace
    /// The database refused a statement. Carries its message.
    case failed(String)
    /// The address, which may contain a password, is not a connection URI of PostgreSQL.
    case invalidAddress
    /// The address contains a password or another secret, which other users would see in the list
    /// of processes.
    case passwordInAddress
    /// A column of a result has an unexpected type.
    case unexpectedValue(column: Int)
}
