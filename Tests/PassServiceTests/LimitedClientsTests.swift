import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import PassFixtures
import Testing

@testable import PassService

@Suite("A client that sends too many requests gets 429")
struct LimitedClientsTests {
    private let store: ServiceStore

    init() async throws {
        store = try await StorePlace().open()
        try await store.publish(try Issuer().pass("E4"))
    }

    private struct Question {
        /// The field X-Forwarded-For.
        var client: String?
        var path = "/v1/passes/\(PassMaker.type)/E4"
        var token = Issuer.token
        /// For POST.
        var body: String?
    }

    /// The answers of one responder.
    private func answers(
        _ questions: [Question], proxies: [String] = ["127.0.0.1"], _ limits: ServiceLimits
    ) async throws -> [TestResponse] {
        let responder = ServiceResponder(
            store, limits: limits, proxies: proxies.compactMap(AddressRange.init),
            page: { _ in DownloadPage(html: "", style: "") })
        return try await Application(responder: responder).test(.live) { client in
            var answers: [TestResponse] = []
            for question in questions {
                var headers: HTTPFields = [.authorization: "ApplePass \(question.token)"]
                headers[try #require(HTTPField.Name("X-Forwarded-For"))] = question.client
                answers.append(
                    try await client.execute(
                        uri: question.path, method: question.body == nil ? .head : .post,
                        headers: headers, body: question.body.map { ByteBuffer(string: $0) }))
            }
            return answers
        }
    }

    /// - Parameter clients: The field X-Forwarded-For of each request.
    private func statuses(
        _ clients: [String?], proxies: [String] = ["127.0.0.1"], _ limits: ServiceLimits
    ) async throws -> [Int] {
        try await answers(clients.map { Question(client: $0) }, proxies: proxies, limits)
            .map(\.status.code)
    }

    @Test("the client is the last address that is not a proxy, and cannot be forged")
    func clients() async throws {
        var limits = ServiceLimits()
        limits.requestsPerMinute = 1
        limits.requestBurst = 2
        let client = "203.0.113.7"
        // The same client in several notations, and behind two proxies.
        #expect(
            try await statuses(
                [client, "1.1.1.1, \(client)", "2.2.2.2,\(client):443", "\(client), 10.0.0.9"],
                proxies: ["127.0.0.1", "10.0.0.0/8"], limits) == [200, 200, 429, 429])
        #expect(
            try await statuses(
                ["[2001:db8::1]:99", "2001:db8::2", "x, 2001:db8::3", "2001:db8:1::1"], limits)
                == [200, 200, 429, 200])
        // Without a forwarded address, the proxy itself is the client.
        #expect(
            try await statuses([nil, "unknown", "", "198.51.100.1"], limits) == [
                200, 200, 429, 200,
            ])
        // The field is ignored from other addresses, and this computer has no limit.
        #expect(
            try await statuses([client, client, client], proxies: ["10.0.0.1"], limits)
                == [200, 200, 200])
        let refused = try #require(
            try await answers(Array(repeating: Question(client: client), count: 3), limits).last)
        #expect(refused.headers[.retryAfter] == "60")
        #expect(refused.body.readableBytes == 0)
    }

    @Test("wrong secrets beyond the limit get 429, and correct ones still work")
    func guesses() async throws {
        var limits = ServiceLimits()
        limits.refusalsPerMinute = 1
        limits.refusalBurst = 2
        let (client, other) = ("203.0.113.7", "203.0.113.8")
        func statuses(right: Question, wrong: [Question]) async throws -> [Int] {
            var elsewhere = wrong[0]
            elsewhere.client = other
            return try await answers(
                [right, wrong[0], wrong[1], wrong[0], right, wrong[1], right, elsewhere], limits
            ).map(\.status.code)
        }
        let right = Question(client: client)
        // A wrong token, and a pass that does not exist.
        let tokens = [
            Question(client: client, token: "wrong"),
            Question(client: client, path: "/v1/passes/\(PassMaker.type)/E5"),
        ]
        #expect(
            try await statuses(right: right, wrong: tokens)
                == [200, 401, 401, 429, 200, 429, 200, 401])
        let key = try #require(try await store.pass(Issuer.identity("E4"))).downloadKey
        let keys = ["\(key)0", "unknown/pass.pkpass"].map {
            Question(client: client, path: "/download/\($0)")
        }
        #expect(
            try await statuses(
                right: Question(client: client, path: "/download/\(key)/pass.pkpass"), wrong: keys)
                == [200, 404, 404, 429, 200, 429, 200, 404])
    }

    @Test("log messages have their own limit, since they require no token")
    func messages() async throws {
        var limits = ServiceLimits()
        limits.logRequestsPerMinute = 1
        limits.logRequestBurst = 2
        let client = "203.0.113.7"
        let message = Question(client: client, path: "/v1/log", body: #"{"logs": ["E4"]}"#)
        var elsewhere = message
        elsewhere.client = "203.0.113.8"
        let answers = try await answers(
            [message, message, message, Question(client: client), elsewhere], limits)
        #expect(answers.map(\.status.code) == [200, 200, 429, 200, 200])
        #expect(answers[2].headers[.retryAfter] == "60")
        #expect(try await store.status().logLines == 3)
    }

    @Test(
        "while the database is unavailable, the response is neither 401 nor 404",
        arguments: [
            (ServiceError.locked("/srv"), 503), (.unavailable("db.example", message: ""), 503),
            (.tooManyDevices(Issuer.identity("E4")), 403),
            (.database(path: "a", message: "b"), 500),
        ])
    func failures(error: ServiceError, status: Int) {
        let response = ServiceResponder(store).response(to: error)
        #expect(response.status.code == status)
        #expect(response.headers[.retryAfter] == (status == 503 ? "30" : nil))
    }
}
