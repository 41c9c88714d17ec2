/// The delays between attempts.
package struct Backoff: Sendable {
    /// The delay after the first failure, in seconds; it doubles with each further one.
    package var first = 1.0
    /// In seconds.
    package var longest = 6 * 3600.0
    /// The number of attempts before giving up.
    package var attempts = 12

    package init() {}

    /// Like ``delay(after:retryAfter:chance:)``, but never gives up.
    package func delayWithoutEnd(after attempt: Int, retryAfter: Double?, chance: Double) -> Double
    {
        delay(after: min(attempt, attempts - 1), retryAfter: retryAfter, chance: chance) ?? longest
    }

    /// - Parameters:
    ///   - attempt: The number of attempts so far, from 1.
    ///   - retryAfter: The delay requested by the server, in seconds.
    ///   - chance: A random number from 0 to 1, which spreads the attempts of many downloads that
    ///     failed together.
    /// - Returns: The delay in seconds; nil to give up.
    package func delay(after attempt: Int, retryAfter: Double?, chance: Double) -> Double? {
        guard attempt < attempts else { return nil }
        var delay = first
        for _ in 1..<max(attempt, 1) where delay < longest { delay *= 2 }
        delay = min(delay, longest) * (0.5 + chance / 2)
        // Not before the requested time, and spread after it.
        return max(delay, (retryAfter ?? 0) + delay * chance / 4)
    }
}
