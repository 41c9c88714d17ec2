internal import Glibc
internal import Hummingbird
public import HummingbirdCore
internal import Logging
internal import NIOCore

/// A connection with deadlines, and with a limit on the number of connections per client.
struct ServiceChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let limits: ServiceLimits
    let proxies: [AddressRange]
    let connections: OpenConnections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        let client = channel.remoteAddress.flatMap { ClientAddress($0) }.flatMap { peer in
            peer.isLoopback || proxies.contains { $0.contains(peer) } ? nil : peer.client
        }
        let count = connections.opened(by: client)
        channel.closeFuture.whenComplete { [connections] _ in connections.closed(by: client) }
        do {
            try channel.pipeline.syncOperations.addHandler(ConnectionDeadline(limits))
            // Closes connections of unreachable clients (tcp(7)). Unix sockets lack this option.
            try? channel.syncOptions?.setOption(
                .tcpOption(.init(rawValue: TCP_USER_TIMEOUT)),
                value: Int(clamping: min(limits.answerSeconds, 1_000_000) * 1_000))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        let limits = limits
        return base.setup(channel: channel, logger: logger).map { value in
            if count > limits.clientConnections { channel.close(promise: nil) }
            return value
        }
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

extension HTTPServerBuilder {
    /// A server for a ``ServiceResponder`` that applies the limits for connections: deadlines for
    /// requests and responses, and the number of connections per client.
    ///
    /// ```swift
    /// let application = Application(responder: responder, server: .passService())
    /// ```
    ///
    /// - Parameters:
    ///   - limits: The limits.
    ///   - proxies: The proxies in front of the server, whose connections are not limited.
    public static func passService(
        limits: ServiceLimits = ServiceLimits(), proxies: [AddressRange] = []
    ) -> HTTPServerBuilder {
        passService(limits: limits, proxies: proxies, connections: OpenConnections())
    }

    /// - Parameter connections: Counts the open connections, for monitoring.
    package static func passService(
        limits: ServiceLimits, proxies: [AddressRange], connections: OpenConnections
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
                limits: limits, proxies: proxies, connections: connections)
        }
    }
}
