internal import Dispatch
internal import Synchronization

/// A PostgreSQL database, through a few connections that are opened when they are needed, and
/// opened again after the server went away.
package final class PostgreSQLDatabase: SQLDatabase {
    private let address: PostgreSQLAddress
    private let workers: Mutex<Workers>

    private struct Workers {
        var free: [Worker]
        var waiting: [CheckedContinuation<Worker, Never>] = []
    }

    /// - Parameter connections: The maximum number of connections.
    package init(_ address: PostgreSQLAddress, connections: Int = 8) {
        self.address = address
        workers = Mutex(Workers(free: (0..<max(connections, 1)).map { _ in Worker(address) }))
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing any SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", body)
    }

    @discardableResult package func write<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing any SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await run("BEGIN", body)
    }

    private func run<Value: Sendable>(
        _ begin: String,
        _ body: @escaping @Sendable (borrowing any SQLTransaction) throws -> Value
    ) async throws -> Value {
        let worker = await freeWorker()
        defer { release(worker) }
        return try await worker.run(begin, body)
    }

    private func freeWorker() async -> Worker {
        await withCheckedContinuation { continuation in
            let worker = workers.withLock { workers -> Worker? in
                if let worker = workers.free.popLast() { return worker }
                workers.waiting.append(continuation)
                return nil
            }
            if let worker { continuation.resume(returning: worker) }
        }
    }

    private func release(_ worker: Worker) {
        let next = workers.withLock { workers -> CheckedContinuation<Worker, Never>? in
            guard workers.waiting.isEmpty else { return workers.waiting.removeFirst() }
            workers.free.append(worker)
            return nil
        }
        next?.resume(returning: worker)
    }
}

/// A connection, and the queue that its blocking calls run in.
///
/// Sendable, since the connection is used in the queue only.
private final class Worker: @unchecked Sendable {
    private let address: PostgreSQLAddress
    private let queue = DispatchQueue(label: "PostgreSQLConnection")
    private var connection: PostgreSQLConnection?

    /// After so many conflicts the transaction fails.
    private static let attempts = 10

    init(_ address: PostgreSQLAddress) {
        self.address = address
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
        let connection = try self.connection ?? PostgreSQLConnection(address)
        // Kept only after a transaction that ended in a known state.
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
