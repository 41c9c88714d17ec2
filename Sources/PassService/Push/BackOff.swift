package import Foundation

/// Growing times between attempts, with jitter, so that what failed together is not tried together
/// again.
package struct BackOff: Sendable {
    /// The largest time after the first failure, in seconds.
    package var first: TimeInterval
    /// The largest time after any failure, in seconds.
    package var cap: TimeInterval

    package init(first: TimeInterval, cap: TimeInterval) {
        self.first = first
        self.cap = cap
    }

    /// The time to the next attempt, in seconds: between half of the largest time and that time,
    /// which doubles with each failure.
    ///
    /// - Parameter failures: From 1.
    package func delay(after failures: Int) -> TimeInterval {
        let doublings = Double(min(max(failures, 1), 64) - 1)
        return min(first * exp2(doublings), cap) * .random(in: 0.5...1)
    }
}
