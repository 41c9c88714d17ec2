import Foundation
import PassFixtures
import PassModel
import Testing

@testable import PassService

/// Expected: Apple, "Handling notification responses from APNs".
@Suite("A publication stores a push to each registered device until it is settled")
struct PendingPushTests {
    private let issuer: Issuer
    private let noon = Date(timeIntervalSince1970: 1_790_000_000)

    init() throws {
        issuer = try Issuer()
    }

    /// A store in which d1 has E4 and E5, and d2 has E5. All were registered at noon.
    private func store(_ backend: Backend) async throws -> ServiceStore {
        let store = try await StorePlace(backend).open()
        for (serial, devices) in [("E4", ["d1"]), ("E5", ["d1", "d2"])] {
            try await store.publish(issuer.pass(serial), at: noon - 60)
            for device in devices {
                let token = device == "d1" ? "01" : "02"
                _ = try await store.register(
                    device, pushToken: token, for: Issuer.identity(serial), at: noon)
            }
        }
        return store
    }

    private func claim(
        _ store: ServiceStore, after seconds: TimeInterval, lease: TimeInterval = 60
    ) async throws -> [PendingPush] {
        let pushes = try await store.claimPushes(limit: 10, lease: lease, at: noon + seconds)
        return pushes.sorted { $0.pushToken < $1.pushToken }
    }

    @Test("several updates become one push for each device and type", arguments: Backend.here)
    func collapse(backend: Backend) async throws {
        let store = try await store(backend)
        #expect(try await claim(store, after: 0).isEmpty)
        for (serial, gate) in [("E4", "8"), ("E5", "8"), ("E4", "9")] {
            try await store.publish(issuer.pass(serial, gate: gate), at: noon)
        }
        #expect(try await store.status().pendingPushes == 2)
        let pushes = try await claim(store, after: 1)
        #expect(pushes.map(\.pushToken) == ["01", "02"])
        #expect(pushes.map(\.passTypeIdentifier) == [PassMaker.type, PassMaker.type])
        #expect(pushes.map(\.tag) == [5, 4])
        #expect(pushes.map(\.attempts) == [0, 0])
        try await store.settle(pushes.map { ($0, .delivered) }, at: noon + 2)
        #expect(try await claim(store, after: 3600).isEmpty)
        let status = try await store.status()
        #expect((status.pendingPushes, status.deliveredPushes) == (0, 2))
    }

    @Test("a claimed push is due again when the lease ends", arguments: Backend.here)
    func lease(backend: Backend) async throws {
        let store = try await store(backend)
        try await store.publish(issuer.pass("E4", gate: "8"), at: noon)
        #expect(try await claim(store, after: 0).count == 1)
        #expect(try await claim(store, after: 59).isEmpty)
        let again = try await claim(store, after: 60)
        #expect(again.map(\.attempts) == [1])
        try await store.settle([(again[0], .postponed(until: noon + 500))], at: noon + 61)
        #expect(try await claim(store, after: 499).isEmpty)
        #expect(try await claim(store, after: 500).map(\.attempts) == [2])
    }

    @Test("a change while a push is sent leads to another push", arguments: Backend.here)
    func changeMeanwhile(backend: Backend) async throws {
        let store = try await store(backend)
        try await store.publish(issuer.pass("E4", gate: "8"), at: noon)
        let pushes = try await claim(store, after: 0)
        try await store.publish(issuer.pass("E4", gate: "9"), at: noon + 1)
        try await store.settle(pushes.map { ($0, .delivered) }, at: noon + 2)
        let second = try await claim(store, after: 3)
        #expect(second.map(\.tag) == [pushes[0].tag + 1])
    }

    @Test(
        "a token that was replaced while a push is sent gets another one", arguments: Backend.here)
    func tokenMeanwhile(backend: Backend) async throws {
        for outcome in [PushOutcome.delivered, .unregistered(at: nil), .invalidToken] {
            let store = try await store(backend)
            try await store.publish(issuer.pass("E4", gate: "8"), at: noon)
            let pushes = try await claim(store, after: 0)
            _ = try await store.register(
                "d1", pushToken: "03", for: Issuer.identity("E4"), at: noon + 1)
            try await store.settle(pushes.map { ($0, outcome) }, at: noon + 2)
            #expect(try await claim(store, after: 3).map(\.pushToken) == ["03"])
            #expect(try await store.status().registrations == 3)
        }
    }

    @Test(
        "410 removes registrations that were confirmed before its timestamp",
        arguments: Backend.here,
        [
            (.unregistered(at: Date(timeIntervalSince1970: 1_790_000_001)), 1),
            (.unregistered(at: Date(timeIntervalSince1970: 1_790_000_000.001)), 1),
            (.unregistered(at: Date(timeIntervalSince1970: 1_790_000_000)), 3),
            (.unregistered(at: Date(timeIntervalSince1970: 1_789_999_999)), 3),
            (.unregistered(at: Date(timeIntervalSince1970: -1e300)), 3),
            (.unregistered(at: Date(timeIntervalSince1970: 1e300)), 1),
            (.unregistered(at: nil), 1), (.invalidToken, 1), (.refused(reason: "x"), 3),
        ] as [(PushOutcome, Int)])
    func unregistered(backend: Backend, row: (outcome: PushOutcome, left: Int)) async throws {
        let store = try await store(backend)
        try await store.publish(issuer.pass("E4", gate: "8"), at: noon)
        let pushes = try await claim(store, after: 0)
        try await store.settle(pushes.map { ($0, row.outcome) }, at: noon + 2)
        let status = try await store.status()
        #expect(status.registrations == row.left)
        #expect(status.devices == (row.left == 1 ? 1 : 2))
        #expect(status.removedRegistrations == 3 - row.left)
    }

    @Test("setting the clock back does not delay pushes", arguments: Backend.here)
    func clock(backend: Backend) async throws {
        let store = try await store(backend)
        try await store.publish(issuer.pass("E4", gate: "8"), at: noon + 86_400)
        #expect(try await claim(store, after: 86_400).count == 1)
        #expect(try await claim(store, after: 86_430).isEmpty)
        #expect(try await claim(store, after: 0).count == 1)
        #expect(try await claim(store, after: 30).isEmpty)
        #expect(try await claim(store, after: 61).count == 1)
    }

    @Test(
        "a token that APNs calls invalid after the device confirmed it is tried a few times",
        arguments: Backend.here)
    func contradiction(backend: Backend) async throws {
        let store = try await store(backend)
        try await store.publish(issuer.pass("E4", gate: "8"), at: noon)
        var times: [TimeInterval] = []
        var seconds = 0.0
        while seconds < 200_000, try await store.status().pendingPushes > 0 {
            for push in try await claim(store, after: seconds) {
                times.append(seconds)
                try await store.settle(
                    [(push, .unregistered(at: noon - 1))], at: noon + seconds)
            }
            seconds += 60
        }
        #expect(times == [0, 60, 180, 420, 900, 1860, 3780])
        #expect(try await store.status().registrations == 3)
    }

    @Test("a push is never postponed for more than two hours", arguments: Backend.here)
    func longestDelay(backend: Backend) async throws {
        let store = try await store(backend)
        try await store.publish(issuer.pass("E4", gate: "8"), at: noon)
        let pushes = try await claim(store, after: 0)
        try await store.settle(
            pushes.map { ($0, .postponed(until: noon + 1_000_000)) }, at: noon)
        #expect(try await claim(store, after: 7199).isEmpty)
        #expect(try await claim(store, after: 7200).count == 1)
    }

    @Test(
        "publications, registrations and answers of APNs can be concurrent", .tags(.repeats),
        arguments: Backend.here)
    func together(backend: Backend) async throws {
        let place = try StorePlace(backend)
        let stores = [try await place.open(), try await place.open()]
        let versions = try (0..<2).map { try issuer.pass("E4", gate: "\($0)") }
        let ticket = Issuer.identity("E4")
        try await stores[0].publish(versions[0])
        let (rounds, devices) = (rounds(300), 40)
        try await withThrowingTaskGroup { group in
            for (number, store) in stores.enumerated() {
                group.addTask {
                    for round in 0..<rounds {
                        try await store.publish(versions[(number + round) % 2])
                    }
                }
                group.addTask {
                    for round in 0..<rounds {
                        let device = "d\((number + 7 * round) % devices)"
                        _ = try await store.register(device, pushToken: "00", for: ticket)
                        try await store.unregister(
                            "d\((number + 11 * round) % devices)", for: ticket)
                    }
                }
                group.addTask {
                    for round in 0..<rounds {
                        let pushes = try await store.claimPushes(limit: 10, lease: 60)
                        let outcomes: [PushOutcome] = [
                            .delivered, .refused(reason: "x"), .invalidToken,
                            .unregistered(at: nil), .postponed(until: .distantPast),
                        ]
                        try await store.settle(
                            pushes.enumerated().map { index, push in
                                (push, outcomes[(index + number + round) % outcomes.count])
                            })
                    }
                }
            }
            try await group.waitForAll()
        }
        // A device that registers afterwards gets a push.
        _ = try await stores[0].register("last", pushToken: "ff", for: ticket)
        try await stores[1].publish(issuer.pass("E4", gate: "last"))
        let pushes = try await stores[0].claimPushes(limit: 100, lease: 60)
        #expect(pushes.contains { $0.pushToken == "ff" })
        #expect(try await stores[0].status().registrations == pushes.count)
    }

    @Test("pushes of excluded types are not claimed", arguments: Backend.here)
    func exceptions(backend: Backend) async throws {
        let store = try await store(backend)
        try await store.publish(issuer.pass("E5", gate: "8"), at: noon)
        for (types, count) in [([PassMaker.type], 0), (["pass.other"], 2), ([], 0)] {
            let pushes = try await store.claimPushes(
                except: Set(types), limit: 10, lease: 60, at: noon)
            #expect(pushes.count == count)
        }
    }

    @Test("only pushes of the requested types are claimed", arguments: Backend.here)
    func types(backend: Backend) async throws {
        let store = try await store(backend)
        try await store.publish(issuer.pass("E5", gate: "8"), at: noon)
        for (types, count) in [(Set(["pass.other"]), 0), ([], 0), ([PassMaker.type, "a"], 2)] {
            let pushes = try await store.claimPushes(
                ofTypes: types, limit: 10, lease: 60, at: noon)
            #expect(pushes.count == count)
        }
    }

    @Test("two servers never claim the same push", arguments: Backend.here)
    func twoServers(backend: Backend) async throws {
        let place = try StorePlace(backend)
        let stores = [try await place.open(), try await place.open()]
        try await stores[0].publish(issuer.pass("E4"))
        let count = 200
        for number in 0..<count {
            _ = try await stores[0].register(
                "d\(number)", pushToken: "\(1000 + number)", for: Issuer.identity("E4"))
        }
        try await stores[1].publish(issuer.pass("E4", gate: "8"))
        let tokens = try await withThrowingTaskGroup(of: [String].self) { group in
            for store in stores + stores {
                group.addTask {
                    var tokens: [String] = []
                    while true {
                        let pushes = try await store.claimPushes(limit: 7, lease: 60)
                        if pushes.isEmpty { return tokens }
                        tokens += pushes.map(\.pushToken)
                        try await store.settle(pushes.map { ($0, .delivered) })
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(tokens.sorted() == (0..<count).map { "\(1000 + $0)" })
        #expect(try await stores[0].status().deliveredPushes == count)
    }
}
