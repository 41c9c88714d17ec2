import PassUpdates
import Testing

@Suite("A stream that ends is opened again after growing delays")
struct StreamBackoffTests {
    @Test("from a second to five minutes, spread over the second half", arguments: [0.0, 0.5, 1])
    func grows(chance: Double) {
        var backoff = StreamBackoff()
        let delays = (0..<12).map { _ in
            backoff.delay(afterStreamOf: .seconds(1), chance: chance)
        }
        let longest: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
        #expect(delays == longest.map { $0 * (0.5 + chance / 2) })
    }

    @Test("from the start after a minute, whatever events it had")
    func resets() {
        var backoff = StreamBackoff()
        func delay(_ seconds: Double) -> Double {
            backoff.delay(afterStreamOf: .seconds(seconds), chance: 1)
        }
        #expect(delay(0) == 1)
        #expect(delay(59.9) == 2)
        #expect(delay(60) == 1)
        #expect(delay(0) == 2)
    }

    @Test("never before Retry-After, which counts up to an hour")
    func retryAfter() {
        var backoff = StreamBackoff()
        #expect(backoff.delay(afterStreamOf: .zero, retryAfter: 120, chance: 0) == 120)
        #expect(backoff.delay(afterStreamOf: .zero, retryAfter: 7200, chance: 0) == 3600)
        let late = backoff.delay(afterStreamOf: .zero, retryAfter: 7200, chance: 1)
        #expect((3600...3610).contains(late))
        #expect(backoff.delay(afterStreamOf: .zero, retryAfter: -5, chance: 1) == 8)
    }

    @Test("after any number of failures")
    func endless() {
        var backoff = StreamBackoff()
        for _ in 0..<100_000 { _ = backoff.delay(afterStreamOf: .zero, chance: 1) }
        #expect(backoff.delay(afterStreamOf: .zero, chance: 1) == 300)
    }
}
