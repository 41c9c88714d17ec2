package import Foundation

/// Exponential back-off with jitter, so that requests that fail together are not retried together.
package struct BackOff: Sendable {
    /// The upper bound of the delay after the first failure, in seconds.
    package var first: TimeInterval
    /// The upper bound of any delay, in seconds.
    package var cap: TimeInterval

    package init(first: TimeInterval, cap: TimeInterval) {
        self.first = first
        self.cap = cap
    }

    /// A random delay before the next attempt, in seconds, between half of the upper bound and the
    /// upper bound, which doubles with each failure.
    ///
    /// - Parameter failures: The number of failures, at least 1.
    package func delay(after failures: Int) -> TimeInterval {
        let doublings = Double(min(max(failures, 1), 64) - 1)
        return min(first * exp2(doublings), cap) * .random(in: 0.5...1)
    }
}
