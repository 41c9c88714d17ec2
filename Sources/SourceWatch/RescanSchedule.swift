package import MailSource

/// What is to be read.
package enum Rescan: Sendable, Hashable {
    /// All that the person named.
    case everything
    /// A file, or a folder with all that is in it.
    case tree(Path)
    /// What lies in a folder, and not what lies in the folders in it.
    case folder(Path)
}

/// When to read what: a burst of changes is read once, when it is over or has gone on for long, and
/// most of the time nothing is read at all.
package struct RescanSchedule: Sendable {
    package typealias Instant = ContinuousClock.Instant

    private let timing: WatchTiming
    /// What changed since the last reading began, and when.
    private var changed: Set<Rescan> = []
    private var first: Instant?
    private var last: Instant?
    /// What is to be read again, not before a time.
    private var later: [Rescan: Instant] = [:]
    /// Nothing is read before.
    private var rest: Instant
    /// When everything is to be read.
    private var sweep: Instant
    /// How often in a row what was read could not be kept.
    private var failures = 0
    /// Whether changes are told of in all places.
    private var isTold = true
    private var lastSweep = Duration.zero

    /// Begins with everything.
    package init(_ timing: WatchTiming, at now: Instant) {
        self.timing = timing
        rest = now
        sweep = now
    }

    /// Something changed.
    package mutating func note(_ rescan: Rescan, at now: Instant) {
        changed.insert(rescan)
        first = first ?? now
        last = now
        guard changed.count > timing.places else { return }
        changed = [.everything]
    }

    /// Something is to be read again after a while, for another reason than that it changed.
    package mutating func note(_ rescan: Rescan, again delay: Duration, at now: Instant) {
        later[rescan] = min(later[rescan] ?? now + delay, now + delay)
        guard later.count > timing.places else { return }
        later = [.everything: now + delay]
    }

    /// Whether the system tells of changes everywhere: if not, everything is read more often.
    package mutating func note(isTold: Bool, at now: Instant) {
        guard isTold != self.isTold else { return }
        self.isTold = isTold
        planSweep(from: now)
    }

    /// When the next reading is due.
    package var due: Instant {
        var due = sweep
        if let first, let last {
            due = min(due, last + timing.quiet, first + timing.patience)
        }
        if let next = later.values.min() { due = min(due, next) }
        return max(due, rest)
    }

    /// What is to be read now, in no order; empty before it is due.
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
        // Until it has been read: a reading that fails comes back by itself.
        sweep = now + timing.interval
        return [.everything]
    }

    /// Something was read, and what came of it is kept.
    package mutating func finish(_ rescans: [Rescan], from start: Instant, to end: Instant) {
        failures = 0
        let duration = end - start
        if rescans.contains(.everything) {
            // At its intervals it may take its time.
            lastSweep = duration
            planSweep(from: end)
        } else {
            rest = end + min(duration * timing.restFactor, timing.longestRest)
        }
    }

    /// What was read could not be kept: all of it is to be read again.
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
