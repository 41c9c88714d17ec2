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
    /// The number of times that a list is requested again. It is requested for passes that are due
    /// in any case.
    private static let mostRetries = 6
    /// The shortest time between two registrations of all passes of a service, in seconds. It
    /// doubles with each.
    private static let registering = 3600.0
    private static let longestRegistering = 24 * 3600.0

    private struct Retry {
        var failures = 0
        var time = Date.distantFuture
    }

    private struct Loss {
        var time: Date
        /// The shortest time to the next registration of all passes, in seconds.
        var interval: Double
    }

    /// The lists to request as soon as their hosts may be contacted.
    var changed: Set<ListKey> = []
    /// The hosts not to contact before a time.
    private var leftAlone: [String: Date] = [:]
    /// The number of requests for each list since a time.
    private var requests: [ListKey: Int] = [:]
    private var requestsSince = Date.distantPast
    /// The lists that did not arrive.
    private var retries: [ListKey: Retry] = [:]
    private var due = Date.distantPast
    /// The time before which no run begins.
    private var start = Date.distantPast
    /// The services that have lost the registrations of this library.
    private var unknown: Set<EventService> = []
    /// When services lost them last, by ID.
    private var lost: [Int64: Loss] = [:]
    private var latest = Date.distantPast

    /// The passes to update now; nil if there is nothing to do.
    mutating func next(at now: Date) -> UpdateRun.Passes? {
        noteTime(now)
        guard start <= now else { return nil }
        for (key, retry) in retries where retry.time <= now {
            changed.insert(key)
            retries[key]?.time = .distantFuture
        }
        let keys = changed
        let ready = keys.filter { mayRequest($0, at: now) }
        guard ready.isEmpty else {
            changed.subtract(ready)
            return .changed(Array(ready))
        }
        return due <= now ? .due : nil
    }

    /// Forgets all times if the clock was set back: it may have been far ahead.
    private mutating func noteTime(_ now: Date) {
        defer { latest = now }
        guard now < latest.addingTimeInterval(-LoopPlan.spacing) else { return }
        changed.formUnion(retries.keys)
        retries = [:]
        leftAlone = [:]
        lost = [:]
        (due, start, requestsSince) = (now, now, .distantPast)
    }

    /// Whether to request a list that has changed. If so, the request counts.
    mutating func mayRequest(_ key: ListKey, at now: Date) -> Bool {
        if let end = leftAlone[key.service.host], end > now { return false }
        if now.timeIntervalSince(requestsSince) >= LoopPlan.requestWindow {
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
        var interval = LoopPlan.registering
        if let last = lost[service.id] {
            if last.time.addingTimeInterval(last.interval) > now { return }
            // A service that loses them again and again.
            let isRepeated = last.time.addingTimeInterval(2 * LoopPlan.longestRegistering) > now
            if isRepeated { interval = min(2 * last.interval, LoopPlan.longestRegistering) }
        }
        lost[service.id] = Loss(time: now, interval: interval)
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
        if case .changed(let keys) = passes {
            for key in keys where !summary.failedLists.contains(key) { retries[key] = nil }
        }
        for key in summary.failedLists {
            var retry = retries[key] ?? Retry()
            retry.failures += 1
            retry.time = now.addingTimeInterval(5 * pow(2, Double(retry.failures)))
            retries[key] = retry.failures <= LoopPlan.mostRetries ? retry : nil
        }
        leftAlone.merge(summary.leftAlone) { max($0, $1) }
        leftAlone = leftAlone.filter { $0.value > now }
        let soonest = now.addingTimeInterval(LoopPlan.spacing)
        let latest = now.addingTimeInterval(LoopPlan.longest)
        due = min(max(next ?? latest, soonest), latest)
    }

    /// - Parameter news: The lists that changed during a run that failed.
    mutating func postpone(
        _ passes: UpdateRun.Passes, news: Set<ListKey> = [], at now: Date
    ) {
        changed.formUnion(news)
        if case .changed(let keys) = passes { changed.formUnion(keys) }
        start = now.addingTimeInterval(LoopPlan.retry)
    }
}
