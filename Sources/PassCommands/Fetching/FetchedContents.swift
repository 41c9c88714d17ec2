internal import PassDownloads
internal import PassImport
internal import PassStore
internal import PassVerification

/// Counts what a fetched file contained.
struct FetchedContents {
    /// Number of passes by the raw value of their import outcome or verdict.
    var passes: [String: Int] = [:]
    var messages = 0
    /// Whether a pass outside of messages was refused.
    var hasRefusals = false
    var problems = 0
    /// An error of the system, after which the file should be read again.
    var failure: DownloadError?
    /// Whether the content is examined elsewhere, so that "no pass" must not be reported.
    var isUnknown = false

    mutating func count(_ event: Event) {
        switch event {
        case .pass(let found):
            let outcome = found.imported?.rawValue ?? found.verification.verdict.rawValue
            passes[outcome, default: 0] += 1
            if event.refusedSource != nil { hasRefusals = true }
            if let error = found.fileError { failure = DownloadError(.unreadable(error)) }
        case .problem(let problem):
            problems += 1
            if let error = problem.fileError { failure = DownloadError(.unreadable(error)) }
        case .link: break
        }
    }

    var isNothing: Bool { passes.isEmpty && messages == 0 && problems == 0 && !isUnknown }

    var outcome: DownloadOutcome { .passes(passes) }
}
