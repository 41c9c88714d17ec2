import Foundation
import PassStore

/// Decides which passes a loop updates next, and when.
struct LoopPlan {
    /// The shortest time between two runs for passes that are due, in seconds. A run after a change
    /// in the library may begin earlier.
    private static let spacing = 60.0
    /// The longest time between two such runs.
    private static let longest = 3600.0
    /// The time from a change in the library to a run: changes come in bursts.
    private static let settling = 2.0
    /// The time after which a run that could not begin is tried again.
    private static let retry = 5.0
    /// The number of lists that may be requested from a host at once, whatever events it sends, and
    /// the time after which one more list may be requested, in seconds.
    private static let mostRequests = 20
    private static let requestInterval = 60.0
    /// The maximum number of retries of a list that failed. A run for passes that are due requests
    /// the list in any case.
    private static let mostRetries = 6
    /// The shortest time between two registrations of all passes of a service, in seconds. It
    /// doubles with each registration.
    private static let registering = 3600.0
    private static let longestRegistering = 24 * 3600.0

    private struct Retry {
        let failures: Int
        /// Not again if it is in the distant future.
        var time: Date
    }

    private struct Loss {
        var time: Date
        /// The shortest time to the next registration of all passes, in seconds.
        var interval: Double
    }

    /// The lists to request as soon as their hosts may be contacted.
    var changed: Set<ListKey> = []
    /// The hosts not to contact, and until when.
    private var leftAlone: [String: Date] = [:]
    /// When all lists of a host may be requested again, by host: each request moves it by
    /// ``requestInterval``.
    private var requests: [String: Date] = [:]
    /// The retries of lists that failed.
    private var retries: [ListKey: Retry] = [:]
    private var due = Date.distantPast
    /// The time before which no run begins.
    private var start = Date.distantPast
    /// The services that have lost the registrations of this library.
    private var unknown: Set<EventService> = []
    /// When services last lost the registrations, by the ID of the service.
    private var lost: [Int64: Loss] = [:]
    private var latest = Date.distantPast

    /// The passes to update now; nil if there is nothing to do.
    mutating func next(at now: Date) -> UpdateRun.Passes? {
        noteTime(now)
        guard start <= now else { return nil }
        // This run also requests the lists that have changed.
        if due <= now { return .due }
        let ready = takeChanged(at: now)
        return ready.isEmpty ? nil : .changed(ready)
    }

    /// The lists to request now.
    mutating func takeChanged(at now: Date) -> [ListKey] {
        for (key, retry) in retries where retry.time <= now {
            changed.insert(key)
            retries[key]?.time = .distantFuture
        }
        let keys = changed
        let ready = keys.filter { mayRequest($0, at: now) }
        changed.subtract(ready)
        return Array(ready)
    }

    /// Forgets all times if the clock was set back: it may have been far ahead.
    private mutating func noteTime(_ now: Date) {
        defer { latest = now }
        guard now < latest.addingTimeInterval(-LoopPlan.spacing) else { return }
        changed.formUnion(retries.keys)
        retries = [:]
        leftAlone = [:]
        lost = [:]
        requests = [:]
        (due, start) = (now, now)
    }

    /// Whether to request a list that has changed. If so, the request counts.
    mutating func mayRequest(_ key: ListKey, at now: Date) -> Bool {
        let host = key.service.host
        if let end = leftAlone[host], end > now { return false }
        // A list that failed waits for its retry.
        if let retry = retries[key], retry.time != .distantFuture, retry.time > now { return false }
        let time = max(requests[host] ?? now, now).addingTimeInterval(LoopPlan.requestInterval)
        let latest = now.addingTimeInterval(
            Double(LoopPlan.mostRequests) * LoopPlan.requestInterval)
        guard time <= latest else { return false }
        requests[host] = time
        return true
    }

    mutating func libraryChanged(at now: Date) {
        due = min(due, now.addingTimeInterval(LoopPlan.settling))
    }

    mutating func add(unknown service: EventService, at now: Date) {
        var interval = LoopPlan.registering
        if let last = lost[service.id] {
            if last.time.addingTimeInterval(last.interval) > now { return }
            // Wait longer for a service that loses registrations repeatedly.
            let isRepeated = last.time.addingTimeInterval(2 * LoopPlan.longestRegistering) > now
            if isRepeated { interval = min(2 * last.interval, LoopPlan.longestRegistering) }
        }
        lost[service.id] = Loss(time: now, interval: interval)
        unknown.insert(service)
        due = min(due, now)
    }

    /// The services that may be asked now to register the passes again.
    func unknownServices(at now: Date) -> [EventService] {
        unknown.filter { service in leftAlone[service.host].map { $0 <= now } ?? true }
    }

    mutating func remove(unknown service: EventService) { unknown.remove(service) }

    /// Notes the lists that a run did not get, and the hosts that asked for a pause.
    ///
    /// - Parameter news: The lists that the run requested since they have changed.
    mutating func note(
        _ summary: UpdateSummary, of passes: UpdateRun.Passes, news: Set<ListKey> = [],
        at now: Date
    ) {
        let failed = summary.failedLists
        var requested = news
        if case .changed(let keys) = passes { requested.formUnion(keys) }
        for key in requested.subtracting(failed) { retries[key] = nil }
        if case .due = passes {
            // The failures of the hourly runs do not start the retries anew.
            retries = retries.filter { key, retry in
                retry.failures <= LoopPlan.mostRetries || failed.contains(key)
            }
        }
        for key in failed {
            let failures = min((retries[key]?.failures ?? 0) + 1, LoopPlan.mostRetries + 1)
            let time = now.addingTimeInterval(5 * pow(2, Double(failures)))
            let isLast = failures > LoopPlan.mostRetries
            retries[key] = Retry(failures: failures, time: isLast ? .distantFuture : time)
        }
        leftAlone.merge(summary.leftAlone) { max($0, $1) }
        leftAlone = leftAlone.filter { $0.value > now }
        requests = requests.filter { $0.value > now }
    }

    /// - Parameter next: When the next pass is due, if any is.
    mutating func finish(_ passes: UpdateRun.Passes, next: Date?, at now: Date) {
        guard case .due = passes else { return }
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
