import Fetching
import Foundation
import Glibc
import MailSource
import PassDownloads
import PassStore

/// A response to a request for a pass.
enum UpdateResponse {
    case body(ArrivedBody)
    case notModified(PassUpdate)
    case failed(PassUpdate, FetchFailure)

    var update: PassUpdate {
        switch self {
        case .body(let body): body.update
        case .notModified(let update), .failed(let update, _): update
        }
    }

    var answer: UpdateAnswer {
        switch self {
        case .body: .pass
        case .notModified: .unchanged
        case .failed(_, let failure): UpdateAnswer(failure)
        }
    }
}

/// The requests of a run: those to send and those in progress.
struct UpdateRequests {
    private struct Sent {
        let update: PassUpdate
        let file: Path
        var response: FetchResponse?
    }

    private let window: FetchWindow
    private let folder: Path
    private let terms: FetchTerms
    private var queue: UpdateQueue
    private var inProgress: [Int64: Sent] = [:]
    private(set) var sent = 0
    /// Passes not requested, because their web service is http only.
    private(set) var insecure = 0

    /// - Parameter folder: The folder for bodies.
    init(_ queue: UpdateQueue, _ process: FetchProcess, in folder: Path, _ terms: FetchTerms) {
        self.queue = queue
        self.folder = folder
        self.terms = terms
        var limits = FetchWindow.Limits()
        limits.requests = 16
        limits.requestsToHost = 2
        window = FetchWindow(process, limits)
    }

    var done: Int { sent - inProgress.count }
    var hasNone: Bool { window.isEmpty }

    /// Sends requests while there is room.
    mutating func send() throws {
        while window.hasRoom, let update = try queue.next(window.hasRoom(for:)) {
            let service = update.service
            guard service.isSecure || terms.allowsHTTP else {
                insecure += 1
                continue
            }
            let id = Int64(sent)
            let file = "\(getpid())-\(id)"
            var request = FetchRequest(id: id, url: service.url, file: file, terms)
            request.authenticationToken = service.token
            // VIOLATIONS.md, H13: without a Last-Modified date, use the signing time, which is
            // later.
            request.modifiedSince =
                update.lastModified ?? update.stored.current.signedAt.flatMap { HTTPDate($0).text }
            try window.start(request, to: service.host)
            inProgress[id] = Sent(update: update, file: folder.appending(Array(file.utf8)))
            sent += 1
        }
    }

    /// The next signal; nil if passconduit-fetch has ended.
    func next() async -> FetchProcess.Signal? { await window.next() }

    /// The response that a signal completes.
    mutating func take(_ signal: FetchProcess.Signal) -> UpdateResponse? {
        guard case .event(let event) = signal else { return nil }
        switch event {
        case .response(let id, let response): inProgress[id]?.response = response
        case .progress, .line, .answered: break
        case .finished(let id, _):
            guard let sent = inProgress.removeValue(forKey: id), let response = sent.response else {
                break
            }
            return .body(ArrivedBody(update: sent.update, response: response, file: sent.file))
        case .notModified(let id, _): return end(id).map { .notModified($0) }
        case .failed(let id, let failure): return end(id).map { .failed($0, failure) }
        }
        return nil
    }

    /// Removes a host from the queue; returns its next passes, as far as they are loaded.
    mutating func skip(_ host: String) -> [PassUpdate] { queue.leave(host) }

    /// Ends a request that has no body.
    private mutating func end(_ id: Int64) -> PassUpdate? {
        guard let sent = inProgress.removeValue(forKey: id) else { return nil }
        sent.file.removeFile()
        return sent.update
    }
}
