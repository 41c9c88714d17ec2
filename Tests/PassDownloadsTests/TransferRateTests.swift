import Testing

@testable import PassDownloads

@Suite("The time that is left is told from how fast a body came lately")
struct TransferRateTests {
    private let start = ContinuousClock.now

    @Test("It is unknown before anything came, and where the length is unknown")
    func isUnknown() {
        var rate = TransferRate(at: start)
        #expect(rate.timeRemaining(to: 1000) == nil)
        rate.note(500, at: start + .seconds(1))
        #expect(rate.timeRemaining(to: nil) == nil)
    }

    @Test("At a steady rate it is what is left divided by the rate")
    func isSteady() {
        var rate = TransferRate(from: 1000, at: start)
        for second in 1...5 { rate.note(1000 + second * 100, at: start + .seconds(second)) }
        #expect(rate.timeRemaining(to: 2500) == .seconds(10))
    }

    @Test("What resumed does not count what was there before")
    func leavesOutTheBeginning() {
        var rate = TransferRate(from: 1_000_000, at: start)
        rate.note(1_000_100, at: start + .seconds(1))
        #expect(rate.timeRemaining(to: 1_000_200) == .seconds(1))
    }

    @Test("A body that stands still takes longer and longer, and then nobody knows how long")
    func standsStill() throws {
        var rate = TransferRate(at: start)
        rate.note(1000, at: start + .seconds(1))
        let before = try #require(rate.timeRemaining(to: 2000))
        rate.note(1000, at: start + .seconds(2))
        #expect(try #require(rate.timeRemaining(to: 2000)) > before)
        rate.note(1000, at: start + .seconds(20))
        #expect(rate.timeRemaining(to: 2000) == nil)
    }
}
