internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Limits the time and the size of each request on a connection.
///
/// - A body must arrive within ``ServiceLimits/bodySeconds``, and an answer must be written within
///   ``ServiceLimits/answerSeconds``; otherwise the connection is closed.
/// - If a response ends before its request has arrived completely, such as 401 or 413, no further
///   request is answered. The rest of the request is read briefly before the connection is closed:
///   closing at once would reset the connection, and the client would lose the response (RFC 9112,
///   9.6).
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let linger = TimeAmount.seconds(2)

    /// The state of the oldest request without a complete response.
    private enum Phase: Equatable {
        case none
        case reading(request: Int)
        case answering(request: Int)
    }

    private let limits: ServiceLimits
    // Counts of requests. A client may send several before it reads a response (RFC 9112, 9.3.2).
    private var begun = 0
    private var arrived = 0
    private var answering = 0
    private var answered = 0
    private var phase = Phase.none
    private var timer: Scheduled<Void>?
    /// Whether the last response was sent, and the rest of its request is being discarded.
    private var isEnding = false
    private var isWritten = false
    private var hasArrived = false
    private var discarded = 0
    /// Whether the client sent something that is not HTTP. Nothing more is read then.
    private var hasFailed = false

    init(_ limits: ServiceLimits) {
        self.limits = limits
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard !isEnding else { return discard(part, context) }
        switch part {
        case .head: begun += 1
        case .body: break
        case .end: arrived += 1
        }
        updateDeadline(context)
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        hasFailed = true
        context.fireErrorCaught(error)
    }

    func read(context: ChannelHandlerContext) {
        if !hasFailed { context.read() }
    }

    func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        guard !isEnding else {
            promise?.succeed()
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            answering += 1
            if answering > arrived {
                head.headerFields[.connection] = "close"
                context.write(wrapOutboundOut(.head(head)), promise: promise)
                return
            }
        case .body:
            break
        case .end:
            answered += 1
            if answered > arrived { return end(data, promise, context) }
            updateDeadline(context)
        }
        context.write(data, promise: promise)
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

    private func updateDeadline(_ context: ChannelHandlerContext) {
        let current: Phase =
            if begun <= answered {
                .none
            } else if arrived <= answered {
                .reading(request: answered)
            } else {
                .answering(request: answered)
            }
        guard current != phase else { return }
        phase = current
        switch current {
        case .none:
            timer?.cancel()
            timer = nil
        case .reading: close(context, in: .seconds(limits.bodySeconds))
        case .answering: close(context, in: .seconds(limits.answerSeconds))
        }
    }

    private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            context.close(promise: nil)
        }
    }

    /// Writes the end of the last response.
    private func end(
        _ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) {
        isEnding = true
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.isWritten = true
            if self.hasArrived {
                context.close(promise: nil)
            } else {
                self.close(context, in: Self.linger)
            }
        }
        close(context, in: .seconds(limits.answerSeconds))
        context.writeAndFlush(data, promise: written)
    }

    private func discard(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .body(let bytes):
            discarded += bytes.readableBytes
            if discarded > limits.bodyBytes { context.close(promise: nil) }
        case .head, .end:
            hasArrived = true
            if isWritten { context.close(promise: nil) }
        }
    }
}
