import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import PassFixtures
import Testing

@testable import PassService

@Suite("Too many requests of a client are answered with 429")
struct LimitedClientsTests {
    private let store: ServiceStore
    private let pass = "/v1/passes/\(PassMaker.type)/E4"

    init() async throws {
        store = try await StorePlace().open()
    }

    /// - Parameter forwarded: The field X-Forwarded-For of each request.
    private func statuses(
        _ forwarded: [String?], proxies: [String] = ["127.0.0.1"], token: String = Issuer.token,
        method: HTTPRequest.Method = .head, _ limits: ServiceLimits
    ) async throws -> [Int] {
        try await answers(forwarded, proxies: proxies, token: token, method: method, limits)
            .map(\.status.code)
    }

    private func answers(
        _ forwarded: [String?], proxies: [String] = ["127.0.0.1"], token: String = Issuer.token,
        method: HTTPRequest.Method = .head, _ limits: ServiceLimits
    ) async throws -> [TestResponse] {
        try await store.publish(try Issuer().pass("E4"))
        let responder = ServiceResponder(
            store, limits: limits, proxies: proxies.compactMap(AddressRange.init))
        return try await Application(responder: responder).test(.live) { client in
            var answers: [TestResponse] = []
            for each in forwarded {
                var headers: HTTPFields = [.authorization: "ApplePass \(token)"]
                if let each { headers[try #require(HTTPField.Name("X-Forwarded-For"))] = each }
                answers.append(
                    try await client.execute(uri: pass, method: method, headers: headers))
            }
            return answers
        }
    }

    @Test("the client is the last address that is not a proxy, whatever the client says")
    func clients() async throws {
        var limits = ServiceLimits()
        limits.requestsPerMinute = 1
        limits.requestBurst = 2
        let client = "203.0.113.7"
        // The same client, in any form, and behind two proxies.
        #expect(
            try await statuses(
                [client, "1.1.1.1, \(client)", "2.2.2.2,\(client):443", "\(client), 10.0.0.9"],
                proxies: ["127.0.0.1", "10.0.0.0/8"], limits) == [200, 200, 429, 429])
        #expect(
            try await statuses(
                ["[2001:db8::1]:99", "2001:db8::2", "x, 2001:db8::3", "2001:db8:1::1"], limits)
                == [200, 200, 429, 200])
        // Without an address, the proxy itself is the client.
        #expect(
            try await statuses([nil, "unknown", "", "198.51.100.1"], limits) == [
                200, 200, 429, 200,
            ])
        // The field means nothing from others, and this computer has no limit.
        #expect(
            try await statuses([client, client, client], proxies: ["10.0.0.1"], limits)
                == [200, 200, 200])
        let refused = try #require(try await answers([client, client, client], limits).last)
        #expect(refused.headers[.retryAfter] == "60")
        #expect(refused.body.readableBytes == 0)
    }

    @Test("after some wrong tokens, no token of the client is compared")
    func guesses() async throws {
        var limits = ServiceLimits()
        limits.refusalsPerMinute = 1
        limits.refusalBurst = 2
        let client = "203.0.113.7"
        let wrong = try await statuses(
            [client, client, client, "203.0.113.8"], token: "wrong", limits)
        #expect(wrong == [401, 401, 429, 401])
        let right = try await statuses([client, client, client], limits)
        #expect(right == [200, 200, 200])
    }

    @Test(
        "while the database is away, the answer is neither 401 nor 404",
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
