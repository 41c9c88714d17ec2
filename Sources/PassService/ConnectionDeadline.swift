internal import NIOCore

/// Limits the lifetime of a connection, regardless of its traffic.
///
/// Closes the connection if nothing is read for longer than any request may take. At its maximum
/// age, and when the server shuts down, requests in progress are still answered; the connection is
/// closed after at most ``ServiceLimits/shutdownSeconds``.
final class ConnectionDeadline: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let silence: TimeAmount
    private let age: TimeAmount
    private let grace: TimeAmount
    private var opened = NIODeadline.now()
    private var lastRead = NIODeadline.now()
    /// The time at which the connection is closed, finished or not.
    private var end: NIODeadline?
    private var timer: Scheduled<Void>?

    init(_ limits: ServiceLimits) {
        silence = .seconds(limits.idleSeconds + limits.answerSeconds)
        age = .seconds(limits.connectionSeconds)
        grace = .seconds(limits.shutdownSeconds)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        opened = .now()
        lastRead = opened
        schedule(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastRead = .now()
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, end == nil {
            end = .now() + grace
            schedule(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func schedule(_ context: ChannelHandlerContext) {
        timer?.cancel()
        let next = end ?? min(lastRead + silence, opened + age)
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: next) {
            self.check(context)
        }
    }

    private func check(_ context: ChannelHandlerContext) {
        let now = NIODeadline.now()
        if let end, now >= end { return context.close(promise: nil) }
        if now >= lastRead + silence { return context.close(promise: nil) }
        if end == nil, now >= opened + age {
            return context.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
        schedule(context)
    }
}
