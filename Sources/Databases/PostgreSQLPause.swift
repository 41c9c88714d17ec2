internal import Synchronization

/// The time after a failed attempt to connect, in which no other connection is opened: each attempt
/// may take seconds. Open connections are used all the same.
final class PostgreSQLPause: Sendable {
    private struct Failure {
        let end: ContinuousClock.Instant
        let error: SQLError
    }

    private let failure = Mutex<Failure?>(nil)

    /// Connects, unless the last attempt failed within a second.
    func connect(_ address: PostgreSQLAddress) throws(SQLError) -> PostgreSQLConnection {
        let last = failure.withLock(\.self)
        if let last, last.end > .now { throw last.error }
        do throws(SQLError) {
            return try PostgreSQLConnection(address)
        } catch {
            failure.withLock { $0 = Failure(end: .now + .seconds(1), error: error) }
            throw error
        }
    }
}
