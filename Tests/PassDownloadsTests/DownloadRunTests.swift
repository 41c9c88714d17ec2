import Bytes
import Fetching
import Foundation
import PassStore
import Testing

@testable import PassDownloads

@Suite("Downloads are delivered in order, and failures are retried or reported")
struct DownloadRunTests {
    @Test("A download requested first is delivered first, even if it finishes last")
    func keepsTheOrder() async throws {
        let held = Held()
        let outcome = try await ScriptedRun.run(["https://a.example/1", "https://b.example/2"]) {
            request, fetches in
            // Answer the first request only after the second.
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

    @Test("The number of concurrent requests to one host is limited", arguments: [1, 2, 4])
    func isPolite(most: Int) async throws {
        var window = FetchWindow.Limits()
        window.requestsToHost = most
        let urls = (1...4).map { "https://a.example/\($0)" }
        let held = Held()
        let outcome = try await ScriptedRun.run(urls, window: window) { request, fetches in
            held.events.append(contentsOf: fetches.serve(request.url, to: request))
            // Answer only when all requests have been sent.
            guard fetches.asked.count.isMultiple(of: most) else { return [] }
            defer { held.events = [] }
            return held.events
        }
        #expect(outcome.asked.map(\.url) == urls)
        #expect(outcome.lines.count == 4)
    }

    @Test("An interrupted download resumes and yields the same body")
    func resumes() async throws {
        let outcome = try await ScriptedRun.run(["https://a.example/1"]) { request, fetches in
            guard let resumption = request.resumption else {
                var response = FetchResponse(url: request.url, offset: 0)
                response.size = 9
                response.validator = "\"1\""
                _ = fetches.serve("the w", to: request)
                return [
                    .response(id: request.id, response), .progress(id: request.id, received: 5),
                    .failed(id: request.id, .cut),
                ]
            }
            #expect(resumption == .init(offset: 5, validator: "\"1\"", expectedSize: 9))
            return fetches.serve("hole", to: request, from: 5)
        }
        #expect(outcome.lines == ["took https://a.example/1: the whole"])
        #expect(outcome.asked.count == 2)
    }

    @Test("If resumed ranges do not match, the body is fetched again from the start")
    func startsOver() async throws {
        let outcome = try await ScriptedRun.run(["https://a.example/1"]) { body in
            body.isPiecedTogether ? .damaged : nil
        } answer: { request, fetches in
            if request.resumption != nil { return fetches.serve("other", to: request, from: 5) }
            if fetches.asked.count > 1 { return fetches.serve("whole", to: request) }
            _ = fetches.serve("begun", to: request)
            return FetchEvent.cut(request, after: 5)
        }
        #expect(
            outcome.lines
                == ["took https://a.example/1: begunother", "took https://a.example/1: whole"])
        #expect(outcome.asked.map { $0.resumption == nil } == [true, false, true])
        #expect(outcome.states == [.finished])
    }

    @Test("A failure is reported after retries are used up", arguments: [false, true])
    func tellsOfFailures(isTransient: Bool) async throws {
        let outcome = try await ScriptedRun.run(["https://a.example/1", "https://a.example/2"]) {
            request, fetches in
            if request.url.hasSuffix("2") { return fetches.serve("two", to: request) }
            let failure = FetchFailure(
                .status(host: "a.example", code: isTransient ? 503 : 404))
            return [.failed(id: request.id, failure)]
        }
        #expect(
            outcome.lines
                == ["missed https://a.example/1: failed", "took https://a.example/2: two"])
        #expect(outcome.asked.filter { $0.url.hasSuffix("1") }.count == (isTransient ? 3 : 1))
        #expect(outcome.states == [.failed, .finished])
    }

    @Test("A download is postponed if its server asks clients to wait")
    func postpones() async throws {
        let outcome = try await ScriptedRun.run(["https://a.example/1"]) { request, _ in
            FetchEvent.busy(request)
        }
        #expect(outcome.lines == ["missed https://a.example/1: postponed"])
        #expect(outcome.states == [.waiting])
    }

    @Test("Links in a page are fetched right after it")
    func goesOnToLinks() async throws {
        let outcome = try await ScriptedRun.run(["https://a.example/page", "https://a.example/2"]) {
            body in
            guard body.download.contentURL.hasSuffix("page") else { return nil }
            let link = DownloadRequest(
                url: "https://a.example/linked", parent: body.download.id)
            return .settled(.pageWithLinks, next: [link])
        } answer: { request, fetches in
            fetches.serve("body", to: request)
        }
        #expect(
            outcome.lines == [
                "took https://a.example/page: body", "took https://a.example/linked: body",
                "took https://a.example/2: body",
            ])
    }

    @Test("If the fetch program exits, nothing is lost and the run ends")
    func survivesTheEnd() async throws {
        let outcome = try await ScriptedRun.run(["https://a.example/1", "https://a.example/2"]) {
            request, fetches in
            // An invalid line is treated as the end of the program.
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
