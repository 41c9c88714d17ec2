/// Detects that the computer was suspended. A connection may then be dead without an error.
///
/// During a suspension the continuous clock runs (`CLOCK_BOOTTIME`), and the suspending clock stops
/// (`CLOCK_MONOTONIC`).
package struct SuspensionDetector: Sendable {
    /// Shorter suspensions add up.
    private static let shortest = Duration.seconds(2)

    private let continuous: @Sendable () -> Duration
    private let suspending: @Sendable () -> Duration
    /// The total time of suspensions that were reported, or that preceded the detector.
    private var known: Duration

    package init() {
        let (continuous, suspending) = (ContinuousClock.now, SuspendingClock.now)
        self.init(
            continuous: { ContinuousClock.now - continuous },
            suspending: { SuspendingClock.now - suspending })
    }

    /// - Parameters:
    ///   - continuous: Returns the time of a clock that runs during a suspension.
    ///   - suspending: Returns the time of a clock that stops during a suspension.
    package init(
        continuous: @escaping @Sendable () -> Duration,
        suspending: @escaping @Sendable () -> Duration
    ) {
        self.continuous = continuous
        self.suspending = suspending
        known = continuous() - suspending()
    }

    /// The time of suspensions since the last report; nil if it is 2 seconds or less.
    package mutating func suspension() -> Duration? {
        // A pause of the program between the two only makes the difference smaller.
        let now = continuous()
        let total = now - suspending()
        guard total - known > SuspensionDetector.shortest else { return nil }
        defer { known = total }
        return total - known
    }
}
