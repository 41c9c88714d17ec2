internal import Fetching
package import PassDownloads
public import PassStore

extension DownloadError: Worded {
    public var phrase: Phrase {
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
        case .contents(_, let text): .verbatim(text)
        }
    }
}

extension Download {
    /// Why the download failed or waits, or its outcome; nil if there is nothing to report.
    package var reason: Phrase? {
        if let error { return error.phrase }
        switch outcome {
        case nil, "": return nil
        case "no pass": return Phrase("no pass")
        case "a page with links": return Phrase("a page with links")
        case let outcome?: return .verbatim(outcome)
        }
    }
}
