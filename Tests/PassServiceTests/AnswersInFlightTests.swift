import Testing

@testable import PassService

@Suite("The memory for answers being sent is limited")
struct AnswersInFlightTests {
    private var answers: AnswersInFlight {
        var limits = ServiceLimits()
        limits.answerBytes = 100
        return AnswersInFlight(limits)
    }

    @Test("an answer beyond the limit is refused, until another one was sent")
    func limits() {
        let answers = answers
        let first = answers.reserve(60)
        #expect(first != nil)
        for _ in 1...3 {
            let second = answers.reserve(40)
            #expect(second != nil)
            #expect(answers.reserve(1) == nil)
            withExtendedLifetime(second) {}
        }
        withExtendedLifetime(first) {}
    }

    @Test("an answer that exceeds the limit is sent if it is the only one")
    func only() {
        let answers = answers
        let large = answers.reserve(1000)
        #expect(large != nil)
        #expect(answers.reserve(1) == nil)
        withExtendedLifetime(large) {}
    }
}
