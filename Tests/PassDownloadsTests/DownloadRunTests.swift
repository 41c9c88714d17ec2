import Bytes
import Fetching
import Foundation
import PassStore
import Testing

@testable import PassDownloads

@Suite("Downloads are handed over in their order, and what fails is tried again or told")
struct DownloadRunTests {
    /// What came of a run, in words.
    private struct Outcome {
        var lines: [String] = []
        var asked: [FetchRequest] = []
        var states: [Download.State] = []
    }

    private func run(
        _ urls: [String], limits: DownloadRun.Limits = .quick, window: FetchWindow.Limits = .init(),
        taking: (DownloadRun.Body) -> DownloadRun.Taken? = { _ in nil },
        answer: @escaping @Sendable (FetchRequest, ScriptedFetches) -> [FetchEvent]
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
        let run = DownloadRun(downloads, in: queue, FetchWindow(process, window), limits) { _ in
            FetchTerms()
        }
        var outcome = Outcome()
        try await run.run(
            take: { body in
                let text = try String(contentsOfFile: body.path, encoding: .utf8)
                outcome.lines.append("took \(body.download.contentURL): \(text)")
                return taking(body) ?? .settled(outcome: "taken", next: [])
            },
            miss: { download, absence in
                outcome.lines.append("missed \(download.contentURL): \(absence.word)")
            },
            progress: { _ in })
        outcome.asked = fetches.asked
        outcome.states = try queue.downloads().map(\.state)
        return outcome
    }

    @Test("What comes last but was named first is handed over first")
    func keepsTheOrder() async throws {
        let held = Held()
        let outcome = try await run(["https://a.example/1", "https://b.example/2"]) {
            request, fetches in
            // The first waits for the second.
            if request.url.hasSuffix("1") {
                held.events = fetches.serve("one", to: request)
                return []
            }
            return fetches.serve("two", to: request) + held.events
        }
        #expect(
            outcome.lines == ["took https://a.example/1: one", "took https://b.example/2: two"])
        #expect(outcome.states == [.finished, .finished])
    }

    @Test("No more are asked of one host at a time than may be")
    func isPolite() async throws {
        var window = FetchWindow.Limits()
        window.requestsToHost = 1
        let urls = (1...4).map { "https://a.example/\($0)" }
        let outcome = try await run(urls, window: window) { request, fetches in
            fetches.serve(request.url, to: request)
        }
        #expect(outcome.asked.map(\.url) == urls)
        #expect(outcome.lines.count == 4)
    }

    @Test("What broke off goes on where it was, and is what it would have been")
    func resumes() async throws {
        let outcome = try await run(["https://a.example/1"]) { request, fetches in
            guard let resumption = request.resumption else {
                var response = FetchResponse(url: request.url, offset: 0)
                response.size = 9
                response.validator = "\"1\""
                _ = fetches.serve("the w", to: request)
                return [
                    .response(id: request.id, response), .progress(id: request.id, received: 5),
                    .failed(id: request.id, FetchFailure(.cut, "it broke off", isTransient: true)),
                ]
            }
            #expect(resumption == .init(offset: 5, validator: "\"1\""))
            return fetches.serve("hole", to: request, from: 5)
        }
        #expect(outcome.lines == ["took https://a.example/1: the whole"])
        #expect(outcome.asked.count == 2)
    }

    @Test("What came in pieces that do not belong together is fetched once more, as a whole")
    func startsOver() async throws {
        let outcome = try await run(["https://a.example/1"]) { body in
            body.isPiecedTogether ? .damaged : nil
        } answer: { request, fetches in
            if request.resumption != nil { return fetches.serve("other", to: request, from: 5) }
            if fetches.asked.count > 1 { return fetches.serve("whole", to: request) }
            return fetches.serve("begun", to: request).dropLast() + [
                .failed(id: request.id, FetchFailure(.cut, "it broke off", isTransient: true))
            ]
        }
        #expect(
            outcome.lines
                == ["took https://a.example/1: begunother", "took https://a.example/1: whole"])
        #expect(outcome.asked.map { $0.resumption == nil } == [true, false, true])
        #expect(outcome.states == [.finished])
    }

    @Test("What fails is told, after it was tried as often as may help", arguments: [false, true])
    func tellsOfFailures(isTransient: Bool) async throws {
        let outcome = try await run(["https://a.example/1", "https://a.example/2"]) {
            request, fetches in
            if request.url.hasSuffix("2") { return fetches.serve("two", to: request) }
            let failure = FetchFailure(.status, "there is none", isTransient: isTransient)
            return [.failed(id: request.id, failure)]
        }
        #expect(
            outcome.lines
                == ["missed https://a.example/1: failed", "took https://a.example/2: two"])
        #expect(outcome.asked.filter { $0.url.hasSuffix("1") }.count == (isTransient ? 3 : 1))
        #expect(outcome.states == [.failed, .finished])
    }

    @Test("What a server wants to be asked for later is left for later")
    func postpones() async throws {
        let outcome = try await run(["https://a.example/1"]) { request, _ in
            var failure = FetchFailure(.status, "it is busy", isTransient: true)
            failure.retryAfter = 3600
            return [.failed(id: request.id, failure)]
        }
        #expect(outcome.lines == ["missed https://a.example/1: postponed"])
        #expect(outcome.states == [.waiting])
    }

    @Test("What a page leads to comes right after it")
    func goesOnToLinks() async throws {
        let outcome = try await run(["https://a.example/page", "https://a.example/2"]) { body in
            guard body.download.contentURL.hasSuffix("page") else { return nil }
            let link = DownloadRequest(
                url: "https://a.example/linked", parent: body.download.id)
            return .settled(outcome: "page", next: [link])
        } answer: { request, fetches in
            fetches.serve("body", to: request)
        }
        #expect(
            outcome.lines == [
                "took https://a.example/page: body", "took https://a.example/linked: body",
                "took https://a.example/2: body",
            ])
    }

    @Test("When the program that fetches ends, nothing is lost and the run ends")
    func survivesTheEnd() async throws {
        let outcome = try await run(["https://a.example/1", "https://a.example/2"]) {
            request, fetches in
            // A line that is no event: as good as an end.
            fetches.serve("one", to: request).dropLast()
                + [.progress(id: request.id, received: 3)] + [.end]
        }
        #expect(
            outcome.lines == [
                "missed https://a.example/1: postponed", "missed https://a.example/2: postponed",
            ])
        #expect(outcome.states == [.waiting, .waiting])
    }
}

/// Events that are sent later.
private final class Held: @unchecked Sendable {
    // Only the thread of the script uses it.
    var events: [FetchEvent] = []
}

extension FetchEvent {
    /// What no program sends: a line longer than any.
    fileprivate static let end = FetchEvent.failed(
        id: 0, FetchFailure(.http, String(repeating: "x", count: 2 << 20)))
}

extension DownloadRun.Limits {
    /// Tries twice more, at once.
    fileprivate static var quick: DownloadRun.Limits {
        var limits = DownloadRun.Limits()
        limits.backoff.first = 0.001
        limits.backoff.attempts = 3
        return limits
    }
}

extension DownloadRun.Absence {
    fileprivate var word: String {
        switch self {
        case .failed: "failed"
        case .postponed: "postponed"
        case .paused: "paused"
        case .cancelled: "cancelled"
        case .elsewhere: "elsewhere"
        }
    }
}
