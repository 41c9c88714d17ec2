import PassDownloads
import Testing

@Suite("Failed downloads are retried after growing pauses, and never before Retry-After")
struct BackoffTests {
    private static let waits: [(attempt: Int, least: Double, most: Double)] = [
        (1, 0.5, 1), (2, 1, 2), (3, 2, 4), (5, 8, 16), (11, 512, 1024),
    ]

    @Test(
        "The pause doubles, up to a limit, and is randomised over its second half", arguments: waits
    )
    func doubles(attempt: Int, least: Double, most: Double) {
        let backoff = Backoff()
        #expect(backoff.delay(after: attempt, retryAfter: nil, chance: 0) == least)
        #expect(backoff.delay(after: attempt, retryAfter: nil, chance: 1) == most)
    }

    @Test("It never exceeds the limit")
    func isLimited() {
        var backoff = Backoff()
        backoff.longest = 10
        backoff.attempts = .max
        #expect(backoff.delay(after: 1_000_000, retryAfter: nil, chance: 1) == 10)
    }

    @Test("After the maximum number of attempts the download fails")
    func ends() {
        var backoff = Backoff()
        backoff.attempts = 3
        #expect(backoff.delay(after: 2, retryAfter: nil, chance: 0) != nil)
        #expect(backoff.delay(after: 3, retryAfter: nil, chance: 0) == nil)
    }

    @Test("Retry-After is respected", arguments: [0.0, 0.3, 1.0])
    func obeysServers(chance: Double) throws {
        let delay = try #require(Backoff().delay(after: 1, retryAfter: 120, chance: chance))
        #expect(delay >= 120)
        #expect(delay <= 121)
    }
}
