import NIOCore
import NIOPosix
import Synchronization

/// A proxy on loopback that speaks SOCKS 5 (RFC 1928) without a password. The test maps names to
/// ports, so that no name is looked up.
package final class LoopbackSOCKSProxy: Sendable {
    package let port: Int
    private let ports: [String: Int]
    private let asked = Mutex<[String]>([])

    /// The requested targets, as `host:port`.
    package var targets: [String] { asked.withLock(\.self) }

    private init(port: Int, ports: [String: Int]) {
        self.port = port
        self.ports = ports
    }

    /// Runs a proxy for as long as `body` runs. `ports` maps host names to ports of this computer.
    package static func run<Outcome>(
        ports: [String: Int] = [:], _ body: (LoopbackSOCKSProxy) async throws -> Outcome
    ) async throws -> Outcome {
        let listener = try await LoopbackListener(on: "127.0.0.1")
        let proxy = LoopbackSOCKSProxy(port: listener.port, ports: ports)
        return try await listener.serve(proxy.serve) { try await body(proxy) }
    }

    private func serve(_ connection: LoopbackListener.Connection) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var inquiry = Inquiry(chunks: inbound.makeAsyncIterator())
            // The request begins with the version and the number of methods; the response selects
            // no authentication.
            let methods = try await inquiry.take(2)[1]
            _ = try await inquiry.take(Int(methods))
            try await outbound.write(ByteBuffer(bytes: [5, 0]))
            // The request is CONNECT to an IPv4 address or a name, with a port.
            let request = try await inquiry.take(4)
            let size = request[3] == 1 ? 4 : Int(try await inquiry.take(1)[0])
            let name = try await inquiry.take(size)
            let host =
                request[3] == 1
                ? name.map(String.init).joined(separator: ".")
                : String(decoding: name, as: UTF8.self)
            let digits = try await inquiry.take(2)
            let target = Int(digits[0]) << 8 | Int(digits[1])
            asked.withLock { $0.append("\(host):\(target)") }
            let client = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            guard request[1] == 1, let port = ports[host] ?? (host == "127.0.0.1" ? target : nil),
                let server = try? await client.connect(
                    host: "127.0.0.1", port: port, channelInitializer: asynchronous)
            else {
                // Reply 4: the host is unreachable.
                try await outbound.write(ByteBuffer(bytes: [5, 4, 0, 1, 0, 0, 0, 0, 0, 0]))
                return
            }
            try await server.executeThenClose { answers, orders in
                try await outbound.write(ByteBuffer(bytes: [5, 0, 0, 1, 127, 0, 0, 1, 0, 0]))
                try await withThrowingTaskGroup(of: Void.self) { both in
                    both.addTask {
                        for try await answer in answers { try await outbound.write(answer) }
                    }
                    while let chunk = try await inquiry.chunks.next(isolation: #isolation) {
                        try await orders.write(chunk)
                    }
                    orders.finish()
                    try await both.waitForAll()
                }
            }
        }
    }
}

/// The bytes from a client.
private struct Inquiry {
    var chunks: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var bytes: [UInt8] = []

    init(chunks: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) {
        self.chunks = chunks
    }

    mutating func take(_ count: Int) async throws -> [UInt8] {
        while bytes.count < count {
            guard let chunk = try await chunks.next(isolation: #isolation) else {
                throw CancellationError()
            }
            bytes += chunk.readableBytesView
        }
        defer { bytes.removeFirst(count) }
        return Array(bytes.prefix(count))
    }
}
