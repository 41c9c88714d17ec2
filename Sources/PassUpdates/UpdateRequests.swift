import Bytes
import Fetching
import Foundation
import Glibc
import MailSource
import PassDownloads
import PassModel
import PassStore

/// The requests of a run in progress.
struct UpdateRequests {
    private struct Sent {
        let request: UpdateRequest
        let file: Path
        var response: FetchResponse?
    }

    private let process: FetchProcess
    private let window: FetchWindow
    private let folder: Path
    private let terms: FetchTerms
    private var inProgress: [Int64: Sent] = [:]
    /// The number of requests.
    private(set) var sent = 0

    /// - Parameter folder: The folder for bodies.
    init(_ process: FetchProcess, in folder: Path, _ terms: FetchTerms) {
        self.process = process
        self.folder = folder
        self.terms = terms
        var limits = FetchWindow.Limits()
        limits.requests = 16
        limits.requestsToHost = 2
        window = FetchWindow(process, limits)
    }

    var areDone: Bool { window.isEmpty }
    var hasRoom: Bool { window.hasRoom }

    /// Whether another request may be sent to this host.
    func hasRoom(for host: String) -> Bool { window.hasRoom(for: host) }

    mutating func send(_ request: UpdateRequest) throws {
        let id = process.makeID()
        let file = "\(getpid())-\(id)"
        let fetch = FetchRequest(request, id: id, file: file, terms)
        try window.start(fetch, to: request.host)
        inProgress[id] = Sent(request: request, file: folder.appending(Array(file.utf8)))
        sent += 1
    }

    /// Cancels the requests in progress. Their files are deleted by the next run.
    mutating func cancel() {
        try? window.cancelAll()
        inProgress = [:]
    }

    /// The next signal; nil if passconduit-fetch has ended.
    func next() async -> FetchProcess.Signal? { await window.next() }

    /// The response that a signal completes.
    mutating func take(_ signal: FetchProcess.Signal) -> UpdateResponse? {
        guard case .event(let event) = signal else { return nil }
        switch event {
        case .response(let id, let response):
            inProgress[id]?.response = response
            return nil
        case .progress: return nil
        case .finished(let id, _):
            guard let sent = inProgress.removeValue(forKey: id) else { return nil }
            return UpdateResponse(bodyOf: sent.request, sent.response, in: sent.file)
        case .notModified(let id):
            guard case .pass(let update)? = end(id) else { return nil }
            return .notModified(update)
        case .answered(let id, _):
            guard case .log(_, let source)? = end(id) else { return nil }
            return .logged(source, nil)
        case .failed(let id, let failure): return end(id).map { UpdateResponse(to: $0, failure) }
        }
    }

    /// Ends a request that has no body.
    private mutating func end(_ id: Int64) -> UpdateRequest? {
        guard let sent = inProgress.removeValue(forKey: id) else { return nil }
        sent.file.removeFile()
        return sent.request
    }
}

extension PassUpdate {
    /// The value of If-Modified-Since.
    ///
    /// VIOLATIONS.md, H13: without a Last-Modified date, use the signing time, which is later.
    var condition: String? {
        lastModified ?? stored.current.signedAt.flatMap { HTTPDate($0).text }
    }
}

extension FetchRequest {
    fileprivate init(_ request: UpdateRequest, id: Int64, file: String, _ terms: FetchTerms) {
        switch request {
        case .pass(let update):
            self.init(id: id, url: update.service.url, file: file, terms)
            authenticationToken = update.service.token
            modifiedSince = update.condition
        case .log(let messages, let source):
            self.init(id: id, url: ServiceURL.log(at: source.service), file: file, terms)
            method = .post
            json = (try? JSONEncoder().encode(["logs": messages])).map {
                String(streamSafe: $0)
            }
        }
    }
}

extension UpdateResponse {
    /// A response whose body is in the file.
    fileprivate init?(
        bodyOf request: UpdateRequest, _ response: FetchResponse?, in file: Path
    ) {
        guard case .pass(let update) = request, let response else { return nil }
        self = .body(ArrivedBody(update: update, response: response, file: file))
    }

    fileprivate init(to request: UpdateRequest, _ failure: FetchFailure) {
        switch request {
        case .pass(let update): self = .failed(update, failure)
        case .log(_, let source): self = .logged(source, failure)
        }
    }
}
