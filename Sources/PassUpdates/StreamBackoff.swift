import PassDownloads

/// The delays before an event stream is opened again: from a second to five minutes.
package struct StreamBackoff: Sendable {
    /// The end of a stream that was open for longer does not count as a failure.
    private static let steady = Duration.seconds(60)
    /// Upper bound on Retry-After, in seconds.
    private static let longestRetryAfter = 3600.0

    private let backoff: Backoff
    /// The number of consecutive failures.
    private var failures = 0

    package init() {
        var backoff = Backoff()
        backoff.longest = 300
        backoff.attempts = .max
        self.backoff = backoff
    }

    /// The delay after the end of a stream, or after a failure to open it, in seconds.
    ///
    /// - Parameters:
    ///   - lifetime: The time that the stream was open.
    ///   - retryAfter: The delay requested by the server, in seconds.
    ///   - chance: A random number from 0 to 1.
    package mutating func delay(
        afterStreamOf lifetime: Duration, retryAfter: Double? = nil, chance: Double
    ) -> Double {
        // The first event does not prove that a stream works: a server that ends every stream sends
        // it as well.
        if lifetime >= StreamBackoff.steady { failures = 0 }
        failures = min(failures + 1, 100)
        return backoff.delayWithoutEnd(
            after: failures,
            retryAfter: retryAfter.map { min($0, StreamBackoff.longestRetryAfter) },
            chance: chance)
    }
}
