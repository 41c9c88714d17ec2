internal import Dispatch

/// A connection and the dispatch queue that runs its blocking calls.
///
/// Sendable, since only the queue uses the connection.
final class PostgreSQLWorker: @unchecked Sendable {
    private let address: PostgreSQLAddress
    private let pause: PostgreSQLPause
    private let queue = DispatchQueue(label: "PostgreSQLConnection")
    private var connection: PostgreSQLConnection?

    /// The maximum number of attempts for a transaction that conflicts with others.
    private static let attempts = 10

    init(_ address: PostgreSQLAddress, _ pause: PostgreSQLPause) {
        self.address = address
        self.pause = pause
    }

    func run<Value: Sendable>(
        _ begin: String,
        _ body: @escaping @Sendable (borrowing any SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Result { try self.repeated(begin, body) })
            }
        }
    }

    private func repeated<Value>(
        _ begin: String, _ body: (borrowing any SQLTransaction) throws -> Value
    ) throws -> Value {
        var conflicts = 0
        while true {
            let isOld = connection != nil
            do {
                return try once(begin, body)
            } catch SQLError.unavailable where isOld {
                // The server may have been restarted since the last transaction.
                continue
            } catch SQLError.conflict {
                conflicts += 1
                guard conflicts < Self.attempts else { throw SQLError.locked }
            }
        }
    }

    private func once<Value>(
        _ begin: String, _ body: (borrowing any SQLTransaction) throws -> Value
    ) throws -> Value {
        let connection = try self.connection ?? pause.connect(address)
        // The connection is reused only after a transaction that ended in a known state.
        self.connection = nil
        try connection.run(script: begin)
        do {
            let value = try body(connection)
            try connection.run(script: "COMMIT")
            self.connection = connection
            return value
        } catch {
            if case SQLError.unavailable = error { throw error }
            if (try? connection.run(script: "ROLLBACK")) != nil { self.connection = connection }
            throw error
        }
    }
}
