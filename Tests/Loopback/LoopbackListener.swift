import NIOCore
import NIOPosix

/// A port on the loopback interface, and its connections.
struct LoopbackListener {
    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private let channel: NIOAsyncChannel<Connection, Never>

    init(on address: String) async throws {
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: address, port: 0) { asynchronous($0) }
    }

    var port: Int { channel.channel.localAddress?.port ?? 0 }

    /// Serves each connection for as long as `body` runs.
    func serve<Outcome>(
        _ serve: @escaping @Sendable (Connection) async throws -> Void,
        _ body: () async throws -> Outcome
    ) async throws -> Outcome {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask(executorPreference: EventLoopExecutor(loop: loop)) {
                try await channel.executeThenClose { connections in
                    await withDiscardingTaskGroup { serving in
                        do {
                            for try await connection in connections {
                                serving.addTask { try? await serve(connection) }
                            }
                        } catch {}
                    }
                }
            }
            defer { tasks.cancelAll() }
            return try await body()
        }
    }
}
