import Databases
import Foundation
import Hummingbird
import Logging
import NIOCore
import PassFixtures
import PassModel
import PassSigning
import ServiceLifecycle
import Testing

@testable import PassService

/// Expected: passconduit-events(7), which `computer.py` follows.
@Suite("A device without a push token learns of each change from its event stream")
struct EventStreamsTests {
    private static let device = "5ec2e7d0c0ffee005ec2e7d0c0ffee00"
    private let issuer: Issuer

    init() throws {
        issuer = try Issuer()
    }

    /// A store with a pass for which devices are registered.
    private func store(
        _ backend: Backend = .sqlite, devices: [String] = [device],
        _ limits: ServiceLimits = ServiceLimits()
    ) async throws -> ServiceStore {
        let store = try await StorePlace(backend).open(limits: limits)
        try await store.publish(issuer.pass("E4"))
        for device in devices {
            _ = try await store.register(device, pushToken: nil, for: Issuer.identity("E4"))
        }
        return store
    }

    /// Waits up to ten seconds for a number of open streams.
    private func wait(for count: Int, of responder: ServiceResponder) async throws {
        try await wait(for: count) { responder.openEventStreams }
    }

    private func wait(for count: Int, of number: () -> Int) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while number() != count {
            try #require(.now < deadline, "\(number()) streams")
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test("it registers, and gets changes from a stream and a poll", arguments: Backend.here)
    func life(backend: Backend) async throws {
        let store = try await store(backend, devices: [])
        let responder = ServiceResponder(store)
        try await Serving.run(responder) { serving in
            async let life = serving.ask(
                "computer.py", "life", "\(serving.port)", PassMaker.type, "E4", Issuer.token)
            try await wait(for: 1, of: responder)
            try await store.publish(issuer.pass("E4", gate: "8"))
            // It closes the stream, and polls.
            try await wait(for: 0, of: responder)
            try await wait(for: 1, of: responder)
            try await store.publish(issuer.pass("E4", gate: "9"))
            _ = try await life
        }
        let status = try await store.status()
        #expect(status.registrations == 0 && status.pendingPushes == 0)
    }

    @Test(
        "the first event has the types of changes since the last event, or all types",
        arguments: [
            (nil, true), ("0", true), ("1", true), ("2", false), ("3", true), ("-1", true),
            ("abc", true), ("99999999999999999999", true), ("1e9", true), ("", true),
        ] as [(String?, Bool)])
    func resumption(last: String?, isListed: Bool) async throws {
        let store = try await store()
        try await store.publish(issuer.pass("E4", gate: "8"))
        try await Serving.run(ServiceResponder(store)) { serving in
            let arguments = [Self.device, "1"] + [last].compactMap(\.self)
            let seen = try await follow(serving, arguments)
            #expect(seen.events == [Seen(types: isListed ? [PassMaker.type] : [], id: 2)])
        }
    }

    @Test("a poll is answered at once if there are changes, and otherwise after its time")
    func polls() async throws {
        let waits = [
            ("0", 0.0), ("1", 1), ("", 3), ("4", 3), ("-1", 3), ("abc", 3), ("1e9", 3),
            ("99999999999999999999", 3),
        ]
        let store = try await store(devices: [Self.device] + waits.map(\.0))
        var limits = ServiceLimits()
        limits.pollSeconds = 3
        let responder = ServiceResponder(store, limits: limits)
        try await Serving.run(responder, limits: limits) { serving in
            for query in [
                "", "?", "?since=0", "?since=-1", "?since=abc", "?since=99999999999999999999",
                "?since=2", "?since=&wait=1", "?wait=1", "?since=%31%00",
            ] {
                let answer = try await poll(serving, Self.device, query)
                #expect(answer.number("status") == 200, "\(query)")
                #expect(answer.object["types"] as? [String] == [PassMaker.type], "\(query)")
                #expect(answer.text("last") == "1")
                #expect(answer.number("seconds") < 1.5, "\(query)")
            }
            try await withThrowingTaskGroup { group in
                for (wait, seconds) in waits {
                    group.addTask {
                        let device = wait.isEmpty ? Self.device : wait
                        let answer = try await poll(serving, device, "?since=1&wait=\(wait)")
                        #expect(answer.object["types"] as? [String] == [], "\(wait)")
                        #expect(answer.text("last") == "1")
                        let range = seconds..<seconds + 1.5
                        #expect(range.contains(answer.number("seconds")), "\(wait)")
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    private func poll(
        _ serving: Serving, _ device: String, _ query: String
    ) async throws -> JSON {
        try await serving.ask("computer.py", "poll", "\(serving.port)", device, query)
    }

    @Test("an event contains the changes of all types, and of registered passes only")
    func types() async throws {
        let store = try await store()
        let types = ["pass.example.a", "pass.example.b", "pass.example.c"]
        for type in types + ["pass.example.other"] {
            try await publish(gate: "1", of: type, in: store)
            guard type != "pass.example.other" else { continue }
            let pass = PassIdentity(passTypeIdentifier: type, serialNumber: "E4")
            _ = try await store.register(Self.device, pushToken: nil, for: pass)
        }
        let responder = ServiceResponder(store)
        try await Serving.run(responder) { serving in
            async let followed = follow(serving, [Self.device, "2", "5"])
            try await wait(for: 1, of: responder)
            try await publish(gate: "2", of: "pass.example.other", in: store)
            try await Task.sleep(for: .milliseconds(500))
            for type in types { try await publish(gate: "2", of: type, in: store) }
            let seen = try await followed
            // Several changes may be one event.
            #expect(seen.events.first == Seen(types: [], id: 5))
            #expect(Set(seen.events.dropFirst().flatMap(\.types)).isSubset(of: types))
            #expect(seen.events.last.map { (7...9).contains($0.id) } == true)
            let rest = try await follow(serving, [Self.device, "1", "6"])
            #expect(rest.events.first?.types.sorted() == types.sorted())
        }
    }

    private func publish(gate: String, of type: String, in store: ServiceStore) async throws {
        let template = try PublishedTemplate(Issuer.template(of: type))
        let results = try await store.publish([Issuer.row("E4", gate: gate)], of: template)
        _ = try #require(results.first).get()
    }

    private struct Seen: Equatable {
        let types: [String]
        let id: Int
    }

    private struct Followed {
        let status: Int
        let events: [Seen]
        let times: [Double]
        let json: JSON
    }

    private func follow(_ serving: Serving, _ arguments: [String]) async throws -> Followed {
        let json = try await serving.ask(
            "computer.py", arguments: ["follow", "\(serving.port)"] + arguments)
        let events = json.object["events"] as? [[String: Any]] ?? []
        return Followed(
            status: Int(json.number("status")),
            events: events.map { event in
                Seen(
                    types: event["types"] as? [String] ?? ["?"], id: event["id"] as? Int ?? -1)
            },
            times: events.map { $0["at"] as? Double ?? .nan }, json: json)
    }

    @Test("a newer stream of a device ends the older one")
    func newer() async throws {
        let other = "other"
        let store = try await store(devices: [Self.device, other])
        let responder = ServiceResponder(store)
        try await Serving.run(responder) { serving in
            async let elsewhere = follow(serving, [other, "2"])
            try await wait(for: 1, of: responder)
            async let older = follow(serving, [Self.device, "2"])
            try await wait(for: 2, of: responder)
            async let newer = follow(serving, [Self.device, "2"])
            let ended = try await older
            #expect(ended.json.flag("ended") && ended.events.count == 1)
            try await wait(for: 2, of: responder)
            try await store.publish(issuer.pass("E4", gate: "8"))
            for followed in [try await newer, try await elsewhere] {
                #expect(followed.events.map(\.id) == [1, 2])
            }
        }
    }

    @Test("streams above a limit get 503, and those of a device with a stream do not")
    func limits() async throws {
        let devices = ["a", "b", "c", "d"]
        let store = try await store(devices: devices)
        var limits = ServiceLimits()
        limits.eventStreams = 3
        limits.clientEventStreams = 2
        let streams = EventStreams(store, limits, OncePerMinute())
        let clients = ["203.0.113.7", "203.0.113.8"].map { ClientAddress($0) }
        let logger = Logger(label: "tests")
        func open(_ device: String, _ client: Int?) -> EventStream? {
            streams.open(device, for: client.flatMap { clients[$0] }, at: 1, logger)
        }
        var opened = [open("a", 0), open("b", 0)]
        #expect(opened.allSatisfy { $0 != nil })
        #expect(open("c", 0) == nil)
        // The older stream of b still has a reference.
        let newer = open("b", 0)
        #expect(newer != nil && streams.count == 3)
        opened[1] = nil
        try await wait(for: 2) { streams.count }
        let third = open("c", nil)
        #expect(third != nil)
        #expect(open("d", 1) == nil)
        opened[0] = nil
        try await wait(for: 2) { streams.count }
        #expect(open("d", 0) != nil)
        withExtendedLifetime((opened, newer, third)) {}
    }

    @Test("above the limit, the response has Retry-After")
    func busy() async throws {
        let store = try await store(devices: ["a", "b"])
        var limits = ServiceLimits()
        limits.eventStreams = 1
        let responder = ServiceResponder(store, limits: limits)
        try await Serving.run(responder, limits: limits) { serving in
            async let open = follow(serving, ["a", "2"])
            try await wait(for: 1, of: responder)
            let refused = try await follow(serving, ["b", "1"])
            #expect(refused.status == 503 && refused.json.text("retry") == "30")
            // A poll that need not wait is answered.
            #expect(try await poll(serving, "b", "?since=0").number("status") == 200)
            try await store.publish(issuer.pass("E4", gate: "8"))
            _ = try await open
        }
    }

    @Test("no change is lost, whenever a stream opens", .tags(.repeats), arguments: Backend.here)
    func races(backend: Backend) async throws {
        let store = try await store(backend, devices: [])
        let types = (0..<20).map { "pass.example.t\($0)" }
        let devices = ["a", "b", "c"]
        for type in types {
            try await publish(gate: "0", of: type, in: store)
            let pass = PassIdentity(passTypeIdentifier: type, serialNumber: "E4")
            for device in devices {
                _ = try await store.register(device, pushToken: nil, for: pass)
            }
        }
        let streams = EventStreams(store, ServiceLimits(), OncePerMinute())
        for round in 1...rounds(20, least: 2) {
            let start = try await store.status().tag
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for type in types { try await publish(gate: "\(round)", of: type, in: store) }
                }
                for device in devices {
                    group.addTask {
                        let seen = try await follow(
                            device, of: streams, store, from: start, to: start + 20)
                        #expect(seen == Set(types), "\(device)")
                    }
                }
                try await group.waitForAll()
            }
        }
        try await wait(for: 0) { streams.count }
    }

    /// Opens streams one after the other, each at the tag of the last event, and returns the types
    /// in their events.
    private func follow(
        _ device: String, of streams: EventStreams, _ store: ServiceStore, from start: Int64,
        to end: Int64
    ) async throws -> Set<String> {
        let loop = EventLoopGroupProvider.singleton.eventLoopGroup.any()
        var seen: Set<String> = []
        var tag = start
        while tag < end {
            let first = try #require(try await store.changedTypes(for: device, since: tag))
            seen.formUnion(first.types)
            tag = first.tag
            try await Task.sleep(for: .milliseconds(.random(in: 0...30)))
            let stream = try #require(
                streams.open(device, for: nil, at: tag, Logger(label: "tests")))
            for _ in 0..<Int.random(in: 1...3) {
                let event = await stream.next(within: .milliseconds(300), on: loop)
                guard let changes = event.changes else { break }
                seen.formUnion(changes.types)
                tag = changes.tag
            }
        }
        return seen
    }

    @Test("a database that was replaced by an older one ends the streams")
    func restored() async throws {
        let store = try await store()
        try await store.publish(issuer.pass("E4", gate: "8"))
        let responder = ServiceResponder(store)
        try await Serving.run(responder) { serving in
            async let followed = follow(serving, [Self.device, "2"])
            try await wait(for: 1, of: responder)
            try await store.write { db in try db.rows("UPDATE sequence SET tag = 1") }
            #expect(try await followed.json.flag("ended"))
        }
    }

    // MARK: - Deadlines

    private var strict: ServiceLimits {
        var limits = ServiceLimits()
        limits.idleSeconds = 1
        limits.bodySeconds = 1
        limits.answerSeconds = 1
        limits.shutdownSeconds = 10
        limits.eventSilenceSeconds = 1
        return limits
    }

    @Test("a stream that is read outlives all deadlines, and contains comments")
    func silence() async throws {
        let store = try await store()
        let responder = ServiceResponder(store, limits: strict)
        try await Serving.run(responder, limits: strict) { serving in
            async let followed = follow(serving, [Self.device, "2"])
            try await wait(for: 1, of: responder)
            try await Task.sleep(for: .seconds(5))
            try await store.publish(issuer.pass("E4", gate: "8"))
            let seen = try await followed
            #expect(seen.events.map(\.id) == [1, 2])
            #expect((3...5).contains(seen.json.number("comments")))
        }
    }

    @Test("a stream ends at the maximum age of its connection")
    func age() async throws {
        let store = try await store()
        var limits = strict
        limits.connectionSeconds = 2
        let responder = ServiceResponder(store, limits: limits)
        try await Serving.run(responder, limits: limits) { serving in
            let seen = try await follow(serving, [Self.device, "2"])
            #expect(seen.json.flag("ended"))
            #expect((1.5...4).contains(seen.json.number("seconds")))
        }
    }

    @Test("a stream whose client does not read is closed, also when the server stops")
    func unread() async throws {
        let store = try await store()
        // One event of 20 MB, more than the buffers of the sockets.
        try await store.write { db in
            let type = String(repeating: "x", count: 100_000)
            for number in 0..<200 {
                try db.rows(
                    """
                    INSERT INTO passes (passTypeIdentifier, serialNumber, sha256, size, tag,
                        modified, downloadKey)
                    VALUES ($1, 'E4', '', 0, $2, 0, $1)
                    """, .text("\(number)\(type)"), .integer(Int64(100 + number)))
            }
            try db.rows("INSERT INTO registrations SELECT 1, id, 0 FROM passes WHERE tag >= 100")
            try db.rows("UPDATE sequence SET tag = 300")
        }
        let responder = ServiceResponder(store, limits: strict)
        try await Serving.run(responder, limits: strict) { serving in
            async let client = serving.ask(
                "computer.py", "unread", "\(serving.port)", Self.device, "5")
            try await wait(for: 1, of: responder)
            let start = ContinuousClock.now
            try await wait(for: 0, of: responder)
            #expect(try await serving.has(connections: 0))
            #expect(.now - start < .seconds(4))
            _ = try await client
        }
        var patient = strict
        patient.answerSeconds = 60
        let other = ServiceResponder(store, limits: patient)
        try await Serving.run(other, limits: patient) { serving in
            async let client = serving.ask(
                "computer.py", "unread", "\(serving.port)", Self.device, "5")
            try await wait(for: 1, of: other)
            let start = ContinuousClock.now
            await serving.group.triggerGracefulShutdown()
            #expect(try await serving.has(connections: 0))
            #expect(.now - start < .seconds(4))
            _ = try await client
        }
    }

    @Test("a client that closes its connection is noticed at once")
    func leaving() async throws {
        let store = try await store()
        let responder = ServiceResponder(store)
        try await Serving.run(responder) { serving in
            _ = try await follow(serving, [Self.device, "1"])
            let start = ContinuousClock.now
            try await wait(for: 0, of: responder)
            #expect(try await serving.has(connections: 0))
            #expect(.now - start < .seconds(2))
        }
    }

    // MARK: - HTTP/2

    @Test("streams of HTTP/2 have events, comments, and the same deadlines and ends")
    func http2() async throws {
        let tls = try Serving.tls
        let store = try await store()
        let responder = ServiceResponder(store, limits: strict)
        let output = try await Serving.run(responder, limits: strict, tls: tls) { serving in
            let url = "https://localhost:\(serving.port)/v1/devices/\(Self.device)/events"
            let arguments = [
                "curl", "-sN", "--http2", "-m", "15", "--cacert", try ServerAuthority.path, "-w",
                "%{http_version} %{http_code}", "-H", "Accept: text/event-stream", url,
            ]
            async let output = serving.run(arguments)
            try await wait(for: 1, of: responder)
            try await Task.sleep(for: .seconds(4))
            try await store.publish(issuer.pass("E4", gate: "8"))
            try await Task.sleep(for: .milliseconds(500))
            await serving.group.triggerGracefulShutdown()
            let start = ContinuousClock.now
            let text = String(decoding: try await output, as: UTF8.self)
            #expect(.now - start < .seconds(2))
            return text
        }
        let data = #"{"lastUpdated":"N","passTypeIdentifiers":["\#(PassMaker.type)"]}"#
        let events = (1...2).map { tag in
            "id: \(tag)\nevent: changes\ndata: \(data.replacing("N", with: "\(tag)"))\n\n"
        }
        #expect(output.hasPrefix(events[0]) && output.hasSuffix("\(events[1])2 200"))
        let comments = output.dropFirst(events[0].count).dropLast(events[1].count + 5)
        #expect(["2", "3", "4"].contains("\(comments.count / 3)") && comments.hasPrefix(":\n\n"))
    }

    @Test("a client of HTTP/2 that cancels its request is noticed at once")
    func cancelled() async throws {
        let store = try await store()
        let responder = ServiceResponder(store)
        try await Serving.run(responder, tls: Serving.tls) { serving in
            async let result = serving.ask(
                "frames.py", "cancel", "\(serving.port)", "/v1/devices/\(Self.device)/events")
            try await wait(for: 1, of: responder)
            try await wait(for: 0, of: responder)
            // The connection is still open.
            #expect(serving.connections.count == 1)
            #expect(try await result.number("seconds") < 5)
        }
    }
}
