import PassUpdates
import Synchronization
import Testing

@Suite("A suspension of the computer is noticed by the difference of two clocks")
struct SuspensionDetectorTests {
    /// Two clocks that the test sets.
    private final class Clocks: Sendable {
        private let times = Mutex((continuous: Duration.seconds(1000), suspending: Duration.zero))

        var continuous: Duration { times.withLock(\.continuous) }
        var suspending: Duration { times.withLock(\.suspending) }

        func pass(_ seconds: Double, suspended: Double = 0) {
            times.withLock {
                $0.continuous += .seconds(seconds) + .seconds(suspended)
                $0.suspending += .seconds(seconds)
            }
        }
    }

    @Test("once, if it is longer than two seconds")
    func suspensions() {
        let clocks = Clocks()
        var detector = SuspensionDetector(
            continuous: { clocks.continuous }, suspending: { clocks.suspending })
        #expect(detector.suspension() == nil)
        clocks.pass(3600)
        #expect(detector.suspension() == nil)
        clocks.pass(1, suspended: 2)
        #expect(detector.suspension() == nil)
        clocks.pass(1, suspended: 1)
        #expect(detector.suspension() == .seconds(3))
        #expect(detector.suspension() == nil)
        clocks.pass(10, suspended: 8 * 3600)
        #expect(detector.suspension() == .seconds(8 * 3600))
        clocks.pass(10)
        #expect(detector.suspension() == nil)
    }

    @Test("not by the clocks of a computer that runs")
    func running() async throws {
        var detector = SuspensionDetector()
        #expect(detector.suspension() == nil)
        try await Task.sleep(for: .milliseconds(50))
        #expect(detector.suspension() == nil)
    }
}
