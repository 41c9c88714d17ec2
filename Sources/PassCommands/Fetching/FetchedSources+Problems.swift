internal import PassDownloads
internal import PassImport
internal import PassLinks
internal import PassPresentation
internal import PassStore

extension FetchedSources {
    /// The problem of a download that did not complete; nil if nothing is wrong.
    func problem(_ absence: DownloadRun.Absence, of download: Download) -> ReportedProblem? {
        let problem: FetchProblem? =
            switch absence {
            case .failed(let error): .failed(error)
            case .postponed(let error, _):
                .postponed(error, download: keepsQueue ? download.id : nil)
            case .paused: .paused(download: download.id)
            case .cancelled: .cancelled
            case .elsewhere: .elsewhere
            case .finished: nil
            }
        return problem.map { ReportedProblem(source: download.shownURL, $0) }
    }
}

extension ReportedProblem {
    init(
        source: String, message: MessageReference? = nil, part: String? = nil,
        _ problem: FetchProblem
    ) {
        self.init(
            source: source, message: message, part: part, code: problem.code,
            problem.phrase, isTemporary: problem.isTemporary)
    }
}

extension Download {
    /// The URL without user name and password.
    var shownURL: String { WebURL(contentURL)?.shown ?? contentURL }
}
