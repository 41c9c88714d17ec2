import Fetching
import Foundation
package import MailSource
package import PassDownloads
package import PassStore

/// Requests newer versions of passes from their issuers, and adds those that may replace the
/// current version.
///
/// Safe to kill: requests whose response was not recorded are repeated. A pass is reported as
/// updated only when it is durably in the library.
package struct UpdateRun {
    private let library: PassLibrary
    private let process: FetchProcess
    private let folder: Path
    private let options: UpdateOptions
    private let start = Date()

    /// - Parameter folder: The folder for bodies.
    package init(
        _ library: PassLibrary, _ process: FetchProcess, in folder: Path, _ options: UpdateOptions
    ) {
        self.library = library
        self.process = process
        self.folder = folder
        self.options = options
    }

    /// - Parameters:
    ///   - passes: The passes to request, due or not; nil for all that are due.
    ///   - progress: Called with the number of passes done and the total.
    ///   - report: Called for each pass requested, and for named or unreadable passes.
    package func run(
        only passes: [StoredPass]? = nil, progress: (_ done: Int, _ total: Int) -> Void,
        report: (UpdateReport) throws -> Void
    ) async throws -> UpdateSummary {
        let plan =
            try passes.map { try UpdatePlan(of: $0, in: library, options) }
            ?? UpdatePlan(at: start, in: library, options)
        var requests = UpdateRequests(plan.queue, process, in: folder, options.terms)
        var skipped = SkippedHosts(longest: options.schedule.longest)
        var results = UpdateResults(library, options)
        for report in plan.leftOut { results.leaveOut(report) }
        while true {
            try requests.send()
            if requests.hasNone { break }
            guard let signal = await requests.next() else {
                // Use the responses received so far.
                try await results.settle(leavingAlone: skipped.leftAlone, report)
                throw UpdateRunEnded()
            }
            if let response = requests.take(signal) {
                let host = response.update.service.host
                if skipped.take(response.answer, from: host) {
                    let problem = response.answer == .silent ? UpdateProblem.hostSilent : .hostBusy
                    let rest = requests.skip(host)
                    // Only passes that the user named are reported.
                    for update in rest where passes != nil {
                        results.leaveOut(UpdateReport(update.stored, problem))
                    }
                }
                results.take(response)
            }
            let isPause = if case .pause = signal { true } else { false }
            if isPause || results.areDue {
                try await results.settle(leavingAlone: skipped.leftAlone, report)
            }
            progress(requests.done, plan.total - requests.insecure)
        }
        try await results.settle(leavingAlone: skipped.leftAlone, report)
        var summary = results.summary
        summary.asked = requests.sent
        summary.insecure = requests.insecure
        summary.hostsLeft = skipped.names
        summary.seconds = Date().timeIntervalSince(start)
        return summary
    }
}

/// passconduit-fetch ended unexpectedly.
package struct UpdateRunEnded: Error {}
