internal import Fetching
package import PassDownloads
internal import PassImport
package import PassStore
internal import PassVerification

extension DownloadError: Worded {
    package var phrase: Phrase {
        if let failure = known { return failure.phrase }
        // Earlier versions stored English text.
        if let text { return .verbatim(text) }
        return Phrase(
            "an error unknown to this version ({name})", ["name": .text(code)])
    }
}

extension DownloadFailure: Worded {
    package var phrase: Phrase {
        switch self {
        case .fetch(let failure): failure.phrase
        case .mismatchedPieces:
            Phrase("the downloaded parts belong to different versions of the file")
        case .unreadable(let error): error.phrase
        }
    }
}

extension Download {
    /// Why the download failed or waits, or its outcome; nil if there is nothing to report.
    package var reason: Phrase? {
        if let error { return error.phrase }
        return outcomePhrase
    }

    /// What the download contained; nil before it is finished.
    package var outcomePhrase: Phrase? {
        guard let outcome, !outcome.isEmpty else { return nil }
        // Earlier versions stored English text.
        return contents?.phrase ?? .verbatim(outcome)
    }
}

extension DownloadOutcome: Worded {
    package var phrase: Phrase {
        switch self {
        case .pageWithLinks: return Phrase("a page with links")
        case .passes(let counts):
            if counts.isEmpty { return Phrase("no pass") }
            let clauses = counts.sorted { $0.key < $1.key }.map { name, count in
                let word = ImportOutcome(rawValue: name)?.phrase ?? Verdict(rawValue: name)?.phrase
                return Phrase.joined(
                    [.verbatim("\(count)"), word ?? .verbatim(name)], separator: " ")
            }
            return .joined(clauses, separator: ", ")
        }
    }
}
