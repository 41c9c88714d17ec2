import Foundation
import PassFixtures
import ServiceLifecycle
import Testing

@testable import PassService

/// Expected: RFC 9112 and the limits that each test sets.
@Suite("A client cannot hold a connection for longer than the limits")
struct ServiceChannelTests {
    private let store: ServiceStore
    private let issuer: Issuer
    private var limits = ServiceLimits()

    init() async throws {
        issuer = try Issuer()
        store = try await StorePlace().open()
        limits.idleSeconds = 1
        limits.bodySeconds = 1
        limits.answerSeconds = 1
        limits.shutdownSeconds = 1
    }

    private func ask(
        _ script: String, _ scenario: String, _ other: ServiceLimits? = nil
    ) async throws -> JSON {
        let limits = other ?? limits
        let responder = ServiceResponder(store, limits: limits)
        return try await Serving.run(responder, limits: limits) { serving in
            try await serving.ask(script, scenario, "\(serving.port)")
        }
    }

    /// Runs scenarios concurrently, since they mostly wait, and returns their results.
    private func ask(
        _ script: String, together scenarios: [String]
    ) async throws -> [String: JSON] {
        let responder = ServiceResponder(store, limits: limits)
        return try await Serving.run(responder, limits: limits) { serving in
            try await withThrowingTaskGroup(of: (String, JSON).self) { group in
                for each in scenarios {
                    group.addTask { (each, try await serving.ask(script, each, "\(serving.port)")) }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
        }
    }

    @Test(
        "an endless body or head is not read",
        arguments: [
            "flood unknown path", "flood unauthorized", "flood log", "flood chunks", "flood head",
            "flood fields",
        ])
    func floods(scenario: String) async throws {
        let result = try await ask("sockets.py", scenario)
        #expect(result.flag("closed"))
        // Most of the bytes sent are in the buffers of the two sockets.
        #expect(result.number("sent") < 20_000_000)
        #expect(result.number("seconds") < 5)
    }

    @Test("an incomplete request is answered, and the connection is closed")
    func earlyAnswers() async throws {
        let expected = [
            "early unknown path": 404.0, "early unauthorized": 401, "early log": 413,
            "early head": 400, "early garbage": 400,
        ]
        let results = try await ask("sockets.py", together: expected.keys.sorted())
        for (scenario, status) in expected {
            let result = try #require(results[scenario])
            #expect(result.number("status") == status, "\(scenario)")
            #expect(result.number("answers") == 1, "\(scenario)")
            #expect(result.text("connection") == "close", "\(scenario)")
            #expect(result.flag("closed"), "\(scenario)")
            #expect(result.number("seconds") < 4, "\(scenario)")
        }
    }

    @Test("sending a byte at a time does not extend the deadline of a request")
    func drips() async throws {
        let scenarios = ["drip head", "drip body", "silent"]
        let results = try await ask("sockets.py", together: scenarios)
        for scenario in scenarios {
            let seconds = try #require(results[scenario]).number("seconds")
            #expect((0.5...3).contains(seconds), "\(scenario)")
        }
    }

    @Test("several requests at once are answered in order")
    func pipelined() async throws {
        let result = try await ask("sockets.py", "pipelined")
        #expect(result.number("answers") == 21)
        #expect(result.flag("closed"))
    }

    @Test("the connection of a client that does not read is closed")
    func unread() async throws {
        let pass = try issuer.pass("E4", picture: 3_000_000)
        try await store.publish(pass)
        let request =
            "GET /v1/passes/\(PassMaker.type)/E4 HTTP/1.1\r\nHost: a\r\n"
            + "Authorization: ApplePass \(Issuer.token)\r\n\r\n"
        let responder = ServiceResponder(store, limits: limits)
        try await Serving.run(responder, limits: limits) { serving in
            async let result = serving.ask(
                "sockets.py", "unread", "\(serving.port)", input: Array(request.utf8))
            #expect(try await serving.has(connections: 1))
            #expect(try await serving.has(connections: 0))
            _ = try await result
        }
    }

    @Test("a connection ends at its maximum age, between two requests")
    func age() async throws {
        var limits = limits
        limits.connectionSeconds = 1
        limits.idleSeconds = 30
        let result = try await ask("sockets.py", "silent", limits)
        #expect(result.flag("closed"))
        #expect((0.5...3).contains(result.number("seconds")))
    }

    @Test("the server stops despite a slow client", arguments: ["drip head", "drip body"])
    func shutdown(scenario: String) async throws {
        var limits = limits
        limits.idleSeconds = 60
        limits.bodySeconds = 60
        let patient = limits
        let responder = ServiceResponder(store, limits: patient)
        let seconds = try await Serving.run(responder, limits: patient) { serving in
            async let result = serving.ask("sockets.py", scenario, "\(serving.port)")
            #expect(try await serving.has(connections: 1))
            await serving.group.triggerGracefulShutdown()
            return try await result.number("seconds")
        }
        #expect(seconds < 3)
    }
}
