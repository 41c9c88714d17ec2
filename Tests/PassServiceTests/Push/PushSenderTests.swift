import FakeAPNs
import Foundation
import InMemoryLogging
import Logging
import PassFixtures
import PassService
import ServiceLifecycle
import Testing

@Suite("The sender sends and settles due pushes, and continues after failures")
struct PushSenderTests {
    private let site: PushSite
    private let store: TestStore
    private let log = InMemoryLogHandler()

    init() async throws {
        site = try PushSite()
        store = try await TestStore()
    }

    private func sender(
        _ server: FakeAPNs, _ credentials: [PushCredential]? = nil,
        _ change: (inout PushOptions) -> Void = { _ in }
    ) throws -> PushSender {
        var options = site.options(port: server.port)
        change(&options)
        return try PushSender(
            store.outbox, credentials: credentials ?? [PushSite.credential()], options: options,
            logger: Logger(label: "test") { _ in log })
    }

    /// Runs a sender for as long as `body` runs.
    private func running(_ sender: PushSender, _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await sender.run() }
            try await body()
            tasks.cancelAll()
        }
    }

    private func waits(until isSo: () async throws -> Bool) async throws {
        let limit = ContinuousClock.now.advanced(by: .seconds(30))
        while try await !isSo(), ContinuousClock.now < limit {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(try await isSo())
    }

    private var messages: [String] { log.entries.map { "\($0.message)" } }

    @Test("each answer leads to its outcome, and is counted")
    func outcomes() async throws {
        let later = Int64((Date.now.timeIntervalSince1970 + 3600) * 1000)
        let answers: [FakeAnswer] = [
            .delivered, .delivered, .status(400, reason: "BadDeviceToken"),
            // One timestamp before the device registered, and one after.
            .status(410, reason: "Unregistered", timestamp: 1_629_483_600_000),
            .status(410, reason: "Unregistered", timestamp: later),
            .status(429, reason: "TooManyRequests"), .status(503, reason: "Shutdown"),
            .status(400, reason: "DeviceTokenNotForTopic"),
        ]
        try await FakeAPNs.run(site.configuration()) { server in
            for (number, answer) in answers.enumerated() { server.answer(token(number), answer) }
            try await store.publish(0...7)
            let sender = try sender(server)
            let start = Date.now
            var counts = PushCounts()
            (counts.delivered, counts.postponed, counts.refused, counts.invalid) = (2, 2, 1, 3)
            try await running(sender) { try await waits { sender.counts == counts } }
            #expect(store.outcomes.count == answers.count)
            #expect(store.outcomes.count { $0 == .delivered } == 2)
            #expect(store.outcomes.contains(.invalidToken))
            let removal = Date(timeIntervalSince1970: 1_629_483_600)
            #expect(store.outcomes.contains(.unregistered(at: removal)))
            #expect(store.outcomes.contains(.refused(reason: "DeviceTokenNotForTopic")))
            for case .postponed(let date) in store.outcomes {
                #expect((2.5...15).contains(date.timeIntervalSince(start)))
            }
            #expect(messages == ["refused"])
            let status = try await store.status
            #expect((status.registrations, status.removedRegistrations) == (6, 2))
            #expect((status.deliveredPushes, status.refusedPushes) == (2, 1))
            // The postponed pushes.
            #expect(status.pendingPushes == 3)
            try await store.makeDue()
            try await running(sender) { try await waits { sender.counts.delivered == 5 } }
            #expect(try await store.isEmpty)
        }
    }

    @Test("several changes become one push, even while it is being sent")
    func collapse() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            for _ in 0..<5 { try await store.publish(1...1) }
            server.answer(token(1), .hang, .hang)
            let sender = try sender(server) { ($0.timeout, $0.lease) = (1, 1) }
            try await running(sender) {
                try await server.waits { server.count == 1 }
                // The push in progress may reach the device before this change.
                try await store.publish(1...1)
                try await store.makeDue()
                try await waits { server.count == 2 }
                try await store.makeDue()
                try await waits { store.outcomes.contains(.delivered) }
                try await waits { try await store.isEmpty }
            }
            #expect(server.count == 3)
        }
    }

    @Test("pass types use their own certificates, or else the key")
    func credentials() async throws {
        let other = try PushSite.certificate(of: PushSite.otherType)
        #expect(other.path != (try PushSite.certificate().path))
        try await FakeAPNs.run(site.configuration(allowsTokens: true)) { server in
            for (number, type) in [PushSite.type, PushSite.otherType, "pass.example.third"]
                .enumerated()
            {
                try await store.publish(number...number, type: type)
            }
            let certificates = [
                try PushSite.credential(), try PushSite.credential(of: PushSite.otherType),
            ]
            try await running(try sender(server, certificates)) {
                try await waits { store.outcomes.count == 2 }
            }
            #expect(Set(server.pushes.map(\.token)) == [token(0), token(1)])
            let key = try PushSite.tokenCredential(PushSite.tokenKey())
            try await running(try sender(server, certificates + [key])) {
                try await waits { try await store.isEmpty }
            }
            #expect(server.pushes.last?.headers["apns-topic"] == "pass.example.third")
            #expect(server.pushes.last?.headers["authorization"] != nil)
        }
    }

    @Test("thousands of pushes use all allowed streams of one connection")
    func many() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            server.answerOthers(.late(milliseconds: 200))
            try await store.publish(0...999)
            let sender = try sender(server) { $0.streams = 100 }
            try await running(sender) { try await waits { sender.counts.delivered == 1000 } }
            #expect(try await store.isEmpty)
            #expect(server.count == 1000)
            #expect(Set(server.pushes.map(\.token)).count == 1000)
            #expect((20...100).contains(server.mostAtOnce))
            #expect(server.connections == 1)
        }
    }

    @Test("a refused certificate stops only its pass type, and is logged once")
    func misconfigured() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            for number in 0..<300 {
                server.answer(token(number), .status(403, reason: "BadCertificate"))
            }
            try await store.publish(0...299)
            try await store.publish(300...300, type: PushSite.otherType)
            let sender = try sender(
                server, [PushSite.credential(), PushSite.credential(of: PushSite.otherType)]
            ) { $0.streams = 10 }
            let start = Date.now
            try await running(sender) {
                try await waits { store.outcomes.contains(.delivered) }
                try await store.makeDue()
                let claims = store.claims
                try await waits { store.claims > claims + 5 }
            }
            // Requests that were in progress when the first answer came.
            #expect(server.count < 50)
            for case .postponed(let date) in store.outcomes {
                #expect(date.timeIntervalSince(start) > 100)
            }
            #expect(messages == ["misconfigured"])
            #expect(log.entries.first?.metadata["reason"] == "BadCertificate")
            #expect(log.entries.first?.metadata["passType"] == "\(PushSite.type)")
        }
    }

    @Test("pushes of a refused certificate are not claimed while others use a key")
    func refusedBesideKey() async throws {
        try await FakeAPNs.run(site.configuration(allowsTokens: true)) { server in
            server.answer(token(1), .status(403, reason: "BadCertificate"))
            try await store.publish(1...1)
            let credentials = [
                try PushSite.credential(), try PushSite.tokenCredential(PushSite.tokenKey()),
            ]
            try await running(try sender(server, credentials)) {
                try await waits { store.outcomes.count == 1 }
                try await store.makeDue()
                try await store.publish(2...2, type: "pass.example.third")
                try await waits { store.outcomes.contains(.delivered) }
                let claims = store.claims
                try await waits { store.claims > claims + 5 }
            }
            #expect(store.outcomes.count == 2)
            #expect(try await store.status.pendingPushes == 1)
        }
    }

    @Test("endless answers delay the sender no longer than the timeout")
    func endlessAnswers() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            for number in 1...4 { server.answer(token(number), .headOnly(200)) }
            try await store.publish(1...8)
            let sender = try sender(server) { ($0.timeout, $0.streams) = (1, 4) }
            try await running(sender) {
                try await waits { server.count >= 4 && store.outcomes.count >= 4 }
                try await store.makeDue()
                try await waits { sender.counts.delivered == 8 }
            }
            #expect(try await store.isEmpty)
        }
    }

    @Test("pushes continue after an outage of APNs, which is logged once")
    func serverAway() async throws {
        let server = try await FakeAPNs(site.configuration())
        try await server.stop()
        let sender = try sender(server)
        try await store.publish(0...49)
        try await running(sender) {
            try await waits { store.outcomes.count == 50 }
            let back = try site.configuration(port: server.port)
            try await FakeAPNs.run(back) { server in
                try await store.makeDue()
                try await waits { try await store.isEmpty }
                #expect(server.count == 50)
                #expect(messages == ["unreachable", "reachable"])
                // Another outage, now while connected.
            }
            try await store.publish(1...1)
            try await waits { store.outcomes.count == 101 }
            try await FakeAPNs.run(back) { _ in
                try await store.makeDue()
                try await waits { try await store.isEmpty }
            }
        }
        #expect(messages == ["unreachable", "reachable", "unreachable", "reachable"])
        #expect(!log.entries.contains { "\($0)".contains(token(1)) })
    }

    @Test("pushes continue after an outage of the store, which is logged once")
    func storeAway() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            try await store.publish(1...1)
            store.setAway(true)
            try await running(try sender(server)) {
                try await waits { store.claims == 2 }
                store.setAway(false)
                try await waits { try await store.isEmpty }
            }
            #expect(messages == ["failed", "recovered"])
        }
    }

    @Test("outcomes that the store refused are settled after its recovery")
    func settledLater() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            store.refuseSettlements(2)
            try await store.publish(1...3)
            try await running(try sender(server)) { try await waits { try await store.isEmpty } }
            #expect(server.count == 3)
            #expect(store.outcomes == [.delivered, .delivered, .delivered])
            #expect(messages == ["failed", "recovered"])
        }
    }

    @Test("a graceful shutdown waits for answers")
    func shutdown() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            server.answer(token(1), .late(milliseconds: 1000))
            try await store.publish(1...1)
            let sender = try sender(server) { $0.grace = 20 }
            let group = ServiceGroup(services: [sender], logger: Logger(label: "test") { _ in log })
            async let running: Void = group.run()
            try await server.waits { server.count == 1 }
            await group.triggerGracefulShutdown()
            try await running
            #expect(store.outcomes == [.delivered])
        }
    }

    @Test("a shutdown abandons requests after the grace period; pushes are due after the lease")
    func grace() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            server.answer(token(1), .hang)
            try await store.publish(1...1)
            let sender = try sender(server) { ($0.timeout, $0.grace) = (60, 0.2) }
            let group = ServiceGroup(services: [sender], logger: Logger(label: "test") { _ in log })
            async let running: Void = group.run()
            try await server.waits { server.count == 1 }
            await group.triggerGracefulShutdown()
            try await running
            #expect(store.outcomes.isEmpty)
            #expect(try await !store.isEmpty)
            try await store.makeDue()
            try await self.running(try self.sender(server)) {
                try await waits { try await store.isEmpty }
            }
            #expect(server.count == 2)
        }
    }
}
