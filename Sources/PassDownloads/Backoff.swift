/// How long to wait before something is tried again.
package struct Backoff: Sendable {
    /// After the first failure, in seconds; twice as long after each further one.
    package var first = 1.0
    /// In seconds.
    package var longest = 6 * 3600.0
    /// How often something is tried before it is given up.
    package var attempts = 12

    package init() {}

    /// As ``delay(after:retryAfter:chance:)``, for what is never given up.
    package func delayWithoutEnd(after attempt: Int, retryAfter: Double?, chance: Double) -> Double
    {
        delay(after: min(attempt, attempts - 1), retryAfter: retryAfter, chance: chance) ?? longest
    }

    /// - Parameters:
    ///   - attempt: How often it was tried, from 1.
    ///   - retryAfter: What the server asked for, in seconds.
    ///   - chance: From 0 to 1: many that failed together shall not come back together.
    /// - Returns: In seconds; nil to give up.
    package func delay(after attempt: Int, retryAfter: Double?, chance: Double) -> Double? {
        guard attempt < attempts else { return nil }
        var delay = first
        for _ in 1..<max(attempt, 1) where delay < longest { delay *= 2 }
        delay = min(delay, longest) * (0.5 + chance / 2)
        // Not before the time that was asked for, and somewhat spread behind it.
        return max(delay, (retryAfter ?? 0) + delay * chance / 4)
    }
}
