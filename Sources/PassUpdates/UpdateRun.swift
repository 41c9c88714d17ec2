import Fetching
import Foundation
package import MailSource
package import PassDownloads
package import PassStore

/// Requests newer versions of passes from their issuers, and adds those that may replace the
/// current version.
///
/// Each pass is requested: registrations, and lists of changed passes, need a push token of
/// Apple's service, which no computer gets.
///
/// Safe to kill: requests whose response was not recorded are repeated. A pass is reported as
/// updated only when it is durably in the library.
package struct UpdateRun {
    /// The passes that a run requests.
    package enum Passes {
        /// Those that are due, or all if the options say so.
        case due
        /// Those that the user named, due or not.
        case named([StoredPass])
    }

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
    ///   - progress: Called with the number of passes done and the total.
    ///   - report: Called for each pass requested, and for named or unreadable passes.
    package func run(
        _ passes: Passes = .due, progress: (_ done: Int, _ total: Int) -> Void,
        report: (UpdateReport) throws -> Void
    ) async throws -> UpdateSummary {
        let plan: UpdatePlan
        var isNamed = false
        switch passes {
        case .due: plan = try UpdatePlan(at: start, in: library, options)
        case .named(let passes):
            plan = try UpdatePlan(of: passes, in: library, options)
            isNamed = true
        }
        var work = UpdateWork(
            requests: UpdateRequests(process, in: folder, options.terms),
            agenda: UpdateAgenda(plan.queue, options), results: UpdateResults(library, options),
            skipped: SkippedHosts(longest: options.schedule.longest), library: library,
            options: options, reportsSkipped: isNamed)
        for report in plan.leftOut { work.results.leaveOut(report) }
        do {
            try await work.finish(total: plan.total, progress, report)
            if try library.updatesAutomatically() {
                try work.report(at: start)
                try await work.finish(total: plan.total, progress, report)
            }
        } catch {
            work.requests.cancel()
            throw error
        }
        var summary = work.summary
        summary.seconds = Date().timeIntervalSince(start)
        return summary
    }
}

/// passconduit-fetch ended unexpectedly.
package struct UpdateRunEnded: Error {}
