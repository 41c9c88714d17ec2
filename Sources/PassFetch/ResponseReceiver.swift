import AsyncHTTPClient
import Bytes
internal import Fetching
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// Receives one response: interprets its head, and writes the body to the file.
final class ResponseReceiver: HTTPClientResponseDelegate {
    typealias Response = Void

    /// The rest of the response is not needed.
    struct Enough: Error {}

    private struct State: ~Copyable {
        var check: ConnectionCheck?
        var wasSent = false
        var answer: Answer?
        var file: BodyFile?
        var announced: Int?
        /// The number of body bytes discarded.
        var dropped = 0
        var told = NIODeadline.distantPast
    }

    private let state = Mutex(State())
    private let question: ResourceRequest
    private let folder: String
    private let name: String
    private let tell: @Sendable (Progress) -> Void

    enum Progress {
        case response(FetchResponse)
        case received(Int)
    }

    init(
        _ question: ResourceRequest, into name: String, in folder: String,
        tell: @escaping @Sendable (Progress) -> Void
    ) {
        self.question = question
        self.name = name
        self.folder = folder
        self.tell = tell
    }

    /// Whether the request was sent.
    var wasSent: Bool { state.withLock { $0.wasSent } }

    var answer: Answer? { state.withLock { $0.answer } }

    /// The number of bytes of the body in the file.
    var size: Int { state.withLock { $0.file?.size ?? 0 } }

    /// The announced length of this response in bytes, if any.
    var announced: Int? { state.withLock { $0.announced } }

    /// Accepts data only from a connection that was checked.
    func begin(after check: ConnectionCheck) {
        state.withLock { $0.check = check }
    }

    func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
        state.withLock { $0.wasSent = true }
    }

    func didReceiveHead(
        task: HTTPClient.Task<Void>, _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
        guard state.withLock({ $0.check?.hasPassed == true }) else {
            return task.eventLoop.makeFailedFuture(Unjudged())
        }
        var head = head
        head.headers = HTTPHeaders(head.headers.map { ($0.name, $0.value.streamSafe) })
        let answer = Answer(head, to: question, now: .now)
        let failure: (any Error)? = state.withLock { state in
            state.answer = answer
            guard case .body(let response, let announced) = answer else { return nil }
            state.announced = announced
            do throws(FetchFailure) {
                state.file = try BodyFile(name, in: folder, from: response.offset)
            } catch {
                return error
            }
            return nil
        }
        if let failure { return task.eventLoop.makeFailedFuture(failure) }
        if case .body(let response, _) = answer {
            tell(.response(response))
        } else {
            // Read the short body of another response, so that the connection can be reused, but
            // only for a limited time.
            task.eventLoop.scheduleTask(in: .seconds(2)) { task.fail(reason: Enough()) }
        }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<Void>, _ buffer: ByteBuffer
    ) -> EventLoopFuture<Void> {
        do throws(FetchFailure) {
            if let received = try take(buffer) { tell(.received(received)) }
            return task.eventLoop.makeSucceededVoidFuture()
        } catch {
            return task.eventLoop.makeFailedFuture(error)
        }
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) throws {}

    /// - Returns: The number of bytes received, if progress should be reported.
    private func take(_ buffer: ByteBuffer) throws(FetchFailure) -> Int? {
        let result: Result<Int?, FetchFailure> = state.withLock { state in
            let count = buffer.readableBytes
            guard let size = state.file?.size else {
                state.dropped += count
                return state.dropped <= 65536
                    ? .success(nil) : .failure(FetchFailure(.longAnswer))
            }
            guard count <= question.maximumSize - size else {
                return .failure(.size(nil, question))
            }
            do throws(FetchFailure) {
                try unsafe buffer.withUnsafeReadableBytes { bytes throws(FetchFailure) in
                    try unsafe state.file?.append(bytes)
                }
            } catch {
                return .failure(error)
            }
            let now = NIODeadline.now()
            guard now - state.told >= .milliseconds(250) else { return .success(nil) }
            state.told = now
            return .success(size + count)
        }
        return try result.get()
    }
}
