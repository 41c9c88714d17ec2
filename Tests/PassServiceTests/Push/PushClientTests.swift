import FakeAPNs
import Foundation
import PassFixtures
import PassService
import PassSigning
import Testing

/// Expected: Apple's "Sending notification requests to APNs".
@Suite("Pushes share one HTTP/2 connection, with a certificate or a token")
struct PushClientTests {
    private let site: PushSite

    init() throws {
        site = try PushSite()
    }

    /// Runs a client for a server.
    private func client<Outcome>(
        of server: FakeAPNs, _ credential: PushCredential? = nil, timeout: TimeInterval = 20,
        _ body: (PushClient) async throws -> Outcome
    ) async throws -> Outcome {
        var options = site.options(port: server.port)
        options.timeout = timeout
        let client = try PushClient(credential ?? PushSite.credential(), options)
        do {
            let outcome = try await body(client)
            await client.shutDown()
            return outcome
        } catch {
            await client.shutDown()
            throw error
        }
    }

    private func push(_ client: PushClient, _ number: Int = 1) async -> PushAnswer {
        await client.push(to: token(number), topic: PushSite.type)
    }

    @Test("method, path, fields, body and certificate")
    func request() async throws {
        let time = Date(timeIntervalSince1970: 1_790_000_000.5)
        try await FakeAPNs.run(site.configuration()) { server in
            let answer = try await client(of: server) { client in
                await client.push(to: token(7), topic: PushSite.type, at: time)
            }
            #expect(answer == .final(.delivered))
            let push = try #require(server.pushes.first)
            #expect(push.method == "POST")
            #expect(push.path == "/3/device/\(token(7))")
            #expect(push.body == Array("{}".utf8))
            #expect(push.headers["apns-topic"] == PushSite.type)
            #expect(push.headers["apns-expiration"] == "\(1_790_000_000 + 30 * 86_400)")
            #expect(push.headers["apns-priority"] == "10")
            #expect(push.headers["apns-collapse-id"] != nil)
            #expect(push.headers["apns-push-type"] == nil)
            #expect(push.headers["authorization"] == nil)
            let der = try run(
                [
                    "openssl", "x509", "-outform", "DER", "-in", PushSite.certificate().path,
                ], input: [])
            #expect(push.certificate == der)
        }
    }

    @Test(
        "the answer of the server",
        arguments: [
            (.delivered, .final(.delivered)),
            (.status(400, reason: "BadDeviceToken"), .final(.invalidToken)),
            (
                .status(410, reason: "Unregistered", timestamp: 1_629_483_600_000),
                .final(.unregistered(at: Date(timeIntervalSince1970: 1_629_483_600)))
            ),
            (.status(403, reason: "BadCertificate"), .misconfigured(reason: "BadCertificate")),
            (.status(429, reason: "TooManyRequests"), .busy(reason: "TooManyRequests")),
            (.status(500, reason: "InternalServerError"), .busy(reason: "InternalServerError")),
            (.status(413, reason: "PayloadTooLarge"), .final(.refused(reason: "PayloadTooLarge"))),
            // Longer than any answer of APNs.
            (
                .status(403, reason: String(repeating: "a", count: 5000)),
                .misconfigured(reason: "403")
            ),
        ] as [(FakeAnswer, PushAnswer)])
    func answers(given: FakeAnswer, expected: PushAnswer) async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            server.answer(token(1), given)
            let answer = try await client(of: server) { await push($0) }
            #expect(answer == expected)
        }
    }

    @Test("the pass type of the certificate is the only topic")
    func topics() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            let answer = try await client(of: server) { client in
                await client.push(to: token(1), topic: PushSite.otherType)
            }
            #expect(answer == .misconfigured(reason: "TopicDisallowed"))
            #expect(server.count == 0)
        }
    }

    @Test(
        "only hexadecimal digits become part of a path", arguments: ["", "..", "0/1", "0?1", "é"])
    func tokens(token: String) async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            let answer = try await client(of: server) { client in
                await client.push(to: token, topic: PushSite.type)
            }
            #expect(answer == .final(.invalidToken))
            #expect(server.count == 0)
        }
    }

    @Test("many requests share a connection")
    func streams() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            try await client(of: server) { client in
                #expect(await push(client, 1000) == .final(.delivered))
                for number in 0..<200 { server.answer(token(number), .hang) }
                await withTaskGroup { tasks in
                    for number in 0..<200 { tasks.addTask { _ = await push(client, number) } }
                    try? await server.waits { server.mostAtOnce == 200 }
                    tasks.cancelAll()
                }
                #expect(server.mostAtOnce == 200)
                #expect(server.connections == 1)
            }
        }
    }

    private func isUnreachable(_ answer: PushAnswer) -> Bool {
        if case .unreachable = answer { true } else { false }
    }

    @Test("after an unanswered request or a closed connection, the client connects again")
    func failures() async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            server.answer(token(1), .hang)
            server.answer(token(2), .close)
            server.answer(token(3), .goAway)
            try await client(of: server, timeout: 1) { client in
                for number in 1...3 {
                    #expect(isUnreachable(await push(client, number)))
                    var answer = await push(client, number)
                    // The client may learn a little later that the connection is closed.
                    for _ in 0..<100 where isUnreachable(answer) {
                        try await Task.sleep(for: .milliseconds(10))
                        answer = await push(client, number)
                    }
                    #expect(answer == .final(.delivered))
                }
            }
            // An unanswered request does not end its connection.
            #expect(server.connections == 3)
        }
    }

    @Test(
        "an endless answer is given up at the timeout, and its stream is freed",
        .timeLimit(.minutes(1)),
        arguments: [FakeAnswer.headOnly(200), .headOnly(410), .endless(200), .endless(403)])
    func endless(answer: FakeAnswer) async throws {
        var configuration = try site.configuration()
        configuration.streams = 2
        try await FakeAPNs.run(configuration) { server in
            server.answer(token(1), answer, answer)
            try await client(of: server, timeout: 1) { client in
                let start = ContinuousClock.now
                async let first = push(client)
                async let second = push(client)
                #expect(isUnreachable(await first))
                #expect(isUnreachable(await second))
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                #expect((0.9...30).contains(seconds))
                var answer = await push(client, 2)
                // The machine may be slow.
                for _ in 0..<5 where isUnreachable(answer) { answer = await push(client, 2) }
                #expect(answer == .final(.delivered))
            }
        }
    }

    @Test(
        "a cancelled push is not unreachable", arguments: [FakeAnswer.hang, .headOnly(400)])
    func cancelled(answer: FakeAnswer) async throws {
        try await FakeAPNs.run(site.configuration()) { server in
            server.answer(token(1), answer)
            try await client(of: server) { client in
                let task = Task { await push(client) }
                try await server.waits { server.count == 1 }
                task.cancel()
                #expect(await task.value == .cancelled)
            }
        }
    }

    @Test("a server without a certificate of the right name and authority gets no push")
    func servers() async throws {
        let sites = [
            try PushSite(hosts: ["DNS:other.example"]), try PushSite(.stranger),
            try PushSite(.itself), try PushSite(from: "-60d"),
        ]
        for each in sites {
            try await FakeAPNs.run(each.configuration()) { server in
                let answer = try await client(of: server, timeout: 2) { await push($0) }
                #expect(isUnreachable(answer))
                #expect(server.count == 0)
            }
        }
    }

    @Test("a client without a certificate, or with one of another authority, is refused")
    func clients() async throws {
        let credentials = [
            try PushSite.credential(issuer: .otherRoot),
            try PushSite.tokenCredential(PushSite.tokenKey()),
        ]
        try await FakeAPNs.run(site.configuration()) { server in
            for credential in credentials {
                let answer = try await client(of: server, credential, timeout: 2) {
                    await push($0)
                }
                #expect(isUnreachable(answer))
            }
            #expect(server.count == 0)
        }
    }

    @Test("with a key, each request has a token, which is replaced when it expires")
    func providerTokens() async throws {
        let key = try PushSite.tokenKey()
        try await FakeAPNs.run(site.configuration(allowsTokens: true)) { server in
            server.answer(token(2), .status(403, reason: "ExpiredProviderToken"))
            try await client(of: server, PushSite.tokenCredential(key)) { client in
                let before = Int(Date.now.timeIntervalSince1970)
                for number in 1...3 {
                    #expect(await push(client, number) == .final(.delivered))
                }
                let tokens = server.pushes.map { $0.headers["authorization"] ?? "" }
                #expect(tokens.count == 4)
                #expect(tokens[0] == tokens[1] && tokens[1] != tokens[2] && tokens[2] == tokens[3])
                for text in [tokens[0], tokens[2]] {
                    let issued = try ProviderTokenTests.issued(text, key)
                    #expect((before...before + 60).contains(issued))
                }
                // If the clock is wrong, a new token is expired as well.
                server.answerOthers(.status(403, reason: "ExpiredProviderToken"))
                #expect(await push(client) == .misconfigured(reason: "ExpiredProviderToken"))
            }
        }
    }
}
