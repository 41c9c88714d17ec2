internal import PassDownloads
internal import PassImport
internal import PassPresentation
internal import PassStore
internal import PassVerification

/// Counts what a fetched file contained.
struct FetchedContents {
    /// Number of passes by outcome.
    var passes: [String: Int] = [:]
    var messages = 0
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
            let reason = found.verification.reasons.first { $0.code == "unreadable" }
            if let reason {
                failure = DownloadError(.contents(code: reason.code, text: reason.phrase.english))
            }
        case .problem(let problem):
            problems += 1
            guard problem.isTemporary else { return }
            failure = DownloadError(
                .contents(code: problem.code, text: problem.kind.phrase.english))
        case .link: break
        }
    }

    var isNothing: Bool { passes.isEmpty && messages == 0 && problems == 0 && !isUnknown }

    var inWords: String {
        if passes.isEmpty { return "no pass" }
        return passes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            .joined(separator: ", ")
    }
}
