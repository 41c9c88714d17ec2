import NIOCore
import Testing

@testable import PassService

@Suite("A client may send a burst of requests, and then as many as its rate allows")
struct RateLimitTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private func client(_ text: String) throws -> ClientAddress {
        try #require(ClientAddress(text)).client
    }

    @Test("the burst, the wait, and the rate")
    func rate() throws {
        let limit = try #require(RateLimit(perMinute: 30, burst: 3))
        let client = try client("203.0.113.7")
        func admit(_ seconds: Int64) -> Int64? {
            limit.admit(client, at: start + .seconds(seconds))
        }
        #expect([0, 0, 0, 0, 1].map(admit) == [nil, nil, nil, 2, 1])
        // One request per two seconds; refused requests do not count.
        #expect([2, 2, 3, 4, 5].map(admit) == [nil, 2, 1, nil, 1])
        // After a pause, a full burst is allowed again, but no more.
        #expect([600, 600, 600, 600].map(admit) == [nil, nil, nil, 2])
        #expect(RateLimit(perMinute: 0, burst: 3) == nil)
    }

    @Test("the addresses of an IPv6 network of 64 bits are one client")
    func networks() throws {
        let limit = try #require(RateLimit(perMinute: 1, burst: 1))
        let answers = try [
            "2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1", "192.0.2.1", "192.0.2.2",
            "::ffff:192.0.2.1",
        ].map { limit.admit(try client($0), at: start) == nil }
        #expect(answers == [true, false, true, true, true, false])
    }

    @Test("other clients never reset a client's limit, and rarely limit each other")
    func manyClients() throws {
        let limit = try #require(RateLimit(perMinute: 1, burst: 2))
        let attacker = try client("198.51.100.1")
        #expect(
            (0..<3).map { _ in limit.admit(attacker, at: start) == nil } == [true, true, false])
        var refused = 0
        for number in 0..<2_000 {
            let other = try client("10.1.\(number / 256).\(number % 256)")
            if limit.admit(other, at: start) != nil { refused += 1 }
        }
        #expect(refused <= 2)
        #expect(limit.admit(attacker, at: start) != nil)
        for number in 0..<100_000 {
            _ = limit.admit(
                try client("10.\(number >> 16).\(number >> 8 & 255).\(number & 255)"), at: start)
        }
        #expect(limit.admit(attacker, at: start) != nil)
    }
}
