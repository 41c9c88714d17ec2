import Platform
import Testing

@testable import PassDelivery

@Suite("The steps of a delivery share its deadline")
struct DeliveryLimitsTests {
    @Test(
        "a short step gets a fifth of it, at most half a minute",
        arguments: [(1, 200), (10, 2000), (149, 29_800), (150, 30_000), (300, 30_000)])
    func shortStep(deadline: Int, milliseconds: Int) {
        #expect(DeliveryLimits(deadline: deadline).shortStep == milliseconds)
    }

    @Test(
        "the search ends before the imports, and the imports leave time to test passconduit itself")
    func schedule() {
        let schedule = DeliverySchedule(DeliveryLimits(deadline: 300))
        #expect((29_000...30_000).contains(schedule.search.timeLeft))
        #expect((149_000...150_000).contains(schedule.lastStart.timeLeft))
        #expect((269_000...270_000).contains(schedule.imports.timeLeft))
        #expect((29_000...30_000).contains(schedule.step.timeLeft))
    }
}
