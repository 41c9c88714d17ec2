import Fetching
import Foundation
package import MailSource
package import PassDownloads
package import PassStore

/// Asks issuers for newer versions of their passes, and takes in those that may stand in front.
///
/// Killed at any moment, nothing is lost: what was asked and not noted is asked again. A pass is reported
/// as updated when it is durably in the library, not before.
package struct UpdateRun {
    /// What was sent, and what came of it so far.
    struct Asked {
        let update: PassUpdate
        let file: String
        var response: FetchResponse?
    }

    /// How many answers are noted together at most, and how many bodies are judged together.
    static let heldAnswers = 500
    static let heldBodies = 32
    /// How long answers wait at most while others are on their way.
    static let longestHeld = Duration.seconds(1)
    /// How often in a row a host may leave a run without an answer.
    static let patience = 3

    let library: PassLibrary
    let window: FetchWindow
    let folder: Path
    let options: UpdateOptions
    let start = Date()
    var queue = UpdateQueue([])
    var asked: [Int64: Asked] = [:]
    /// Whether somebody named the passes, and is told of each.
    var isNamed = false
    var silences: [String: Int] = [:]
    /// Until when hosts want to be left alone.
    var leftAlone: [String: Date] = [:]
    var bodies: [ArrivedBody] = []
    var notes: [UpdateNote] = []
    var reports: [UpdateReport] = []
    var summary = UpdateSummary()
    var total = 0
    private var settledAt = ContinuousClock.now

    /// - Parameter folder: Where the process writes what comes.
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
    ///   - passes: Those to ask about, whether they are due or not; nil for all that are.
    ///   - progress: Is told how many of how many passes are done.
    ///   - report: Is told of each pass that was asked about, and of what was named or cannot be read.
    package mutating func run(
        only passes: [StoredPass]? = nil, progress: (_ done: Int, _ total: Int) -> Void,
        report: (UpdateReport) throws -> Void
    ) async throws -> UpdateSummary {
        if let passes { try plan(passes) } else { try planDue() }
        while true {
            try ask()
            if window.isEmpty { break }
            guard let signal = await window.next() else {
                // The answers that came are still answers.
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
        // A body that comes drop by drop leaves no pause.
        return settledAt.duration(to: .now) >= UpdateRun.longestHeld
    }
}

/// The program that fetches ended before its time.
package struct UpdateRunEnded: Error, CustomStringConvertible {
    package var description: String { "the program that fetches has ended" }
}
