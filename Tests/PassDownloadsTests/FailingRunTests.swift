import Fetching
import Foundation
import Glibc
import PassStore
import Platform
import Testing

@testable import PassDownloads

@Suite("A download that keeps failing ends, without delaying the ones after it")
struct FailingRunTests {
    private static let urls = ["https://a.example/1", "https://b.example/2"]

    /// Runs two downloads, of which the second succeeds at once.
    private func run(
        taking: (DownloadRun.Body) -> DownloadRun.Taken? = { _ in nil },
        _ first: @escaping @Sendable (FetchRequest, ScriptedFetches) -> [FetchEvent]
    ) async throws -> ScriptedRun.Outcome {
        try await ScriptedRun.run(Self.urls, taking: taking) { request, fetches in
            request.url == Self.urls[0]
                ? first(request, fetches) : fetches.serve("two", to: request)
        }
    }

    @Test("A URL that is too long fails without a request")
    func tooLong() async throws {
        let long = "https://a.example/\(String(repeating: "x", count: 2 << 20))"
        let outcome = try await ScriptedRun.run([long, Self.urls[1]]) { request, fetches in
            fetches.serve("two", to: request)
        }
        #expect(outcome.lines == ["missed \(long): failed", "took https://b.example/2: two"])
        #expect(outcome.asked.map(\.url) == [Self.urls[1]])
        #expect(outcome.states == [.failed, .finished])
    }

    /// Runs downloads from one host, which asks clients to wait for an hour.
    private func runBusy(
        _ urls: [String], before: (DownloadQueue, [Download]) throws -> Void = { _, _ in }
    ) async throws -> ScriptedRun.Outcome {
        var window = FetchWindow.Limits()
        window.requestsToHost = 1
        return try await ScriptedRun.run(
            urls, window: window, answer: { request, _ in FetchEvent.busy(request) },
            before: before)
    }

    @Test("A body that is always cut off at the same offset, with and without a validator")
    func alwaysCut() async throws {
        for validator in [nil, "\"1\""] {
            let outcome = try await run { request, fetches in
                if request.resumption == nil { _ = fetches.serve("half", to: request) }
                return FetchEvent.cut(request, after: 4, validator: validator)
            }
            #expect(
                outcome.lines == [
                    "missed https://a.example/1: failed", "took https://b.example/2: two",
                ])
            // The first failure of a resumable body counts as progress.
            let tries = validator == nil ? 3 : 4
            #expect(outcome.asked.filter { $0.url == Self.urls[0] }.count <= tries)
        }
    }

    @Test("A body that arrives byte by byte is left to another run")
    func dripping() async throws {
        let outcome = try await run { request, fetches in
            let offset = request.resumption?.offset ?? 0
            _ = fetches.serve("x", to: request, from: offset)
            return FetchEvent.cut(request, after: offset + 1)
        }
        #expect(
            outcome.lines == [
                "missed https://a.example/1: postponed", "took https://b.example/2: two",
            ])
        #expect(outcome.states == [.waiting, .finished])
    }

    @Test("Ranges that never match")
    func neverWhole() async throws {
        let outcome = try await run { body in
            body.isPiecedTogether ? .damaged : nil
        } _: { request, fetches in
            if request.resumption != nil { return fetches.serve("other", to: request, from: 5) }
            _ = fetches.serve("begun", to: request)
            return FetchEvent.cut(request, after: 5)
        }
        #expect(outcome.lines.suffix(2).first == "missed https://a.example/1: failed")
        #expect(outcome.states == [.failed, .finished])
    }

    @Test(
        "The partial body is kept if the error allows resuming",
        arguments: [
            FetchFailureReason.tlsFailed(host: "a.example"), .insecure(host: "a.example"),
            .privateName(host: "a.example"), .proxyWithoutHost, .unknownHost("a.example"),
            .invalidFileName,
        ])
    func keeps(reason: FetchFailureReason) async throws {
        let outcome = try await run { request, fetches in
            if request.resumption == nil {
                _ = fetches.serve("half", to: request)
                return FetchEvent.cut(request, after: 4)
            }
            return [.failed(id: request.id, FetchFailure(reason))]
        }
        #expect(outcome.lines.first == "missed https://a.example/1: postponed")
        #expect(outcome.states == [.waiting, .finished])
        #expect(outcome.received.first == 4)
    }

    @Test(
        "A permanent status or a size limit ends it, however much has arrived",
        arguments: [
            FetchFailureReason.status(host: "a.example", code: 410),
            .tooLarge(host: "a.example", size: nil, limit: 10),
        ])
    func ends(reason: FetchFailureReason) async throws {
        let outcome = try await run { request, fetches in
            if request.resumption == nil {
                _ = fetches.serve("half", to: request)
                return FetchEvent.cut(request, after: 4)
            }
            return [.failed(id: request.id, FetchFailure(reason))]
        }
        #expect(outcome.states == [.failed, .finished])
    }

    @Test("A body that cannot be stored now is kept for another run")
    func noRoom() async throws {
        let outcome = try await run { body in
            body.download.id == 1
                ? .postponed(DownloadError(.unreadable(FileError(.read, EIO)))) : nil
        } _: { request, fetches in
            fetches.serve("one", to: request)
        }
        #expect(
            outcome.lines == [
                "took https://a.example/1: one", "missed https://a.example/1: postponed",
                "took https://b.example/2: two",
            ])
        #expect(outcome.states == [.waiting, .finished])
        #expect(outcome.received.first == 3)
    }

    /// Stores a complete body in the queue for a download in the waiting state.
    private static func fill(
        _ id: Int64, _ queue: DownloadQueue, validator: String? = nil
    ) throws {
        let active = try #require(try queue.begin(id))
        try Data("whole".utf8).write(
            to: URL(fileURLWithPath: "\(queue.folder)/\(active.fileName)"))
        try active.noteResponse(
            url: active.download.contentURL, contentType: nil, contentDisposition: nil,
            validator: validator, expectedContentLength: 5, offset: 0)
        let error = DownloadError(.unreadable(FileError(.read, EIO)))
        try active.wait(for: error, until: .now, attempts: 1)
    }

    @Test("A complete body is not requested again", arguments: [nil, "\"1\""])
    func whole(validator: String?) async throws {
        let outcome = try await ScriptedRun.run([Self.urls[0]]) { body in
            // It was sent in one response.
            #expect(!body.isPiecedTogether)
            return nil
        } answer: { request, fetches in
            fetches.serve("other", to: request)
        } before: { queue, downloads in
            try Self.fill(downloads[0].id, queue, validator: validator)
        }
        #expect(outcome.asked.isEmpty)
        #expect(outcome.lines == ["took https://a.example/1: whole"])
        #expect(outcome.states == [.finished])
    }

    @Test("a complete body is delivered even if its host must not be contacted")
    func wholeOfBusyHost() async throws {
        let urls = (1...3).map { "https://a.example/\($0)" }
        let outcome = try await runBusy(urls) { queue, downloads in
            try Self.fill(downloads[2].id, queue)
        }
        #expect(outcome.asked.map(\.url) == [urls[0]])
        #expect(
            outcome.lines == [
                "missed https://a.example/1: postponed", "missed https://a.example/2: postponed",
                "took https://a.example/3: whole",
            ])
    }

    @Test("Attempts are counted since the last progress")
    func attempts() async throws {
        let outcome = try await run { request, fetches in
            let offset = request.resumption?.offset ?? 0
            if offset == 4 { return FetchEvent.busy(request) }
            _ = fetches.serve("xx", to: request, from: offset)
            return FetchEvent.cut(request, after: offset + 2)
        }
        #expect(outcome.attempts.first == 2)
        #expect(outcome.states == [.waiting, .finished])
    }

    @Test("After a host asks clients to wait, no download requests it again")
    func busyHost() async throws {
        let urls = (1...20).map { "https://a.example/\($0)" }
        let outcome = try await runBusy(urls)
        #expect(outcome.asked.count == 1)
        #expect(outcome.lines == urls.map { "missed \($0): postponed" })
        #expect(outcome.states == urls.map { _ in .waiting })
    }

    @Test("A postponed download is not requested by another run before its time")
    func waits() async throws {
        let outcome = try await ScriptedRun.run(Self.urls) { request, fetches in
            fetches.serve("two", to: request)
        } before: { queue, downloads in
            let active = try #require(try queue.begin(downloads[0].id))
            let error = DownloadError(FetchFailure(.status(host: "a.example", code: 503)))
            try active.wait(for: error, until: .now + 3600, attempts: 1)
        }
        #expect(outcome.asked.map(\.url) == [Self.urls[1]])
        #expect(
            outcome.lines == [
                "missed https://a.example/1: postponed", "took https://b.example/2: two",
            ])
    }

    @Test("If the fetch program exits, running downloads count as attempted")
    func ended() async throws {
        let outcome = try await ScriptedRun.run(Self.urls) { request, _ in
            [.progress(id: request.id, received: 1), .end]
        }
        #expect(outcome.states == [.waiting, .waiting])
        #expect(outcome.attempts == [1, 1])
    }
}
