internal import NIOCore

/// Bounds the time of a connection, whatever is sent on it.
///
/// It is closed if nothing arrives for longer than any request may take. After its maximum age, and
/// when the server ends, requests that have begun are answered, and after
/// ``ServiceLimits/shutdownSeconds`` it is closed in any case.
final class ConnectionDeadline: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let silence: TimeAmount
    private let age: TimeAmount
    private let grace: TimeAmount
    private var opened = NIODeadline.now()
    private var lastRead = NIODeadline.now()
    /// When the connection is closed in any case.
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
