internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Limits the time and the size of each request on an HTTP/1.1 connection or an HTTP/2 stream.
///
/// - A body must arrive within ``ServiceLimits/bodySeconds``, and an answer must be written within
///   ``ServiceLimits/answerSeconds``; otherwise the connection or stream is closed. An event stream
///   may last longer, but each of its events must be written within this time.
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
    /// The event stream that is being written.
    private var events: EventStream?
    /// The number of events of the stream that are being written.
    private var unwritten = 0
    private var isInputClosed = false
    private var isQuiescing = false
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
            // HTTP/2 has no such field (RFC 9113, 8.2.2).
            if answering > arrived, !isStream(context) {
                head.headerFields[.connection] = "close"
                context.write(wrapOutboundOut(.head(head)), promise: promise)
                return
            }
        case .body:
            if events != nil { return writeEvent(data, promise, context) }
        case .end:
            answered += 1
            events = nil
            if answered > arrived { return end(data, promise, context) }
            updateDeadline(context)
        }
        context.write(data, promise: promise)
    }

    /// Begins an event stream.
    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard let stream = event as? EventStream else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        events = stream
        if case .answering = phase { cancelTimer() }
        if isInputClosed { stream.end() }
        promise?.succeed()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        // The client closed the connection. (In HTTP/2, a request without a body ends in this way.)
        case ChannelEvent.inputClosed where !isStream(context):
            isInputClosed = true
            events?.end()
        case is ChannelShouldQuiesceEvent:
            isQuiescing = true
            events?.end()
            if events != nil, unwritten > 0 { close(context, in: eventTime) }
        default:
            break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish()
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish()
        context.fireChannelInactive()
    }

    private func finish() {
        cancelTimer()
        events?.end()
        events = nil
    }

    private func cancelTimer() {
        timer?.cancel()
        timer = nil
    }

    private func isStream(_ context: ChannelHandlerContext) -> Bool {
        // The parents of a stream are its connection and the listening socket.
        context.channel.parent?.parent != nil
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
        case .none: cancelTimer()
        case .reading: close(context, in: .seconds(limits.bodySeconds))
        case .answering where events != nil: cancelTimer()
        case .answering: close(context, in: .seconds(limits.answerSeconds))
        }
    }

    /// The time in which an event must be written.
    private var eventTime: TimeAmount { .seconds(isQuiescing ? 1 : limits.answerSeconds) }

    private func writeEvent(
        _ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) {
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        unwritten += 1
        if unwritten == 1, case .answering = phase {
            close(context, in: eventTime)
        }
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.unwritten -= 1
            guard self.events != nil, case .answering = self.phase else { return }
            if self.unwritten == 0 {
                self.cancelTimer()
            } else {
                self.close(context, in: self.eventTime)
            }
        }
        context.write(data, promise: written)
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
