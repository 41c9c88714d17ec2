import Fetching
import Foundation
import PassDownloads
import PassModel
import PassStore

/// The state of a run: requests to be sent, requests in progress, and results to be recorded.
struct UpdateWork {
    /// The maximum number of registrations that a run ends.
    private static let mostLeaving = 1000
    /// The time from the start of a run after which it takes news only while passes are due.
    private static let newsTime = Duration.seconds(30)

    var requests: UpdateRequests
    var agenda: UpdateAgenda
    var results: UpdateResults
    var skipped: SkippedHosts
    let library: PassLibrary
    let options: UpdateOptions
    /// Whether to register passes at services that announce their event stream.
    let registers: Bool
    /// Whether to report each pass of a host that is skipped.
    let reportsSkipped: Bool

    /// The passes requested before their service was known to announce its event stream.
    private var late: [PassIdentity] = []
    /// The services that announced their event stream in this run.
    private var announcing: Set<String> = []
    private var done = 0
    private let start = ContinuousClock.now

    init(
        requests: UpdateRequests, agenda: UpdateAgenda, results: UpdateResults,
        skipped: SkippedHosts, library: PassLibrary, options: UpdateOptions, registers: Bool,
        reportsSkipped: Bool
    ) {
        self.requests = requests
        self.agenda = agenda
        self.results = results
        self.skipped = skipped
        self.library = library
        self.options = options
        self.registers = registers
        self.reportsSkipped = reportsSkipped
    }

    var summary: UpdateSummary {
        var summary = results.summary
        summary.requests = requests.sent
        summary.asked = done
        summary.insecure = agenda.insecure
        summary.failedLists = agenda.failed
        summary.hostsLeft = skipped.names
        summary.leftAlone = skipped.leftAlone
        return summary
    }

    /// Sends all requests, and records and reports the responses.
    ///
    /// - Parameter news: Returns the lists that have changed in the meantime.
    mutating func finish(
        total: Int, _ progress: (_ done: Int, _ total: Int) -> Void, news: () -> [ListKey],
        _ report: (UpdateReport) throws -> Void
    ) async throws {
        while true {
            // A service that announces changes all the time must not keep a run from ending.
            if agenda.hasDuePasses || .now - start < UpdateWork.newsTime {
                for key in news() { agenda.add(key) }
            }
            while requests.hasRoom, let request = try agenda.next(requests.hasRoom(for:)) {
                try requests.send(request)
            }
            let unchanged = agenda.takeUnchanged()
            for update in unchanged { results.take(unlisted: update) }
            done += unchanged.count
            if requests.areDone, unchanged.isEmpty { break }
            var isPause = false
            if unchanged.isEmpty {
                guard let signal = await requests.next() else {
                    // Use the responses received so far.
                    try await settle(report)
                    throw UpdateRunEnded()
                }
                if let response = requests.take(signal) { try take(response) }
                isPause = if case .pause = signal { true } else { false }
            }
            if isPause || results.areDue || agenda.needsRecording { try await settle(report) }
            progress(done, total - agenda.insecure)
        }
        try await settle(report)
    }

    private mutating func settle(_ report: (UpdateReport) throws -> Void) async throws {
        for (service, fault) in agenda.takeFaults() { results.take(fault, of: service) }
        try await results.settle(leavingAlone: skipped.leftAlone, report)
        // Record a tag only after the passes of its list.
        try library.keep(agenda.takeNotes())
    }

    private mutating func take(_ response: UpdateResponse) throws {
        switch response {
        case .body(let body):
            done += 1
            // A redirect to another host says nothing about the service.
            if body.response.announcesEvents || !body.isRedirected {
                try noteAnnouncement(body.response.announcesEvents, for: body.update)
            }
        case .notModified(let update, _, let announcesEvents):
            done += 1
            try noteAnnouncement(announcesEvents, for: update)
        case .failed: done += 1
        case .logged(let service, _, let failure?):
            if (400..<500).contains(failure.status ?? 0) {
                try library.postponeLog(
                    of: service, until: .now.addingTimeInterval(30 * 24 * 3600))
            }
        case .listed, .unlisted, .registered, .notRegistered, .unregistered, .notUnregistered,
            .logged:
            break
        }
        results.take(response)
        try agenda.take(response)
        let host = response.host
        if skipped.take(response.answer, from: host) {
            let problem = response.answer == .silent ? UpdateProblem.hostSilent : .hostBusy
            let rest = agenda.leave(host)
            // Only passes that the user named are reported.
            for update in rest where reportsSkipped {
                results.leaveOut(UpdateReport(update.stored, problem))
            }
        }
    }

    private mutating func noteAnnouncement(_ isMade: Bool, for update: PassUpdate) throws {
        guard registers, update.stored.updatesAutomatically,
            let base = update.service.base(of: update.stored.identity)
        else { return }
        switch (isMade, agenda.states.service(of: update)) {
        case (true, nil):
            announcing.insert(base)
            agenda.add(try library.addEventService(base, host: update.service.host))
            late.append(update.stored.identity)
        case (true, _?):
            announcing.insert(base)
            // Requested before the service was known.
            let identity = update.stored.identity
            if update.registration == nil, !agenda.states.wasRegistrationRequested(identity) {
                late.append(identity)
            }
        // During an upgrade, two servers may respond differently.
        case (false, let service?) where !announcing.contains(base):
            agenda.remove(service)
            try library.removeEventService(service)
        case (false, _): break
        }
    }

    /// Registers the passes that were requested before their service was known, and requests them
    /// again.
    mutating func registerLatePasses() throws {
        var updates: [PassUpdate] = []
        for identity in late {
            guard
                let stored = try library.pass(
                    withPassTypeIdentifier: identity.passTypeIdentifier,
                    serialNumber: identity.serialNumber),
                let update = try library.update(of: stored)
            else { continue }
            updates.append(update)
            results.requestedBefore.insert(stored.id)
        }
        done -= updates.count
        late = []
        agenda.add(UpdateQueue(updates))
    }

    /// Ends the registrations of passes that were removed or are no longer updated.
    mutating func unregister(at now: Date) throws {
        try library.markLeavingRegistrations()
        var count = 0
        var last: String?
        while count < UpdateWork.mostLeaving {
            let page = try library.leavingRegistrations(at: now, after: last, limit: 100)
            guard let end = page.last else { return }
            last = end.url
            count += page.count
            for leaving in page where !skipped.names.contains(leaving.service.host) {
                if leaving.isConsistent {
                    agenda.add(.unregister(leaving))
                } else {
                    try library.keep([.ended(leaving)])
                }
            }
        }
    }

    /// Reports the mistakes of services to their logs, at most once a day.
    mutating func report(at now: Date) throws {
        for (source, faults) in results.takeFaults() where !skipped.names.contains(source.host) {
            let messages = faults.compactMap(options.message)
            guard !messages.isEmpty,
                try library.mayLog(
                    to: source.service, host: source.host, at: now,
                    next: now.addingTimeInterval(24 * 3600))
            else { continue }
            agenda.add(.log(messages, service: source.service, host: source.host))
        }
    }
}
