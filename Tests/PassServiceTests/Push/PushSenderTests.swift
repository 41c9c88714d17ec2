import FakeAPNs
import Foundation
import InMemoryLogging
import Logging
import PassFixtures
import PassService
import ServiceLifecycle
import Testing

@Suite("The sender pushes what is due, settles it, and goes on after failures")
struct PushSenderTests {
    private let site: PushSite
    private let outbox = TestOutbox()
    private let log = InMemoryLogHandler()

    init() throws {
        site = try PushSite()
    }

    private func sender(
        _ server: FakeAPNs, _ credentials: [PushCredential]? = nil,
        _ change: (inout PushOptions) -> Void = { _ in }
    ) throws -> PushSender {
        var options = site.options(port: server.port)
        change(&options)
        return try PushSender(
            outbox.outbox, credentials: credentials ?? [PushSite.credential()], options: options,
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

    private func waits(until isSo: () -> Bool) async throws {
        let limit = ContinuousClock.now.advanced(by: .seconds(30))
        while !isSo(), ContinuousClock.now < limit { try await Task.sleep(for: .milliseconds(5)) }
        #expect(isSo())
    }

    private var messages: [String] { log.entries.map { "\($0.message)" } }

    @Test("each answer leads to its outcome, and is counted")
    func outcomes() async throws {
        let answers: [FakeAnswer] = [
            .delivered, .delivered, .status(400, reason: "BadDeviceToken"),
            .status(410, reason: "Unregistered", timestamp: 1_629_483_600_000),
            .status(429, reason: "TooManyRequests"), .status(503, reason: "Shutdown"),
            .status(400, reason: "DeviceTokenNotForTopic"),
        ]
        try await FakeAPNs.run(site.configuration()) { server in
            for (number, answer) in answers.enumerated() {
                server.answer(token(number), answer)
                outbox.publish(Int64(number), token: token(number))
            }
            let sender = try sender(server)
            let start = Date.now
            try await running(sender) {
                try await waits { outbox.outcomes.count == answers.count }
            }
            #expect(outbox.outcomes.count { $0 == .delivered } == 2)
            #expect(outbox.outcomes.contains(.invalidToken))
            let removal = Date(timeIntervalSince1970: 1_629_483_600)
            #expect(outbox.outcomes.contains(.unregistered(at: removal)))
            #expect(outbox.outcomes.contains(.refused(reason: "DeviceTokenNotForTopic")))
            for case .postponed(let date) in outbox.outcomes {
                #expect((2.5...15).contains(date.timeIntervalSince(start)))
            }
            var counts = PushCounts()
            (counts.delivered, counts.postponed, counts.refused, counts.removed) = (2, 2, 1, 2)
            #expect(sender.counts == counts)
            // Those that were postponed.
            #expect(!outbox.isEmpty)
            outbox.makeDue()
            try await running(sender) { try await waits { outbox.isEmpty } }
            #expect(sender.counts.delivered == 4)
        }
    }

    @Test("several changes are one push, also while it is being sent")
    func collapse() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            for _ in 0..<5 { outbox.publish(1, token: token(1)) }
            server.answer(token(1), .hang, .hang)
            let sender = try sender(server) { ($0.timeout, $0.lease) = (1, 1) }
            try await running(sender) {
                try await server.waits { server.count == 1 }
                // The push that is under way may reach the device before this change.
                outbox.publish(1, token: token(1))
                outbox.makeDue()
                try await waits { server.count == 2 }
                outbox.makeDue()
                try await waits { outbox.outcomes.contains(.delivered) }
                try await waits { outbox.isEmpty }
            }
            #expect(server.count == 3)
        }
    }

    @Test("a change after the claim is pushed again")
    func changed() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            outbox.publish(1, token: token(1))
            let claimed = try await outbox.outbox.claim(nil, 10, 60, .now)
            outbox.publish(1, token: token(1))
            try await outbox.outbox.settle(claimed.map { ($0, .delivered) }, .now)
            #expect(!outbox.isEmpty)
            try await running(try sender(server)) { try await waits { outbox.isEmpty } }
            #expect(server.count == 1)
        }
    }

    @Test("a claimed push goes to the token that the store has then")
    func replacedToken() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            outbox.publish(1, token: token(1))
            outbox.publish(1, token: token(2))
            try await running(try sender(server)) { try await waits { outbox.isEmpty } }
            #expect(server.pushes.map(\.token) == [token(2)])
        }
    }

    @Test("each pass type has its certificate, and the others a key")
    func credentials() async throws {
        let other = try PushSite.certificate(of: PushSite.otherType)
        #expect(other.path != (try PushSite.certificate().path))
        try await FakeAPNs.run(site.configuration(allowsTokens: true)) { server in
            for (number, type) in [PushSite.type, PushSite.otherType, "pass.example.third"]
                .enumerated()
            {
                outbox.publish(Int64(number), token: token(number), type: type)
            }
            let certificates = [
                try PushSite.credential(), try PushSite.credential(of: PushSite.otherType),
            ]
            try await running(try sender(server, certificates)) {
                try await waits { outbox.outcomes.count == 2 }
            }
            #expect(Set(server.pushes.map(\.token)) == [token(0), token(1)])
            let key = try PushSite.tokenCredential(PushSite.tokenKey())
            try await running(try sender(server, certificates + [key])) {
                try await waits { outbox.isEmpty }
            }
            #expect(server.pushes.last?.headers["apns-topic"] == "pass.example.third")
            #expect(server.pushes.last?.headers["authorization"] != nil)
        }
    }

    @Test("thousands are pushed with as many streams as allowed, over one connection")
    func many() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            server.answerOthers(.late(milliseconds: 200))
            for number in 0..<1000 { outbox.publish(Int64(number), token: token(number)) }
            let sender = try sender(server) { $0.streams = 100 }
            try await running(sender) { try await waits { outbox.isEmpty } }
            #expect(server.count == 1000)
            #expect(Set(server.pushes.map(\.token)).count == 1000)
            #expect((20...100).contains(server.mostAtOnce))
            #expect(server.connections == 1)
            #expect(sender.counts.delivered == 1000)
        }
    }

    @Test("a certificate that is refused stops its pass type only, and is logged once")
    func misconfigured() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            for number in 0..<300 {
                server.answer(token(number), .status(403, reason: "BadCertificate"))
                outbox.publish(Int64(number), token: token(number))
            }
            outbox.publish(300, token: token(300), type: PushSite.otherType)
            let sender = try sender(
                server, [PushSite.credential(), PushSite.credential(of: PushSite.otherType)]
            ) { $0.streams = 10 }
            let start = Date.now
            try await running(sender) {
                try await waits { outbox.outcomes.contains(.delivered) }
                outbox.makeDue()
                let claims = outbox.claims
                try await waits { outbox.claims > claims + 5 }
            }
            // Those that were under way when the first answer came.
            #expect(server.count < 50)
            for case .postponed(let date) in outbox.outcomes {
                #expect(date.timeIntervalSince(start) > 100)
            }
            #expect(messages == ["misconfigured"])
            #expect(log.entries.first?.metadata["reason"] == "BadCertificate")
            #expect(log.entries.first?.metadata["passType"] == "\(PushSite.type)")
        }
    }

    @Test("after APNs was away, pushes go on, and the log says so once")
    func serverAway() async throws {
        let server = try await FakeAPNs(site.configuration())
        try await server.stop()
        let sender = try sender(server)
        for number in 0..<50 { outbox.publish(Int64(number), token: token(number)) }
        try await running(sender) {
            try await waits { outbox.outcomes.count == 50 }
            let back = try site.configuration(port: server.port)
            try await FakeAPNs.run(back) { server in
                outbox.makeDue()
                try await waits { outbox.isEmpty }
                #expect(server.count == 50)
                #expect(messages == ["unreachable", "reachable"])
                // Away again while connected.
            }
            outbox.publish(1, token: token(1))
            try await waits { outbox.outcomes.count == 101 }
            try await FakeAPNs.run(back) { _ in
                outbox.makeDue()
                try await waits { outbox.isEmpty }
            }
        }
        #expect(messages == ["unreachable", "reachable", "unreachable", "reachable"])
        #expect(!log.entries.contains { "\($0)".contains(token(1)) })
    }

    @Test("after the store was away, pushes go on, and the log says so once")
    func storeAway() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            outbox.publish(1, token: token(1))
            outbox.setAway(true)
            try await running(try sender(server)) {
                try await waits { outbox.claims == 2 }
                outbox.setAway(false)
                try await waits { outbox.isEmpty }
            }
            #expect(messages == ["failed", "recovered"])
        }
    }

    @Test("outcomes that the store did not take are settled when it is back")
    func settledLater() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            outbox.refuseSettlements(2)
            for number in 1...3 { outbox.publish(Int64(number), token: token(number)) }
            try await running(try sender(server)) { try await waits { outbox.isEmpty } }
            #expect(server.count == 3)
            #expect(outbox.outcomes == [.delivered, .delivered, .delivered])
            #expect(messages == ["failed", "recovered"])
        }
    }

    @Test("a graceful shutdown waits for answers")
    func shutdown() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            server.answer(token(1), .late(milliseconds: 1000))
            outbox.publish(1, token: token(1))
            let sender = try sender(server) { $0.grace = 20 }
            let group = ServiceGroup(services: [sender], logger: Logger(label: "test") { _ in log })
            async let running: Void = group.run()
            try await server.waits { server.count == 1 }
            await group.triggerGracefulShutdown()
            try await running
            #expect(outbox.outcomes == [.delivered])
        }
    }

    @Test("a shutdown gives up answers after its grace; their pushes are due after the lease")
    func grace() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            server.answer(token(1), .hang)
            outbox.publish(1, token: token(1))
            let sender = try sender(server) { ($0.timeout, $0.grace) = (60, 0.2) }
            let group = ServiceGroup(services: [sender], logger: Logger(label: "test") { _ in log })
            async let running: Void = group.run()
            try await server.waits { server.count == 1 }
            await group.triggerGracefulShutdown()
            try await running
            #expect(outbox.outcomes.isEmpty && !outbox.isEmpty)
            outbox.makeDue()
            try await self.running(try self.sender(server)) { try await waits { outbox.isEmpty } }
            #expect(server.count == 2)
        }
    }
}
