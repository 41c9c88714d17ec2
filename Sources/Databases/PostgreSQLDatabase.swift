internal import Dispatch
internal import Synchronization

/// A PostgreSQL database with a small pool of connections. Connections open on demand and reopen
/// after the server was unavailable.
package final class PostgreSQLDatabase: SQLDatabase {
    private let state: Mutex<State>
    private let waiting: Int

    private struct State {
        var free: [PostgreSQLWorker]
        /// Transactions that wait for a worker, the oldest first.
        var waiting: [CheckedContinuation<PostgreSQLWorker, Never>] = []
    }

    /// - Parameters:
    ///   - connections: The maximum number of connections.
    ///   - waiting: The maximum number of transactions that wait for a connection; further ones
    ///     fail.
    package init(_ address: PostgreSQLAddress, connections: Int = 8, waiting: Int = 256) {
        let pause = PostgreSQLPause()
        let workers = (0..<max(connections, 1)).map { _ in PostgreSQLWorker(address, pause) }
        state = Mutex(State(free: workers))
        self.waiting = waiting
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
        let worker = try await freeWorker()
        defer { release(worker) }
        return try await worker.run(begin, body)
    }

    private func freeWorker() async throws(SQLError) -> PostgreSQLWorker {
        guard state.withLock({ $0.waiting.count < waiting }) else { throw .locked }
        return await withCheckedContinuation { continuation in
            let worker = state.withLock { state -> PostgreSQLWorker? in
                if let worker = state.free.popLast() { return worker }
                state.waiting.append(continuation)
                return nil
            }
            if let worker { continuation.resume(returning: worker) }
        }
    }

    private func release(_ worker: PostgreSQLWorker) {
        let next = state.withLock { state -> CheckedContinuation<PostgreSQLWorker, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free.append(worker)
            return nil
        }
        next?.resume(returning: worker)
    }
}
