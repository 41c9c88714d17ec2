import Testing

@testable import PassService

@Suite("The memory for answers being sent is limited")
struct AnswersInFlightTests {
    private let one = ClientAddress("192.0.2.1")
    private let other = ClientAddress("192.0.2.2")

    private var answers: AnswersInFlight {
        var limits = ServiceLimits()
        (limits.answerBytes, limits.clientAnswerBytes) = (100, 60)
        return AnswersInFlight(limits)
    }

    @Test("per client, and in total")
    func limits() {
        let answers = answers
        let first = answers.reserve(30, for: one)
        let second = answers.reserve(30, for: one)
        #expect(first != nil && second != nil)
        #expect(answers.reserve(1, for: one) == nil)
        let third = answers.reserve(40, for: other)
        #expect(third != nil)
        #expect(answers.reserve(1, for: other) == nil)
        #expect(answers.reserve(1, for: nil) == nil)
        withExtendedLifetime([first, second, third]) {}
    }

    @Test("the memory is released when an answer was sent")
    func release() {
        let answers = answers
        for _ in 1...3 {
            let first = answers.reserve(60, for: one)
            #expect(first != nil)
            #expect(answers.reserve(41, for: other) == nil)
            withExtendedLifetime(first) {}
        }
    }

    @Test("an answer that exceeds the limits is sent if it is the only one")
    func only() {
        let answers = answers
        let large = answers.reserve(1000, for: one)
        #expect(large != nil)
        #expect(answers.reserve(1, for: other) == nil)
        withExtendedLifetime(large) {}
    }
}
