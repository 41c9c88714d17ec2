import PassDownloads
import Testing

@Suite("What failed is tried again later each time, and not before a server wants it")
struct BackoffTests {
    private static let waits: [(attempt: Int, least: Double, most: Double)] = [
        (1, 0.5, 1), (2, 1, 2), (3, 2, 4), (5, 8, 16), (11, 512, 1024),
    ]

    @Test(
        "The wait doubles, up to a limit, and is spread over its second half", arguments: waits)
    func doubles(attempt: Int, least: Double, most: Double) {
        let backoff = Backoff()
        #expect(backoff.delay(after: attempt, retryAfter: nil, chance: 0) == least)
        #expect(backoff.delay(after: attempt, retryAfter: nil, chance: 1) == most)
    }

    @Test("It is never longer than the limit")
    func isLimited() {
        var backoff = Backoff()
        backoff.longest = 10
        backoff.attempts = .max
        #expect(backoff.delay(after: 1_000_000, retryAfter: nil, chance: 1) == 10)
    }

    @Test("After so many attempts it is given up")
    func ends() {
        var backoff = Backoff()
        backoff.attempts = 3
        #expect(backoff.delay(after: 2, retryAfter: nil, chance: 0) != nil)
        #expect(backoff.delay(after: 3, retryAfter: nil, chance: 0) == nil)
    }

    @Test("Retry-After is obeyed", arguments: [0.0, 0.3, 1.0])
    func obeysServers(chance: Double) throws {
        let delay = try #require(Backoff().delay(after: 1, retryAfter: 120, chance: chance))
        #expect(delay >= 120)
        #expect(delay <= 121)
    }
}
