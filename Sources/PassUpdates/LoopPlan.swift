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
    /// The maximum number of requests for a list in ten seconds, whatever events a service sends.
    private static let mostRequests = 10
    private static let requestWindow = 10.0
    /// The number of times that lists are requested again, until a run has no failures. They are
    /// requested for passes that are due in any case.
    private static let mostRetries = 6
    /// The shortest time between two registrations of all passes of a service.
    private static let registering = 3600.0

    /// The lists to request as soon as their hosts may be contacted.
    var changed: Set<ListKey> = []
    /// The hosts not to contact before a time.
    private var leftAlone: [String: Date] = [:]
    /// The number of requests for each list since a time.
    private var requests: [ListKey: Int] = [:]
    private var requestsSince = Date.distantPast
    /// The lists that did not arrive.
    private var failed: Set<ListKey> = []
    private var failures = 0
    private var retryAt = Date.distantFuture
    private var due = Date.distantPast
    /// The time before which no run begins.
    private var start = Date.distantPast
    /// The services that have lost the registrations of this library.
    private var unknown: Set<EventService> = []
    /// When services lost them last, by ID.
    private var lost: [Int64: Date] = [:]

    /// The passes to update now; nil if there is nothing to do.
    mutating func next(at now: Date) -> UpdateRun.Passes? {
        // A clock that is set back must not stop the loop.
        guard start <= now || start > now.addingTimeInterval(LoopPlan.longest) else { return nil }
        if retryAt <= now { changed.formUnion(failed) }
        let keys = changed
        let ready = keys.filter { mayRequest($0, at: now) }
        guard ready.isEmpty else {
            changed.subtract(ready)
            return .changed(Array(ready))
        }
        return due <= now || due > now.addingTimeInterval(2 * LoopPlan.longest) ? .due : nil
    }

    /// Whether to request a list that has changed. If so, the request counts.
    mutating func mayRequest(_ key: ListKey, at now: Date) -> Bool {
        if let end = leftAlone[key.service.host], end > now { return false }
        if abs(now.timeIntervalSince(requestsSince)) >= LoopPlan.requestWindow {
            requestsSince = now
            requests = [:]
        }
        guard requests[key, default: 0] < LoopPlan.mostRequests else { return false }
        requests[key, default: 0] += 1
        return true
    }

    mutating func libraryChanged(at now: Date) {
        due = min(due, now.addingTimeInterval(LoopPlan.settling))
    }

    mutating func add(unknown service: EventService, at now: Date) {
        if let last = lost[service.id], last > now.addingTimeInterval(-LoopPlan.registering) {
            return
        }
        lost[service.id] = now
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
        if case .changed(let keys) = passes { failed.subtract(keys) }
        failed.formUnion(summary.failedLists)
        if failed.isEmpty {
            failures = 0
            retryAt = .distantFuture
        } else if !summary.failedLists.isEmpty {
            failures += 1
            retryAt = now.addingTimeInterval(5 * pow(2, Double(min(failures, 10))))
        }
        if failures > LoopPlan.mostRetries { failed = [] }
        leftAlone.merge(summary.leftAlone) { max($0, $1) }
        leftAlone = leftAlone.filter { $0.value > now }
        let soonest = now.addingTimeInterval(LoopPlan.spacing)
        let latest = now.addingTimeInterval(LoopPlan.longest)
        due = min(max(next ?? latest, soonest), latest)
    }

    mutating func postpone(_ passes: UpdateRun.Passes, at now: Date) {
        if case .changed(let keys) = passes { changed.formUnion(keys) }
        start = now.addingTimeInterval(LoopPlan.retry)
    }
}
