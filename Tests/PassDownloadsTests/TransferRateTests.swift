import Testing

@testable import PassDownloads

@Suite("The remaining time is estimated from the recent transfer rate")
struct TransferRateTests {
    private let start = ContinuousClock.now

    @Test("It is unknown before the first byte, and if the length is unknown")
    func isUnknown() {
        var rate = TransferRate(at: start)
        #expect(rate.timeRemaining(to: 1000) == nil)
        rate.note(500, at: start + .seconds(1))
        #expect(rate.timeRemaining(to: nil) == nil)
    }

    @Test("At a steady rate it is the remaining size divided by the rate")
    func isSteady() {
        var rate = TransferRate(from: 1000, at: start)
        for second in 1...5 { rate.note(1000 + second * 100, at: start + .seconds(second)) }
        #expect(rate.timeRemaining(to: 2500) == .seconds(10))
    }

    @Test("Resumed bytes do not count towards the rate")
    func leavesOutTheBeginning() {
        var rate = TransferRate(from: 1_000_000, at: start)
        rate.note(1_000_100, at: start + .seconds(1))
        #expect(rate.timeRemaining(to: 1_000_200) == .seconds(1))
    }

    @Test("For a stalled body the estimate grows, and finally becomes unknown")
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
