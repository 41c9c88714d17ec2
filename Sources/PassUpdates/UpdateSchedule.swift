package import Foundation
import PassDownloads
package import PassStore

/// When a pass is asked about again.
///
/// Wallet waits to be told; who is not told has to ask. A pass that is of use is asked about by the
/// hour, one that nobody needs any more seldom: an issuer may still take back what it withdrew. Each
/// time is drawn from the second half of the time that there is, so that passes which came together
/// are not asked about together for ever, nor at the full hour by everybody.
package struct UpdateSchedule: Sendable {
    package var regular = 3600.0
    /// After the day on which a pass was of use; in seconds, as all here.
    package var afterwards = 24 * 3600.0
    /// Of a pass that is voided or expired.
    package var outOfForce = 7 * 24 * 3600.0
    /// How long no host is waited for longer, whatever it says.
    package var longest = 7 * 24 * 3600.0
    /// From 0 to 1.
    package var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

    package init() {}

    /// - Parameters:
    ///   - failures: How often in a row there was no good answer, this one included.
    ///   - isTaken: Whether what came with ``UpdateAnswer/pass`` was of use.
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
            // That may as well be this computer's own network.
            case .silent: wait(interval, failures, atMost: 4 * 3600)
            case .notAsked: wait(interval)
            }
        return seconds.map { now.addingTimeInterval($0) }
    }

    private func interval(of version: StoredVersion, _ now: Date) -> Double {
        let isExpired = version.expirationDate.map { $0 <= now } ?? false
        if isExpired || version.isVoided { return outOfForce }
        // A flight that is a day late is still one to be told of.
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
