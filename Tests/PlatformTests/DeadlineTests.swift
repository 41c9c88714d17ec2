import Testing

@testable import Platform

@Suite("A deadline passes")
struct DeadlineTests {
    @Test("at its time, and is still passed afterwards", arguments: [-1000, 0, 30])
    func passes(milliseconds: Int) throws {
        let deadline = Deadline.after(milliseconds: milliseconds)
        #expect(deadline.timeLeft <= max(0, milliseconds))
        let start = ContinuousClock.now
        while !deadline.hasPassed {}
        #expect(ContinuousClock.now - start > .milliseconds(milliseconds - 5))
        #expect(deadline.timeLeft == 0)
        #expect(deadline < .after(milliseconds: 1))
    }

    @Test("even if it is in the far future")
    func far() {
        let deadline = Deadline.after(milliseconds: 1 << 40)
        #expect(deadline.timeLeft == .max && !deadline.hasPassed)
    }
}
