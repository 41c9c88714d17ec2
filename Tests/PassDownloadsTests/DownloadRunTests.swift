import Bytes
import Fetching
import Foundation
import PassStore
import Testing

@testable import PassDownloads

@Suite("Downloads are handed over in their order, and what fails is tried again or told")
struct DownloadRunTests {
    @Test("What comes last but was named first is handed over first")
    func keepsTheOrder() async throws {
        let held = Held()
        let outcome = try await ScriptedRun.run(["https://a.example/1", "https://b.example/2"]) {
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

    @Test("No more are asked of one host at a time than may be", arguments: [1, 2, 4])
    func isPolite(most: Int) async throws {
        var window = FetchWindow.Limits()
        window.requestsToHost = most
        let urls = (1...4).map { "https://a.example/\($0)" }
        let held = Held()
        let outcome = try await ScriptedRun.run(urls, window: window) { request, fetches in
            held.events.append(contentsOf: fetches.serve(request.url, to: request))
            // Nobody is answered before nobody else asks.
            guard fetches.asked.count.isMultiple(of: most) else { return [] }
            defer { held.events = [] }
            return held.events
        }
        #expect(outcome.asked.map(\.url) == urls)
        #expect(outcome.lines.count == 4)
    }

    @Test("What broke off goes on where it was, and is what it would have been")
    func resumes() async throws {
        let outcome = try await ScriptedRun.run(["https://a.example/1"]) { request, fetches in
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
            #expect(resumption == .init(offset: 5, validator: "\"1\"", expectedSize: 9))
            return fetches.serve("hole", to: request, from: 5)
        }
        #expect(outcome.lines == ["took https://a.example/1: the whole"])
        #expect(outcome.asked.count == 2)
    }

    @Test("What came in pieces that do not belong together is fetched once more, as a whole")
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

    @Test("What fails is told, after it was tried as often as may help", arguments: [false, true])
    func tellsOfFailures(isTransient: Bool) async throws {
        let outcome = try await ScriptedRun.run(["https://a.example/1", "https://a.example/2"]) {
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
        let outcome = try await ScriptedRun.run(["https://a.example/1"]) { request, _ in
            FetchEvent.busy(request)
        }
        #expect(outcome.lines == ["missed https://a.example/1: postponed"])
        #expect(outcome.states == [.waiting])
    }

    @Test("What a page leads to comes right after it")
    func goesOnToLinks() async throws {
        let outcome = try await ScriptedRun.run(["https://a.example/page", "https://a.example/2"]) {
            body in
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
        let outcome = try await ScriptedRun.run(["https://a.example/1", "https://a.example/2"]) {
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
