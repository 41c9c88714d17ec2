import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("update retries when useful, and respects Retry-After")
struct UpdateStatusTests {
    private let holder: PassHolder

    init() throws {
        holder = try PassHolder("statuses")
    }

    @Test("a refused pass is not requested again until there is a new version or the user asks")
    func refusal() async throws {
        try await LoopbackServer.run { server in
            let serials = ["401", "403", "404", "410", "500"]
            try holder.add(serials.map { PassHolder.recipe($0, from: server.url()) })
            for serial in serials {
                server.serve(
                    type: PassMaker.type, serial: serial, .status(Int(serial) ?? 0))
            }
            let first = try holder.update(["--json"])
            #expect(first.status == 2)
            for serial in serials {
                #expect(holder.outcomes(first)[serial] == "failed \(serial) status")
            }
            #expect(first.records.last?["declined"] as? Int == 3)
            #expect(first.records.last?["failed"] as? Int == 2)
            // No pass is due immediately afterwards.
            #expect(try holder.update(["--json"]).records.last?["asked"] as? Int == 0)
            // A month later, refused passes are still not due, but missing or failed ones are.
            try pass(days: 31)
            #expect(Set(holder.outcomes(try holder.update(["--json"])).keys) == ["404", "500"])
            // A pass named by the user is always requested.
            let named = try holder.update(["--json", "\(PassMaker.type)/401"])
            #expect(holder.outcomes(named) == ["401": "failed 401 status"])
            // Another version, received by mail.
            try holder.add([PassHolder.recipe("410", from: server.url(), gate: "5", hours: 1)])
            #expect(Set(holder.outcomes(try holder.update(["--json"])).keys) == ["410"])
        }
    }

    @Test("no pass of a busy host is requested for a while", arguments: [429, 503])
    func busy(status: Int) async throws {
        try await LoopbackServer.run { server in
            let there = server.url("/", host: "localhost")
            let here = server.url("/")
            try holder.add(
                (0..<20).map { PassHolder.recipe("busy-\($0)", from: there) }
                    + (0..<20).map { PassHolder.recipe("well-\($0)", from: here) })
            server.serve(under: "/v1/passes/\(PassMaker.type)/busy") { _ in
                .status(status, retryAfter: "7200")
            }
            server.serve(under: "/v1/passes/\(PassMaker.type)/well") { _ in .status(304) }
            let first = try holder.update(["--json"])
            #expect(first.status == 2)
            #expect(first.records.last?["unchanged"] as? Int == 20, "\(first.errors)")
            // Two requests may already be running when the first response arrives.
            let asked = try #require(first.records.last?["failed"] as? Int)
            #expect((1...2).contains(asked), "\(first.output) \(first.errors)")
            #expect(server.requests.count == 20 + asked, "\(first.output)")
            #expect(first.errors.contains("localhost:\(server.port): not contacted again"))

            // An hour and a half later, the host is still not contacted. Two hours and a half
            // later, it is.
            try pass(days: 1.5 / 24)
            #expect(try holder.update(["--json"]).records.last?["asked"] as? Int == 20)
            try pass(days: 1.0 / 24)
            let last = holder.outcomes(try holder.update(["--json"]))
            #expect(last.keys.contains { $0.hasPrefix("busy") })
        }
    }

    @Test("a host that never responds is tried three times in a run")
    func silent() async throws {
        // A closed port.
        let port = try await LoopbackServer.run { $0.port }
        try holder.add(
            (0..<20).map { PassHolder.recipe("\($0)", from: "http://127.0.0.1:\(port)/") })
        let result = try holder.update(["--json"])
        #expect(result.status == 2)
        let failed = try #require(result.records.last?["failed"] as? Int)
        #expect((3...4).contains(failed))
        #expect(holder.outcomes(result).values.allSatisfy { $0 == "failed connection" })
    }

    @Test("a response that is cut off, or never ends, does no harm", arguments: ["cut", "huge"])
    func broken(kind: String) async throws {
        try await LoopbackServer.run { server in
            try holder.add([PassHolder.recipe("1", from: server.url())])
            let newer = try holder.maker.make(
                PassHolder.recipe("1", from: server.url(), gate: "7", hours: 1))
            server.serve(
                type: PassMaker.type, serial: "1",
                kind == "cut" ? .pass(newer).cut(after: 500) : .generated(nil))
            let result = try holder.update(["--json", "--max-size", "1"])
            #expect(result.status == 2)
            #expect(holder.outcomes(result)["1"] == (kind == "cut" ? "failed cut" : "failed size"))
            #expect(try holder.gate("1") == "4")
        }
    }

    @Test(
        "a successful response before it, or at the same time, does not shorten the wait",
        arguments: [false, true])
    func busyMeanwhile(isOnItsWay: Bool) async throws {
        try await LoopbackServer.run { server in
            try holder.add((0..<20).map { PassHolder.recipe("\($0)", from: server.url()) })
            server.serve(under: "/v1/passes/") { request in
                let unchanged = Answer.status(304)
                if isOnItsWay, request.number == 0 { return unchanged.delayed(.seconds(1)) }
                if !isOnItsWay, request.number < 5 { return unchanged }
                return .status(503, retryAfter: "7200")
            }
            let first = try holder.update(["--json"])
            #expect(first.records.last?["unchanged"] as? Int == (isOnItsWay ? 1 : 5))
            try pass(days: 1.5 / 24)
            #expect(try holder.update(["--json"]).records.last?["asked"] as? Int == 0)
            try pass(days: 1.0 / 24)
            #expect(try holder.update(["--json"]).records.last?["asked"] as? Int != 0)
        }
    }

    @Test(
        "a named pass is reported even if its host is not contacted",
        arguments: [
            ("7200", 1...2, "asked to be contacted later"),
            ("0", 3...4, "asked to be contacted later"),
            (nil, 3...4, "failed to answer"),
        ])
    func named(retryAfter: String?, times: ClosedRange<Int>, reason: String) async throws {
        let isBusy = retryAfter != nil
        let serials = (0..<20).map { "\($0)" }
        let names = serials.map { "\(PassMaker.type)/\($0)" }
        let result = try await LoopbackServer.run { server in
            // A closed port, since another server may reuse the port of a stopped one.
            let silent = isBusy ? nil : "http://127.0.0.1:1/"
            try holder.add(serials.map { PassHolder.recipe($0, from: silent ?? server.url()) })
            server.serve(under: "/v1/passes/") { _ in .status(503, retryAfter: retryAfter) }
            return try holder.update(["--json"] + names)
        }
        #expect(result.status == 2)
        let outcomes = holder.outcomes(result)
        #expect(Set(outcomes.keys) == Set(serials))
        let asked = isBusy ? "failed 503 status" : "failed connection"
        let failed = outcomes.values.count { $0 == asked }
        #expect(times.contains(failed))
        #expect(outcomes.values.count { $0 == "failed host-left" } == 20 - failed)
        #expect(result.records.last?["failed"] as? Int == failed)
        #expect(result.records.last?["notAsked"] as? Int == 20 - failed)
        let left = result.records.filter {
            ($0["problem"] as? [String: Any])?["code"] as? String == "host-left"
        }
        #expect(left.allSatisfy { $0["source"] == nil && $0["status"] == nil })
        #expect(result.errors.contains("/19: not checked: the host \(reason)"))
    }

    @Test("a clock that was ahead does not block updates", arguments: [[], ["--all"]])
    func ahead(options: [String]) async throws {
        try await LoopbackServer.run { server in
            try holder.add(["1", "2"].map { PassHolder.recipe($0, from: server.url()) })
            server.serve(under: "/v1/passes/") { _ in .status(304) }
            #expect(try holder.update().status == 0)
            try pass(days: -400)
            let again = try holder.update(["--json"] + options)
            #expect(again.records.last?["unchanged"] as? Int == 2)
            #expect(try holder.update(["--json"]).records.last?["asked"] as? Int == 0)
        }
    }

    /// Changes the library as if days had passed.
    private func pass(days: Double) throws {
        let seconds = days * 86_400
        try holder.change(
            "UPDATE updates SET askedAt = askedAt - \(seconds), dueAt = dueAt - \(seconds)")
    }
}
