import Foundation
import PassStore

/// What a loop updates next, and when.
struct LoopPlan {
    /// The shortest time between two runs for passes that are due, in seconds. Runs that a change
    /// in the library starts are not counted.
    private static let spacing = 60.0
    /// The longest time between two such runs.
    private static let longest = 3600.0
    /// The time from a change in the library to a run: changes come in bursts.
    private static let settling = 2.0
    /// The time after which a run that could not begin is tried again.
    private static let retry = 5.0

    /// The lists to request now.
    var changed: Set<ListKey> = []
    /// The lists that did not arrive.
    private var failed: Set<ListKey> = []
    private var failures = 0
    private var retryAt = Date.distantFuture
    private var due = Date.distantPast
    /// The time before which no run begins.
    private var start = Date.distantPast
    /// The services that have lost the registrations of this library.
    private var unknown: Set<EventService> = []

    /// The passes to update now; nil if there is nothing to do.
    mutating func next(at now: Date) -> UpdateRun.Passes? {
        // A clock that is set back must not stop the loop.
        guard start <= now || start > now.addingTimeInterval(LoopPlan.longest) else { return nil }
        if retryAt <= now { changed.formUnion(failed) }
        guard changed.isEmpty else {
            defer { changed = [] }
            return .changed(Array(changed))
        }
        return due <= now || due > now.addingTimeInterval(2 * LoopPlan.longest) ? .due : nil
    }

    mutating func libraryChanged(at now: Date) {
        due = min(due, now.addingTimeInterval(LoopPlan.settling))
    }

    mutating func add(unknown service: EventService, at now: Date) {
        unknown.insert(service)
        due = min(due, now)
    }

    mutating func takeUnknown() -> Set<EventService> {
        defer { unknown = [] }
        return unknown
    }

    /// - Parameter next: When the next pass is due, if any is.
    mutating func finish(
        _ passes: UpdateRun.Passes, _ summary: UpdateSummary, next: Date?, at now: Date
    ) {
        if summary.failedLists.isEmpty {
            failures = 0
            retryAt = .distantFuture
        } else {
            failures += 1
            retryAt = now.addingTimeInterval(min(5 * pow(2, Double(min(failures, 10))), 300))
        }
        failed = summary.failedLists
        let soonest = now.addingTimeInterval(LoopPlan.spacing)
        let latest = now.addingTimeInterval(LoopPlan.longest)
        due = min(max(next ?? latest, soonest), latest)
    }

    mutating func postpone(_ passes: UpdateRun.Passes, at now: Date) {
        if case .changed(let keys) = passes { changed.formUnion(keys) }
        start = now.addingTimeInterval(LoopPlan.retry)
    }
}
