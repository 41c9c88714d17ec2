/// An error of a database.
package enum SQLError: Error, Sendable, Hashable {
    /// The server cannot be reached, or ended the connection: its message.
    case unavailable(String)
    /// Another transaction used the same data for too long.
    case locked
    /// The transaction did not fit to another one at the same time, and may be repeated.
    case conflict
    /// The disk of the database is full.
    case noSpace
    /// The database refused a statement: its message.
    case failed(String)
    /// The address, which may contain a password, is not a connection URI of PostgreSQL.
    case invalidAddress
    /// The address contains a password or another secret, which other users would see in the list of processes.
    case passwordInAddress
    /// A column of a result has another type than expected.
    case unexpectedValue(column: Int)
}
