import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import Synchronization

/// Thrown to close the connection here.
private struct EndsHere: Error {}

extension LoopbackServer {
    @concurrent
    func respond(
        to request: Request, _ writer: consuming ResponseWriter, on channel: any Channel
    ) async throws {
        let received =
            request.method == .post
            ? try await Array(request.body.collect(upTo: 1 << 20).readableBytesView) : []
        let recorded = record.began(request.head, received, on: channel)
        defer { record.ended(recorded.number) }
        let answer = paths.withLock { $0.answer(recorded) }
        if answer.delay > .zero { try await Task.sleep(for: answer.delay) }
        if let raw = answer.raw {
            var rest = Array(raw)[...]
            while let rate = answer.bytesPerSecond, !rest.isEmpty {
                let piece = rest.prefix(max(1, rate / 10))
                try await written(ByteBuffer(bytes: piece), to: channel)
                try await Task.sleep(for: .seconds(Double(piece.count) / Double(rate)))
                rest = rest.dropFirst(piece.count)
            }
            try await written(ByteBuffer(bytes: rest), to: channel)
            throw EndsHere()
        }
        let reply = try Reply(answer, to: recorded)
        record.note(recorded.number) { $0.status = reply.status }
        var head = HTTPResponse(status: .init(code: reply.status))
        // RFC 9110, 6.6.1; without it a client cannot use Last-Modified.
        if !reply.fields.contains(where: { $0.name == "Date" }) {
            head.headerFields[.date] = HTTPDate.text(Date.now)
        }
        for field in reply.fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            head.headerFields.append(HTTPField(name: name, lenientValue: Array(field.value.utf8)))
        }
        if ![204, 304].contains(reply.status), !answer.isChunked, let end = reply.end {
            head.headerFields[.contentLength] = String(end - reply.start)
        }
        guard request.method != .head, reply.status != 304 else {
            try await writer.writeResponse(head)
            return
        }
        var body = try await writer.writeHead(head)
        let last = [answer.cut, answer.stall].compactMap(\.self).min().map { reply.start + $0 }
        let end = [reply.end, last].compactMap(\.self).min()
        try await write(reply, to: end, of: answer, number: recorded.number, with: &body)
        if let last, last == end {
            try await written(ByteBuffer(), to: channel)
            if answer.stall == nil { throw EndsHere() }
            try await Task.sleep(for: .seconds(3600))
        }
        try await body.finish(nil)
    }

    @concurrent
    private func write(
        _ reply: Reply, to end: Int?, of answer: Answer, number: Int,
        with body: inout some ResponseBodyWriter
    ) async throws {
        if case .pieces(let pieces, let pause, let isEndless) = reply.body {
            repeat {
                for piece in pieces {
                    record.note(number) { $0.sent += piece.count }
                    try await body.write(ByteBuffer(bytes: piece))
                    // The thread of this task also sends the pieces.
                    if pause > .zero {
                        try await Task.sleep(for: pause)
                    } else {
                        await Task.yield()
                    }
                }
            } while isEndless
            return
        }
        // Ten chunks a second if the rate is limited.
        let most = answer.bytesPerSecond.map { max(1, $0 / 10) } ?? 1 << 18
        var offset = reply.start
        while offset < end ?? .max {
            let count = min(most, (end ?? .max) - offset)
            let piece =
                switch reply.body {
                case .bytes(let bytes): ByteBuffer(bytes: bytes[offset..<(offset + count)])
                case .generated(let generated, _): generated.piece(from: offset, atMost: count)
                case .file, .pieces: ByteBuffer()
                }
            // The client may be done with the bytes before the write returns.
            record.note(number) { $0.sent += piece.readableBytes }
            try await body.write(piece)
            offset += piece.readableBytes
            if let bytesPerSecond = answer.bytesPerSecond {
                try await Task.sleep(
                    for: .seconds(Double(piece.readableBytes) / Double(bytesPerSecond)))
            }
        }
    }
}

/// Returns when the system has taken these bytes and all bytes written before them; they bypass the
/// HTTP encoder.
private func written(_ buffer: ByteBuffer, to channel: any Channel) async throws {
    try await channel.eventLoop.flatSubmit {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        do {
            try channel.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
                .writeAndFlush(NIOAny(buffer), promise: promise)
        } catch {
            promise.fail(error)
        }
        return promise.futureResult
    }.get()
}
