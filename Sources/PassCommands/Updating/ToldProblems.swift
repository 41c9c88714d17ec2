internal import Foundation
internal import PassStore
internal import PassUpdates
internal import Synchronization

/// The problems of passes that were reported. Each is reported at most once an hour, however often
/// a service sends an unusable response.
final class ToldProblems: Sendable {
    private struct Problem: Hashable {
        let pass: Int64
        let code: String
    }

    /// In seconds.
    private static let interval = 3600.0
    private let times = Mutex<[Problem: Date]>([:])

    /// Whether this problem was reported in the last hour. If not, records that it is reported now.
    func contains(_ report: UpdateReport, at now: Date) -> Bool {
        guard let code = report.problem?.code else { return false }
        let problem = Problem(pass: report.stored.id, code: code)
        return times.withLock { times in
            if let time = times[problem], abs(now.timeIntervalSince(time)) < ToldProblems.interval {
                return true
            }
            if times.count >= 10_000 { times = [:] }
            times[problem] = now
            return false
        }
    }
}
