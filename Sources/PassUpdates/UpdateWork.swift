import Fetching
import Foundation
import PassDownloads
import PassModel
import PassStore

/// The state of a run: requests to be sent, requests in progress, and results to be recorded.
struct UpdateWork {
    var requests: UpdateRequests
    var agenda: UpdateAgenda
    var results: UpdateResults
    var skipped: SkippedHosts
    let library: PassLibrary
    let options: UpdateOptions
    /// Whether to report each pass of a host that is skipped.
    let reportsSkipped: Bool

    private var done = 0

    init(
        requests: UpdateRequests, agenda: UpdateAgenda, results: UpdateResults,
        skipped: SkippedHosts, library: PassLibrary, options: UpdateOptions, reportsSkipped: Bool
    ) {
        self.requests = requests
        self.agenda = agenda
        self.results = results
        self.skipped = skipped
        self.library = library
        self.options = options
        self.reportsSkipped = reportsSkipped
    }

    var summary: UpdateSummary {
        var summary = results.summary
        summary.requests = requests.sent
        summary.asked = done
        summary.insecure = agenda.insecure
        summary.hostsLeft = skipped.names
        summary.leftAlone = skipped.leftAlone
        return summary
    }

    /// Sends all requests, and records and reports the responses.
    mutating func finish(
        total: Int, _ progress: (_ done: Int, _ total: Int) -> Void,
        _ report: (UpdateReport) throws -> Void
    ) async throws {
        while true {
            while requests.hasRoom, let request = try agenda.next(requests.hasRoom(for:)) {
                try requests.send(request)
            }
            if requests.areDone { break }
            guard let signal = await requests.next() else {
                // Use the responses received so far.
                try await settle(report)
                throw UpdateRunEnded()
            }
            if let response = requests.take(signal) { try take(response) }
            let isPause = if case .pause = signal { true } else { false }
            if isPause || results.areDue { try await settle(report) }
            progress(done, total - agenda.insecure)
        }
        try await settle(report)
    }

    private mutating func settle(_ report: (UpdateReport) throws -> Void) async throws {
        try await results.settle(leavingAlone: skipped.leftAlone, report)
    }

    private mutating func take(_ response: UpdateResponse) throws {
        switch response {
        case .body, .notModified, .failed: done += 1
        case .logged(let source, let failure?) where (400..<500).contains(failure.status ?? 0):
            try library.postponeLog(
                of: source.service, until: .now.addingTimeInterval(30 * 24 * 3600))
        case .logged: break
        }
        results.take(response)
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

    /// Reports the mistakes of services to their logs, at most once a day.
    mutating func report(at now: Date) throws {
        for (source, faults) in results.takeFaults() where !skipped.names.contains(source.host) {
            let messages = faults.compactMap(options.message)
            guard !messages.isEmpty,
                try library.mayLog(
                    to: source.service, host: source.host, at: now,
                    next: now.addingTimeInterval(24 * 3600))
            else { continue }
            agenda.add(.log(messages, source))
        }
    }
}
