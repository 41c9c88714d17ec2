import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOSSL

/// Answers the request of one stream.
final class FakeStream: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let record: FakeRecord
    private let connection: Int
    private var head: HPACKHeaders?
    private var body = ByteBuffer()
    private var atOnce = 0

    init(_ record: FakeRecord, _ connection: Int) {
        self.record = record
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let headers):
            atOnce = record.began()
            head = headers.headers
            if headers.endStream { respond(context) }
        case .data(let data):
            if case .byteBuffer(var bytes) = data.data { body.writeBuffer(&bytes) }
            if data.endStream { respond(context) }
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if head != nil { record.ended() }
        context.fireChannelInactive()
    }

    private func respond(_ context: ChannelHandlerContext) {
        guard let head else { return }
        let parent = context.channel.parent
        let certificate = try? parent?.pipeline.syncOperations.nioSSL_peerCertificate()
        let push = RecordedPush(
            method: head.first(name: ":method") ?? "", path: head.first(name: ":path") ?? "",
            headers: Dictionary(
                head.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
            body: Array(body.readableBytesView), certificate: try? certificate?.toDERBytes(),
            connection: connection, atOnce: atOnce)
        let answer = record.answer(to: push)
        if let (status, body) = answer.response {
            writeHead(status, isEnd: body == nil, context)
            if let body { write(body, isEnd: true, context) }
            return context.flush()
        }
        switch answer {
        case .late(let milliseconds):
            context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(milliseconds)) {
                if context.channel.isActive {
                    self.writeHead(200, isEnd: true, context)
                    context.flush()
                }
            }
        case .headOnly(let status):
            writeHead(status, isEnd: false, context)
            context.flush()
        case .endless(let status):
            writeHead(status, isEnd: false, context)
            writeBytes(context)
        case .close: parent?.close(promise: nil)
        case .goAway:
            let frame = HTTP2Frame(
                streamID: .rootStream,
                payload: .goAway(lastStreamID: 0, errorCode: .noError, opaqueData: nil))
            parent?.writeAndFlush(frame).whenComplete { _ in parent?.close(promise: nil) }
        default: break
        }
    }

    private func writeHead(_ status: Int, isEnd: Bool, _ context: ChannelHandlerContext) {
        let headers: HPACKHeaders = [":status": "\(status)", "apns-id": "0"]
        let head = HTTP2Frame.FramePayload.Headers(headers: headers, endStream: isEnd)
        context.write(wrapOutboundOut(.headers(head)), promise: nil)
    }

    private func write(_ body: String, isEnd: Bool, _ context: ChannelHandlerContext) {
        let data = HTTP2Frame.FramePayload.Data(
            data: .byteBuffer(ByteBuffer(string: body)), endStream: isEnd)
        context.write(wrapOutboundOut(.data(data)), promise: nil)
    }

    /// Writes a byte every 50 milliseconds while the stream is open.
    private func writeBytes(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        write(" ", isEnd: false, context)
        context.flush()
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(50)) {
            self.writeBytes(context)
        }
    }
}
