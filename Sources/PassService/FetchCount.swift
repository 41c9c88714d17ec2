internal import NIOCore
internal import Synchronization

/// Counts fetches in memory and stores them in batches, to save a database write per fetch.
final class FetchCount: Sendable {
    private struct Count {
        var unstored = 0
        var stored = NIODeadline.now()
    }
    private let count = Mutex(Count())

    /// Counts a fetch.
    ///
    /// - Returns: The number to store now; 0 if a number was stored within the last 10 seconds.
    func add(at now: NIODeadline = .now()) -> Int {
        count.withLock { count in
            count.unstored += 1
            guard now >= count.stored + .seconds(10) else { return 0 }
            defer { count = Count(stored: now) }
            return count.unstored
        }
    }

    /// Returns the number to store, and resets it.
    func take() -> Int {
        count.withLock { count in
            defer { count.unstored = 0 }
            return count.unstored
        }
    }
}
