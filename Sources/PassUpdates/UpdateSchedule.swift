package import Foundation
import PassDownloads
package import PassStore

/// When a pass is requested again.
///
/// Wallet gets push notifications; without them, polling is needed. A pass in use is requested
/// hourly. A voided or expired pass is requested rarely, in case the issuer reinstates it. Each
/// time is drawn from the second half of the interval, so that passes added together are not all
/// requested at the same time, and requests do not concentrate on the full hour.
package struct UpdateSchedule: Sendable {
    package var regular = 3600.0
    /// The interval after the relevant date. All intervals are in seconds.
    package var afterwards = 24 * 3600.0
    /// For a voided or expired pass.
    package var outOfForce = 7 * 24 * 3600.0
    /// Upper bound on Retry-After, in seconds.
    package var longest = 7 * 24 * 3600.0
    /// Returns a random number from 0 to 1.
    package var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

    package init() {}

    /// - Parameters:
    ///   - failures: The number of consecutive failures, including this one.
    ///   - isTaken: Whether the body of ``UpdateAnswer/pass`` was accepted.
    /// - Returns: Nil for never.
    package func time(
        after answer: UpdateAnswer, on version: StoredVersion, failures: Int, isTaken: Bool = true,
        now: Date
    ) -> Date? {
        let interval = interval(of: version, now)
        let seconds: Double? =
            switch answer {
            case .unchanged: wait(interval)
            case .pass: isTaken ? wait(interval) : wait(interval, failures, atMost: outOfForce)
            case .refused: nil
            case .missing: wait(max(interval, 24 * 3600), failures, atMost: 30 * 24 * 3600)
            case .busy(let retryAfter):
                wait(interval, failures, atMost: 24 * 3600, retryAfter: retryAfter)
            case .wrong: wait(interval, failures, atMost: 24 * 3600)
            // The cause may be this computer's own network.
            case .silent: wait(interval, failures, atMost: 4 * 3600)
            case .notAsked: wait(interval)
            }
        return seconds.map { now.addingTimeInterval($0) }
    }

    private func interval(of version: StoredVersion, _ now: Date) -> Double {
        let isExpired = version.expirationDate.map { $0 <= now } ?? false
        if isExpired || version.isVoided { return outOfForce }
        // A flight may be a day late.
        let isOver = version.relevantDate.map { $0.addingTimeInterval(2 * 24 * 3600) < now }
        return isOver ?? false ? afterwards : regular
    }

    private func wait(
        _ interval: Double, _ failures: Int = 1, atMost limit: Double = 0,
        retryAfter: Double? = nil
    ) -> Double? {
        var backoff = Backoff()
        backoff.first = interval
        backoff.longest = max(interval, limit)
        backoff.attempts = .max
        return backoff.delay(
            after: min(failures, 100), retryAfter: retryAfter.map { min($0, longest) },
            chance: chance())
    }
}
