internal import NIOCore
internal import Synchronization

/// Counts fetches, to be stored together: a fetch alone is no reason to write to the database.
final class FetchCount: Sendable {
    private struct Count {
        var unstored = 0
        var stored = NIODeadline.now()
    }
    private let count = Mutex(Count())

    /// Counts a fetch.
    ///
    /// - Returns: The number to store now; 0 if one was stored within the last 10 seconds.
    func add(at now: NIODeadline = .now()) -> Int {
        count.withLock { count in
            count.unstored += 1
            guard now >= count.stored + .seconds(10) else { return 0 }
            defer { count = Count(stored: now) }
            return count.unstored
        }
    }

    /// The number to store.
    func take() -> Int {
        count.withLock { count in
            defer { count.unstored = 0 }
            return count.unstored
        }
    }
}
