import Bytes
import Fetching
import Foundation
import PassStore

@testable import PassDownloads

/// A run of downloads whose fetch program is simulated by a test.
enum ScriptedRun {
    /// The results of a run, as text.
    struct Outcome {
        var lines: [String] = []
        var asked: [FetchRequest] = []
        var states: [Download.State] = []
        var received: [Int] = []
        var attempts: [Int] = []
    }

    static func run(
        _ urls: [String], limits: DownloadRun.Limits = .quick, window: FetchWindow.Limits = .init(),
        taking: (DownloadRun.Body) -> DownloadRun.Taken? = { _ in nil },
        answer: @escaping @Sendable (FetchRequest, ScriptedFetches) -> [FetchEvent],
        before: (DownloadQueue, [Download]) throws -> Void = { _, _ in }
    ) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("downloads-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let queue = try DownloadQueue.temporary(in: folder)
        let fetches = try ScriptedFetches(in: folder, answer: answer)
        let process = try FetchProcess(
            orders: fetches.orders, events: fetches.events, configuration: FetchConfiguration())
        let downloads = try queue.add(urls.map { DownloadRequest(url: $0) }, onlyNew: false)
            .compactMap(\.self)
        try before(queue, downloads)
        let run = DownloadRun(
            try queue.downloads(), in: queue, FetchWindow(process, window), limits
        ) { _ in
            FetchTerms()
        }
        var outcome = Outcome()
        try await run.run(
            take: { body in
                let text = try String(contentsOfFile: body.path, encoding: .utf8)
                outcome.lines.append("took \(body.download.contentURL): \(text)")
                return taking(body) ?? .settled(.passes(["added": 1]), next: [])
            },
            miss: { download, absence in
                outcome.lines.append("missed \(download.contentURL): \(absence.word)")
            },
            progress: { _ in })
        outcome.asked = fetches.asked
        let ended = try queue.downloads()
        outcome.states = ended.map(\.state)
        outcome.received = ended.map(\.receivedContentLength)
        outcome.attempts = ended.map(\.attempts)
        return outcome
    }
}

extension DownloadRun.Limits {
    /// Two retries, without a pause.
    static var quick: DownloadRun.Limits {
        var limits = DownloadRun.Limits()
        limits.backoff.first = 0.001
        limits.backoff.attempts = 3
        return limits
    }
}

extension DownloadRun.Absence {
    var word: String {
        switch self {
        case .failed: "failed"
        case .postponed: "postponed"
        case .paused: "paused"
        case .cancelled: "cancelled"
        case .elsewhere: "elsewhere"
        case .finished: "finished"
        }
    }
}

extension FetchEvent {
    /// The server asks clients to wait for an hour.
    static func busy(_ request: FetchRequest) -> [FetchEvent] {
        let failure = FetchFailure(.status(host: "a.example", code: 503), retryAfter: 3600)
        return [.failed(id: request.id, failure)]
    }

    /// A body of a thousand bytes that is cut off.
    static func cut(
        _ request: FetchRequest, after received: Int, validator: String? = "\"1\""
    ) -> [FetchEvent] {
        var response = FetchResponse(
            url: request.url, offset: request.resumption?.offset ?? 0)
        response.size = 1000
        response.validator = validator
        return [
            .response(id: request.id, response), .progress(id: request.id, received: received),
            .failed(id: request.id, .cut),
        ]
    }

    /// A line longer than any that the program sends.
    static let end = FetchEvent.failed(
        id: 0, FetchFailure(.notHTTP(host: String(repeating: "x", count: 2 << 20))))
}

extension FetchFailure {
    /// A body was cut off.
    static let cut = FetchFailure(.cut(host: "a.example", received: 4, size: nil))
}
