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
    /// A sent request and its response so far.
    struct Asked {
        let update: PassUpdate
        let file: String
        var response: FetchResponse?
    }

    /// The maximum number of responses recorded together, and of bodies verified together.
    static let heldAnswers = 500
    static let heldBodies = 32
    /// The longest time that a response waits to be recorded while others are in progress.
    static let longestHeld = Duration.seconds(1)
    /// The number of consecutive failures to respond after which a run skips a host.
    static let patience = 3

    let library: PassLibrary
    let window: FetchWindow
    let folder: Path
    let options: UpdateOptions
    let start = Date()
    var queue = UpdateQueue([])
    var asked: [Int64: Asked] = [:]
    /// Whether the user named the passes, so that each is reported.
    var isNamed = false
    var silences: [String: Int] = [:]
    /// Hosts not to contact before a time.
    var leftAlone: [String: Date] = [:]
    var bodies: [ArrivedBody] = []
    var notes: [UpdateNote] = []
    var reports: [UpdateReport] = []
    var summary = UpdateSummary()
    var total = 0
    private var settledAt = ContinuousClock.now

    /// - Parameter folder: The folder for bodies.
    package init(
        _ library: PassLibrary, _ process: FetchProcess, in folder: Path, _ options: UpdateOptions
    ) {
        self.library = library
        self.folder = folder
        self.options = options
        var limits = FetchWindow.Limits()
        limits.requests = 16
        limits.requestsToHost = 2
        window = FetchWindow(process, limits)
    }

    /// - Parameters:
    ///   - passes: The passes to request, due or not; nil for all that are due.
    ///   - progress: Called with the number of passes done and the total.
    ///   - report: Called for each pass requested, and for named or unreadable passes.
    package mutating func run(
        only passes: [StoredPass]? = nil, progress: (_ done: Int, _ total: Int) -> Void,
        report: (UpdateReport) throws -> Void
    ) async throws -> UpdateSummary {
        if let passes { try plan(passes) } else { try planDue() }
        while true {
            try ask()
            if window.isEmpty { break }
            guard let signal = await window.next() else {
                // Use the responses received so far.
                try await settle(report)
                throw UpdateRunEnded()
            }
            try take(signal)
            if isTimeToSettle(after: signal) {
                try await settle(report)
                settledAt = .now
            }
            progress(summary.asked - asked.count, total)
        }
        try await settle(report)
        summary.seconds = Date().timeIntervalSince(start)
        return summary
    }

    private func isTimeToSettle(after signal: FetchProcess.Signal) -> Bool {
        if case .pause = signal { return true }
        if notes.count >= UpdateRun.heldAnswers || bodies.count >= UpdateRun.heldBodies {
            return true
        }
        // The time limit applies even while a body arrives slowly, because then there is no pause.
        return settledAt.duration(to: .now) >= UpdateRun.longestHeld
    }
}

/// passconduit-fetch ended unexpectedly.
package struct UpdateRunEnded: Error {}
