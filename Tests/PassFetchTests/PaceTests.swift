import Testing

@testable import PassFetch

@Suite("A body must arrive at a minimum rate")
struct PaceTests {
    private let start = ContinuousClock.now

    /// The shortfall when `count` bytes arrived evenly in this many seconds, examined every second.
    private func shortfall(_ count: Int, in seconds: Int) -> Int? {
        var pace = Pace(window: 15, rate: 10, from: start)
        for second in 1...seconds {
            let arrived = count * second / seconds
            if let shortfall = pace.shortfall(at: start + .seconds(second), count: arrived) {
                return shortfall
            }
        }
        return nil
    }

    @Test(
        "measured over the window",
        arguments: [(150, 15, nil), (149, 15, 149), (0, 15, 0), (0, 14, nil), (300, 30, nil)]
            as [(Int, Int, Int?)])
    func edge(count: Int, seconds: Int, expected: Int?) {
        #expect(shortfall(count, in: seconds) == expected)
    }

    @Test("a fast beginning does not make up for a later stop")
    func stop() {
        var pace = Pace(window: 15, rate: 10, from: start)
        let shortfalls = (1...20).map { pace.shortfall(at: start + .seconds($0), count: 10_000) }
        #expect(shortfalls.firstIndex { $0 != nil } == 15)
        #expect(shortfalls[15] == 0)
    }
}
