import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import PassFixtures
import Synchronization

/// Apple's push service on loopback: HTTP/2 over TLS, with client certificates or provider tokens.
/// It checks requests as APNs does, answers each push token as configured by the test, records the
/// requests, and stops when the test's scope ends.
package final class FakeAPNs: Sendable {
    /// Which clients may connect.
    package enum Clients: Sendable {
        /// Clients with a certificate of this authority, in a PEM file.
        case certified(by: String)
        /// All clients. A client certificate is optional, and must be of this authority.
        case any(checkedBy: String)
    }

    package struct Configuration: Sendable {
        /// PEM files.
        package var certificate: String
        package var key: String
        package var clients: Clients
        /// 0 for any free port.
        package var port = 0
        package var streams = 1000
        /// Whether requests are recorded, not just counted.
        package var isRecording = true

        package init(certificate: String, key: String, clients: Clients) {
            self.certificate = certificate
            self.key = key
            self.clients = clients
        }
    }

    package let port: Int
    private let listener: any Channel
    private let record: FakeRecord

    /// Runs a server for as long as `body` runs.
    package static func run<Outcome>(
        _ configuration: Configuration, _ body: (FakeAPNs) async throws -> Outcome
    ) async throws -> Outcome {
        let server = try await FakeAPNs(configuration)
        do {
            let outcome = try await body(server)
            try await server.stop()
            return outcome
        } catch {
            try? await server.stop()
            throw error
        }
    }

    package init(_ configuration: Configuration) async throws {
        let record = FakeRecord(isRecording: configuration.isRecording)
        let tls = try NIOSSLContext(configuration: Self.tls(configuration))
        let streams = configuration.streams
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = record.opened(channel)
                    var settings = NIOHTTP2Handler.ConnectionConfiguration()
                    settings.initialSettings = [
                        HTTP2Setting(parameter: .maxConcurrentStreams, value: streams),
                        HTTP2Setting(parameter: .maxHeaderListSize, value: 16384),
                    ]
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: tls))
                    _ = try pipeline.configureHTTP2Pipeline(
                        mode: .server, connectionConfiguration: settings,
                        streamConfiguration: NIOHTTP2Handler.StreamConfiguration()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            try stream.pipeline.syncOperations.addHandler(
                                FakeStream(record, connection))
                        }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: configuration.port).get()
        port = listener.localAddress?.port ?? 0
        self.record = record
    }

    private static func tls(_ configuration: Configuration) throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(configuration.certificate)
                .map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: configuration.key, format: .pem)))
        tls.applicationProtocols = ["h2"]
        switch configuration.clients {
        case .certified(let authority):
            tls.certificateVerification = .noHostnameVerification
            tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authority))
        case .any(let authority):
            tls.certificateVerification = .optionalVerification
            tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authority))
        }
        return tls
    }

    /// Closes the port and all connections.
    package func stop() async throws {
        try? await listener.close()
        record.closeAll()
    }

    /// Sets the answers to the next pushes for a token, in order. Other pushes are delivered.
    package func answer(_ token: String, _ answers: FakeAnswer...) {
        record.answer(token, answers)
    }

    /// Sets the answer to all pushes without an answer of their own.
    package func answerOthers(_ answer: FakeAnswer) {
        record.answerOthers(answer)
    }

    /// All requests so far.
    package var pushes: [RecordedPush] { record.pushes }
    package func pushes(to token: String) -> [RecordedPush] { pushes.filter { $0.token == token } }
    /// The number of requests so far, including unrecorded ones.
    package var count: Int { record.count }
    /// The number of connections so far that sent a request.
    package var connections: Int { Set(pushes.map(\.connection)).count }
    /// The maximum number of concurrent requests so far.
    package var mostAtOnce: Int { record.mostAtOnce }

    /// Waits for a condition, at most a minute.
    package func waits(until isSo: () -> Bool) async throws {
        let limit = ContinuousClock.now.advanced(by: .seconds(60))
        while !isSo() {
            guard ContinuousClock.now < limit else { throw NeverCame(pushes: pushes) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    package struct NeverCame: Error {
        package let pushes: [RecordedPush]
    }
}
