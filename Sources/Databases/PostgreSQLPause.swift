internal import Synchronization

/// Opens no new connection for a second after a failed attempt, since each attempt may take
/// seconds. Open connections remain in use.
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
