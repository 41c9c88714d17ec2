internal import Glibc
internal import Hummingbird
public import HummingbirdCore
internal import Logging
internal import NIOCore

/// A connection with deadlines.
struct ServiceChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let limits: ServiceLimits
    let connections: OpenConnections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        connections.opened()
        channel.closeFuture.whenComplete { [connections] _ in connections.closed() }
        do {
            try channel.pipeline.syncOperations.addHandler(ConnectionDeadline(limits))
            // Closes connections of unreachable clients (tcp(7)). Unix sockets lack this option.
            try? channel.syncOptions?.setOption(
                .tcpOption(.init(rawValue: TCP_USER_TIMEOUT)),
                value: Int(clamping: min(limits.answerSeconds, 1_000_000) * 1_000))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

extension HTTPServerBuilder {
    /// A server for a ``ServiceResponder`` that applies the limits for connections: deadlines for
    /// requests and responses.
    ///
    /// ```swift
    /// let application = Application(responder: responder, server: .passService())
    /// ```
    ///
    /// - Parameter limits: The limits.
    public static func passService(
        limits: ServiceLimits = ServiceLimits()
    ) -> HTTPServerBuilder {
        passService(limits: limits, connections: OpenConnections())
    }

    /// - Parameter connections: Counts the open connections, for monitoring.
    package static func passService(
        limits: ServiceLimits, connections: OpenConnections
    ) -> HTTPServerBuilder {
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [RequestDeadline(limits)],
            idleTimeout: .seconds(limits.idleSeconds),
            // Header fields above the limit lead to 431. Far larger ones lead to 400 before they
            // have arrived completely.
            httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                maxHeaderFieldSize: 2 * limits.headerBytes,
                maxHeaderListSize: 2 * limits.headerBytes, maxHeaderFieldCount: 256))
        return HTTPServerBuilder { responder in
            ServiceChannel(
                base: HTTP1Channel(responder: responder, configuration: configuration),
                limits: limits, connections: connections)
        }
    }
}
