import HTTPTypes
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// An HTTP server on loopback, at a port that the system chooses. It answers each path as the test
/// configures, records its requests, and stops when the test's scope ends, even while it is
/// sending. It runs on its own threads, so a test may block while a program runs.
package final class LoopbackServer: Sendable {
    /// `127.0.0.1` or `::1`.
    package let address: String
    package let port: Int
    package let isSecure: Bool
    let paths = Mutex(Paths())
    let record: ServerRecord

    private init(address: String, port: Int, isSecure: Bool, record: ServerRecord) {
        self.address = address
        self.port = port
        self.isSecure = isSecure
        self.record = record
    }

    /// Runs a server for as long as `body` runs; with a certificate it speaks TLS, and on request
    /// also HTTP/2.
    package static func run<Outcome>(
        on address: String = "127.0.0.1", certificate: ServerCertificate? = nil,
        offersHTTP2: Bool = false,
        _ body: (LoopbackServer) async throws -> Outcome
    ) async throws -> Outcome {
        let record = ServerRecord()
        let (serving, start) = AsyncStream<LoopbackServer>.makeStream()
        let current = Mutex<LoopbackServer?>(nil)
        let respond: HTTPChannelHandler.Responder = { request, writer, channel in
            guard let server = current.withLock({ $0 }) else { return }
            try await server.respond(to: request, writer, on: channel)
        }
        let configuration = ServerConfiguration(address: .hostname(address, port: 0))
        let started: @Sendable (any Channel) async -> Void = { channel in
            let server = LoopbackServer(
                address: address, port: channel.localAddress?.port ?? 0,
                isSecure: certificate != nil, record: record)
            current.withLock { $0 = server }
            start.yield(server)
        }
        let group = MultiThreadedEventLoopGroup.singleton
        let tls = try certificate?.configuration
        @Sendable func serve(_ channel: some ServerChildChannel) async throws {
            try await Server(
                childChannelSetup: CountedChannel(base: channel, record: record),
                configuration: configuration, onServerRunning: started, eventLoopGroup: group,
                logger: quiet
            ).run()
        }
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask(executorPreference: EventLoopExecutor(loop: group.next())) {
                defer { start.finish() }
                let plain = HTTP1Channel(responder: respond)
                if let tls, offersHTTP2 {
                    try await serve(
                        HTTP2UpgradeChannel(tlsConfiguration: tls, responder: respond))
                } else if let tls {
                    try await serve(TLSChannel(plain, tlsConfiguration: tls))
                } else {
                    try await serve(plain)
                }
            }
            guard let server = await serving.first(where: { _ in true }) else {
                try await tasks.waitForAll()
                throw CancellationError()
            }
            defer {
                tasks.cancelAll()
                record.close()
            }
            return try await body(server)
        }
    }

    /// The URL of a path on this server, with the name `host` if given.
    package func url(_ path: String = "/", host: String? = nil) -> String {
        "\(isSecure ? "https" : "http")://\(authority(host: host))\(path)"
    }

    /// Host and port, as in a URL and a Host field.
    package func authority(host: String? = nil) -> String {
        let name = host ?? address
        return (name.contains(":") ? "[\(name)]" : name) + ":\(port)"
    }
}

private let quiet = {
    var logger = Logger(label: "LoopbackServer")
    logger.logLevel = .critical
    return logger
}()
