import AsyncHTTPClient
internal import Fetching
import NIOCore
import NIOHTTP1
import NIOSSL

/// One request, from its URL through redirects to the file.
struct Transfer: Sendable {
    let request: FetchRequest
    let exchange: Exchange
    let folder: String
    let tell: @Sendable (ResponseReceiver.Progress) -> Void

    private var configuration: FetchConfiguration { exchange.configuration }

    /// - Returns: The final event; nil if cancelled.
    func run() async -> FetchEvent? {
        do {
            return try await fetch()
        } catch let failure as FetchFailure {
            return .failed(id: request.id, failure)
        } catch is CancellationError {
            return nil
        } catch {
            return .failed(id: request.id, FetchFailure(.invalidRequest))
        }
    }

    private func fetch() async throws -> FetchEvent {
        guard BodyFile.isName(request.file) else {
            throw FetchFailure(.invalidFileName)
        }
        var target = try Target(request.url, allowsHTTP: request.terms.allowsHTTP)
        let deadline = NIODeadline.now() + TimeAmount(seconds: configuration.totalTimeout)
        // Resume only if the file contains the beginning of the body.
        var resumption = request.resumption.flatMap { part in
            part.offset > 0 && part.offset <= BodyFile.size(of: request.file, in: folder)
                ? part : nil
        }
        var credentials =
            request.authenticationToken.map { "ApplePass \($0)" } ?? target.credentials
        let home = target.origin
        var visited: Set<String> = [target.url]
        while true {
            let question = ResourceRequest(
                target: target, offset: resumption?.offset, validator: resumption?.validator,
                expectedSize: resumption?.expectedSize,
                isConditional: request.modifiedSince != nil, maximumSize: request.terms.maximumSize)
            switch try await ask(question, credentials, until: deadline) {
            case .redirect(let location):
                target = try target.redirected(to: location, allowsHTTP: request.terms.allowsHTTP)
                // Do not send credentials to another server, even if that redirects back.
                if target.origin != home { credentials = nil }
                guard visited.insert(target.url).inserted else {
                    throw FetchFailure(.redirectLoop(host: home.description))
                }
                guard visited.count <= configuration.maximumRedirects + 1 else {
                    throw FetchFailure(
                        .tooManyRedirects(
                            host: home.description, limit: configuration.maximumRedirects))
                }
            case .fromTheStart:
                resumption = nil
            case .finished(let size):
                return .finished(id: request.id, size: size)
            case .notModified:
                return .notModified(id: request.id)
            }
        }
    }

    private enum Step {
        case redirect(String)
        case fromTheStart
        case finished(size: Int)
        case notModified
    }

    private func ask(
        _ question: ResourceRequest, _ credentials: String?, until deadline: NIODeadline
    ) async throws -> Step {
        let receiver: ResponseReceiver
        do {
            receiver = try await exchange.perform(
                try HTTPClient.Request(
                    url: question.target.url, headers: try fields(question, credentials)),
                for: question.target, AddressPolicy(request.terms), until: deadline
            ) {
                ResponseReceiver(question, into: request.file, in: folder, tell: tell)
            }
        } catch let interruption as Exchange.Interrupted {
            receiver = interruption.receiver
            if case .body = receiver.answer {
                throw try FetchFailure(
                    interruption.error, while: receiver, question, configuration)
            }
        }
        switch receiver.answer {
        case .redirect(let location): return .redirect(location)
        case .fromTheStart: return .fromTheStart
        case .notModified: return .notModified
        case .failure(let failure): throw failure
        case .body(let response, let announced):
            let size = receiver.size
            if let announced, size - response.offset != announced {
                throw FetchFailure(cut: size, response.offset + announced, question.target.origin)
            }
            // A response may contain less than the requested range.
            if let whole = response.size, size != whole {
                throw FetchFailure(cut: size, whole, question.target.origin)
            }
            return .finished(size: size)
        case nil:
            throw FetchFailure(.noResponse(host: question.target.origin.description))
        }
    }

    private func fields(
        _ question: ResourceRequest, _ credentials: String?
    ) throws(FetchFailure) -> HTTPHeaders {
        var fields: HTTPHeaders = [
            "User-Agent": request.terms.userAgent,
            "Accept": "application/vnd.apple.pkpass, application/vnd.apple.pkpasses, */*;q=0.8",
            // Sizes and ranges must refer to the file itself.
            "Accept-Encoding": "identity",
        ]
        if let offset = question.offset, let validator = question.validator {
            fields.add(name: "Range", value: "bytes=\(offset)-")
            fields.add(name: "If-Range", value: validator)
        }
        if let date = request.modifiedSince { fields.add(name: "If-Modified-Since", value: date) }
        if let credentials { fields.add(name: "Authorization", value: credentials) }
        // RFC 9110, 5.5: control characters could begin another field.
        guard fields.allSatisfy({ $0.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
            throw FetchFailure(.unsendableField)
        }
        return fields
    }
}

extension FetchFailure {
    fileprivate init(cut received: Int, _ size: Int?, _ origin: Origin) {
        self.init(.cut(host: origin.description, received: received, size: size))
    }

    /// The failure for a body that was cut off.
    fileprivate init(
        _ error: any Error, while receiver: ResponseReceiver, _ question: ResourceRequest,
        _ configuration: FetchConfiguration
    ) throws {
        let origin = question.target.origin
        switch error {
        case is CancellationError: throw error
        case let failure as FetchFailure: self = failure
        case let error as HTTPClientError where error == .readTimeout:
            self.init(
                .stalled(host: origin.description, seconds: configuration.idleTimeout))
        case let error as HTTPClientError where error == .deadlineExceeded:
            self.init(
                .tooSlow(host: origin.description, seconds: configuration.totalTimeout))
        default:
            let size: Int? =
                if case .body(let response, _) = receiver.answer { response.size } else { nil }
            self.init(cut: receiver.size, size, origin)
        }
    }
}
