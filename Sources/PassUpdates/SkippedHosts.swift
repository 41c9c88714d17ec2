import Foundation

/// The hosts that a run no longer contacts, and how often each of the others failed to respond.
struct SkippedHosts {
    /// The number of consecutive failures to respond after which a run skips a host.
    private static let patience = 3

    /// Upper bound on Retry-After, in seconds.
    private let longest: Double
    private var failures: [String: Int] = [:]
    private(set) var names: [String] = []
    /// Hosts not to contact before a time, even in another run.
    private(set) var leftAlone: [String: Date] = [:]

    init(longest: Double) {
        self.longest = longest
    }

    /// Whether the run skips a host from this answer on.
    mutating func take(_ answer: UpdateAnswer, from host: String) -> Bool {
        switch answer {
        case .busy(let retryAfter?) where retryAfter > 0:
            let time = Date().addingTimeInterval(min(retryAfter, longest))
            leftAlone[host] = max(leftAlone[host] ?? .distantPast, time)
        case .busy, .silent:
            failures[host, default: 0] += 1
            if failures[host, default: 0] < SkippedHosts.patience { return false }
        case .pass, .unchanged, .refused, .missing, .wrong, .notAsked:
            failures[host] = nil
            return false
        }
        if !names.contains(host) { names.append(host) }
        return true
    }
}
