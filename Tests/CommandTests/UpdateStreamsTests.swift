import Foundation
import Loopback
import PassFixtures
import Synchronization
import Testing

@Suite("update --follow gets along with event streams of any kind, and keeps its other streams")
struct UpdateStreamsTests {
    private let holder: PassHolder

    init() throws {
        holder = try PassHolder("streams")
    }

    /// A service with one pass, and a stream.
    private struct Row {
        let name: String
        /// The answers to requests for events; the last one is repeated.
        let answers: [Answer]
        /// The number of requests for events within 15 seconds; a single number holds for any time.
        let requests: ClosedRange<Int>
        /// Whether the newer version of the pass arrives.
        var isUpdated = false
        /// Whether the requests for events after the first are polls.
        var isPolled = false
        /// The answers to the first requests for lists.
        var lists: [Answer] = []
        /// The largest number of requests for lists.
        var mostLists = 20
    }

    private static let type = PassMaker.type

    private static func event(_ tag: Int, _ types: [String] = [type]) -> String {
        let list = types.map { "\"\($0)\"" }.joined(separator: ",")
        return """
            id: \(tag)
            event: changes
            data: {"passTypeIdentifiers":[\(list)],"lastUpdated":"\(tag)"}


            """
    }

    private static func poll(_ types: [String] = [type]) -> Answer {
        let list = types.map { "\"\($0)\"" }.joined(separator: ",")
        return .json(#"{"passTypeIdentifiers":[\#(list)],"lastUpdated":"1"}"#)
    }

    private static func stream(_ text: some Sequence<UInt8>) -> Answer {
        .bytes(text, type: "text/event-stream").chunked()
    }

    /// A stream that stays open after these lines.
    private static func open(_ text: String) -> Answer {
        stream(text.utf8).stalled(after: text.utf8.count)
    }

    private static func rows(_ elsewhere: LoopbackServer) -> [Row] {
        let comments = String(repeating: ":\n\n", count: 10_000)
        let junk: [UInt8] =
            Array("\u{FEFF}:\nid\ndata\n\nevent: changes\ndata: {[\n\n".utf8)
            + [0xFF, 0xFE, 0x00, 0x0A, 0x0D, 0x0A, 0x0A]
            + Array("data: \(String(repeating: "x", count: 60_000))\n\n".utf8)
            + Array("event: other\ndata: {\"passTypeIdentifiers\":[\"\(type)\"]}\n\n".utf8)
        let flood = String(repeating: event(7), count: 60_000)
        let silent = open("").delayed(.zero)
        return [
            // Streams.
            Row(name: "event", answers: [open(event(1))], requests: 1...1, isUpdated: true),
            Row(
                name: "comments",
                answers: [
                    stream(comments.utf8).paced(bytesPerSecond: 300)
                ], requests: 1...1),
            Row(
                name: "others", answers: [open(event(2, ["pass.example.other", "", "\\u0000"]))],
                requests: 1...1),
            Row(
                name: "junk",
                answers: [
                    stream(junk + Array(event(1).utf8)).stalled(
                        after: junk.count + event(1).utf8.count)
                ],
                requests: 1...1, isUpdated: true),
            Row(
                name: "charset",
                answers: [
                    Answer.bytes(event(1).utf8, type: "Text/Event-Stream; charset=utf-8").chunked()
                        .stalled(after: event(1).utf8.count)
                ], requests: 1...1, isUpdated: true),
            // Streams that end are opened again after 1, 2, 4 seconds and so on.
            Row(name: "ends", answers: [stream(event(1).utf8)], requests: 2...6, isUpdated: true),
            Row(name: "empty", answers: [stream([])], requests: 2...6),
            Row(name: "cut", answers: [stream(event(1).utf8).cut(after: 20)], requests: 2...6),
            Row(name: "500", answers: [.status(500)], requests: 2...6),
            Row(
                name: "endless", answers: [.generated(nil, type: "text/event-stream")],
                requests: 2...6),
            Row(
                name: "long-line", answers: [stream(Array(repeating: 0x78, count: 1 << 20))],
                requests: 2...6),
            Row(name: "flood", answers: [stream(flood.utf8)], requests: 1...12, isUpdated: true),
            // Not asked again for a time.
            Row(name: "404", answers: [.status(404)], requests: 1...1),
            Row(name: "401", answers: [.status(401)], requests: 1...1),
            Row(name: "503", answers: [.status(503, retryAfter: "3600")], requests: 1...1),
            Row(name: "429", answers: [.status(429, retryAfter: "60")], requests: 1...1),
            // Long polling.
            Row(
                name: "page",
                answers: [
                    .page("<title>Hello</title>"), poll(), silent,
                ], requests: 2...4, isUpdated: true,
                isPolled: true),
            Row(
                name: "held",
                answers: [
                    silent, poll(), silent,
                ], requests: 2...4, isUpdated: true, isPolled: true),
            // Servers that answer polls at once.
            Row(name: "hasty", answers: [poll([])], requests: 3...7, isPolled: true),
            Row(
                name: "nervous", answers: [poll()], requests: 3...40, isUpdated: true,
                isPolled: true),
            Row(
                name: "not-json", answers: [.page("<title>Hello</title>")], requests: 3...7,
                isPolled: true),
            // Lists that fail.
            Row(
                name: "list", answers: [open(event(1))], requests: 1...1, isUpdated: true,
                lists: [.status(500)], mostLists: 2),
            Row(
                name: "busy", answers: [open(event(1) + event(2) + event(3))], requests: 1...1,
                lists: [.status(503, retryAfter: "7200")], mostLists: 1),
            // To another server, which must not learn the identifier of this computer.
            Row(
                name: "moved",
                answers: [.redirect(to: elsewhere.url("/events", host: "localhost"), 307)],
                requests: 2...6),
        ]
    }

    @Test("two dozen services, and one that works", .timeLimit(.minutes(5)))
    func streams() async throws {
        let served = try ServedPasses(holder)
        try await LoopbackServer.run { elsewhere in
            let rows = Self.rows(elsewhere)
            try await servers(rows.count) { servers in
                var services: [String: AnnouncingService] = [:]
                for (row, server) in zip(rows, servers) {
                    services[row.name] = AnnouncingService(on: server)
                }
                try holder.hold(services)
                try served.hold(["works"])
                // From now on, the passes are not due, and only streams tell of changes.
                #expect(try holder.update().status == 0)
                for row in rows {
                    try holder.publish(
                        [row.name], at: try #require(services[row.name]), version: 1)
                }
                for row in rows {
                    services[row.name]?.answerEvents(with: row.answers, lists: row.lists)
                }
                let before = services.mapValues { (lists: $0.count(.list), all: $0.requests.count) }
                let following = try FollowingUpdate(holder)
                let start = ContinuousClock.now
                var peaks: [Int] = []
                for version in 1...5 {
                    try await Task.sleep(for: .seconds(2))
                    try served.publish(["works"], version: version)
                    let time = try await following.waits(for: "version \(version)") {
                        following.updated.count { $0 == "works" } == version
                    }
                    #expect(time < .seconds(10), "\(time)")
                    peaks.append(following.peak)
                }
                // A stream without lines is given up after ten seconds.
                let updated = Set(rows.filter(\.isUpdated).map(\.name) + ["works"])
                while !Set(following.updated).isSuperset(of: updated),
                    ContinuousClock.now < start + .seconds(30)
                {
                    try await Task.sleep(for: .milliseconds(50))
                }
                #expect(Set(following.updated) == updated)
                #expect(peaks[4] - peaks[1] < 16 << 10, "\(peaks) KiB")
                // A slow computer takes longer than the time for which the numbers are given.
                let factor = max(1, (ContinuousClock.now - start) / .seconds(15))
                #expect(following.end().status == 0)

                for row in rows {
                    let service = try #require(services[row.name])
                    let requests = service.requests.dropFirst(before[row.name]?.all ?? 0)
                    let events = requests.filter { AnnouncingService.Kind($0) == .events }
                    let (least, most) = (row.requests.lowerBound, row.requests.upperBound)
                    let limit = least == most ? most : Int(Double(most) * factor)
                    #expect((least...limit).contains(events.count), "\(row.name): \(events.count)")
                    #expect(events.first?["Accept"] == "text/event-stream", "\(row.name)")
                    #expect(events.first?["Last-Event-ID"] == "1", "\(row.name)")
                    for request in requests where AnnouncingService.Kind(request) != .pass {
                        #expect(request["Authorization"] == nil)
                    }
                    for poll in events.dropFirst() where row.isPolled {
                        #expect(poll["Accept"] == "application/json", "\(row.name)")
                        #expect(poll.query("since") != nil, "\(row.name)")
                        let seconds = poll.query("wait").flatMap { Int($0) } ?? 0
                        #expect((1...25).contains(seconds), "\(row.name)")
                    }
                    let lists = service.count(.list) - (before[row.name]?.lists ?? 0)
                    #expect(lists <= row.mostLists, "\(row.name): \(lists)")
                }
            }
            #expect(elsewhere.requests.isEmpty)
        }
    }

    @Test("a service that has lost its registrations gets them again")
    func unknownDevice() async throws {
        try await LoopbackServer.run { server in
            let service = AnnouncingService(on: server)
            try holder.hold(["1": service, "2": service])
            #expect(try holder.update().status == 0)
            service.forgetRegistrations()
            try holder.publish(["2"], at: service, version: 1)
            service.answerEvents(with: [.status(204)])
            let following = try FollowingUpdate(holder)
            try await following.waits(forUpdates: 1)
            #expect(service.registered == ["1", "2"])
            try await Task.sleep(for: .seconds(2))
            #expect(service.count(.events) == 1)
        }
    }

    private func servers<Outcome>(
        _ count: Int, _ servers: [LoopbackServer] = [],
        _ body: ([LoopbackServer]) async throws -> Outcome
    ) async throws -> Outcome {
        guard servers.count < count else { return try await body(servers) }
        return try await LoopbackServer.run { server in
            try await self.servers(count, servers + [server], body)
        }
    }
}

extension AnnouncingService {
    /// Answers requests for events, the last answer repeatedly, and the first requests for lists.
    fileprivate func answerEvents(with answers: [Answer], lists: [Answer] = []) {
        let counts = (events: RequestCount(), lists: RequestCount())
        replace { request in
            switch Kind(request) {
            case .events: answers[min(counts.events.next(), answers.count - 1)]
            case .list: lists.dropFirst(counts.lists.next()).first
            default: nil
            }
        }
    }
}

private final class RequestCount: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock { value in
            defer { value += 1 }
            return value
        }
    }
}
