package import MailSource

/// A set of files to read again.
package enum Rescan: Sendable, Hashable {
    /// All paths that the user named.
    case everything
    /// A file, or a folder with everything below it.
    case tree(Path)
    /// The files in a folder, without its subfolders.
    case folder(Path)
}

/// Decides what to rescan and when. A burst of changes is read once: when it ends, or after a
/// maximum time.
package struct RescanSchedule: Sendable {
    package typealias Instant = ContinuousClock.Instant

    private let timing: WatchTiming
    /// The changes since the last rescan began, and the times of the first and last.
    private var changed: Set<Rescan> = []
    private var first: Instant?
    private var last: Instant?
    /// Rescans that were postponed, with their earliest times.
    private var later: [Rescan: Instant] = [:]
    /// No rescan before this time.
    private var rest: Instant
    /// The time of the next complete rescan.
    private var sweep: Instant
    /// The number of consecutive failures to store the results.
    private var failures = 0
    /// Whether the system reports changes in all folders.
    private var isTold = true
    private var lastSweep = Duration.zero

    /// Starts with a complete rescan.
    package init(_ timing: WatchTiming, at now: Instant) {
        self.timing = timing
        rest = now
        sweep = now
    }

    /// Records a change.
    package mutating func note(_ rescan: Rescan, at now: Instant) {
        changed.insert(rescan)
        first = first ?? now
        last = now
        guard changed.count > timing.places else { return }
        changed = [.everything]
    }

    /// Schedules a rescan after a delay, independent of changes.
    package mutating func note(_ rescan: Rescan, again delay: Duration, at now: Instant) {
        later[rescan] = min(later[rescan] ?? now + delay, now + delay)
        guard later.count > timing.places else { return }
        later = [.everything: now + delay]
    }

    /// Records whether the system reports changes everywhere; if not, complete rescans are more
    /// frequent.
    package mutating func note(isTold: Bool, at now: Instant) {
        guard isTold != self.isTold else { return }
        self.isTold = isTold
        planSweep(from: now)
    }

    /// The time of the next rescan.
    package var due: Instant {
        var due = sweep
        if let first, let last {
            due = min(due, last + timing.quiet, first + timing.patience)
        }
        if let next = later.values.min() { due = min(due, next) }
        return max(due, rest)
    }

    /// Returns the rescans that are due, in no particular order.
    package mutating func take(at now: Instant) -> [Rescan] {
        guard now >= due else { return [] }
        if now >= sweep { changed.insert(.everything) }
        let isBurstOver = first.map { $0 + timing.patience <= now } ?? false
        let isQuiet = last.map { $0 + timing.quiet <= now } ?? true
        var rescans = changed.contains(.everything) || isQuiet || isBurstOver ? changed : []
        if !rescans.isEmpty { (changed, first, last) = ([], nil, nil) }
        for (rescan, time) in later where time <= now {
            rescans.insert(rescan)
            later[rescan] = nil
        }
        guard rescans.contains(.everything) else { return Array(rescans) }
        later = [:]
        // Postpone the next complete rescan. `finish` sets its time, and `fail` repeats this one.
        sweep = now + timing.interval
        return [.everything]
    }

    /// Records that a rescan has finished and its results are stored.
    package mutating func finish(_ rescans: [Rescan], from start: Instant, to end: Instant) {
        failures = 0
        let duration = end - start
        if rescans.contains(.everything) {
            // Complete rescans have an interval of their own.
            lastSweep = duration
            planSweep(from: end)
        } else {
            rest = end + min(duration * timing.restFactor, timing.longestRest)
        }
    }

    /// Records that the results could not be stored; schedules the rescans again.
    package mutating func fail(_ rescans: [Rescan], at now: Instant) {
        let delay = timing.retry * (1 << min(failures, 16))
        failures += 1
        rest = now + min(delay, timing.longestRetry)
        for rescan in rescans { note(rescan, at: now) }
    }

    private mutating func planSweep(from now: Instant) {
        let interval = isTold ? timing.interval : min(timing.interval, timing.intervalUntold)
        sweep = now + max(interval, lastSweep * timing.sweepFactor)
    }
}
