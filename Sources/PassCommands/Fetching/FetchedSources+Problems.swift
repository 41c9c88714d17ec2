internal import PassDetection
internal import PassDownloads
internal import PassImport
internal import PassStore

extension FetchedSources {
    /// The problem of a download that did not complete; nil if nothing is wrong.
    func problem(_ absence: DownloadRun.Absence, of download: Download) -> Problem? {
        func problem(_ code: String, _ detail: String, isTemporary: Bool = true) -> Problem {
            Problem(
                source: download.shownURL, code: "fetch-\(code)", detail: detail,
                isTemporary: isTemporary)
        }
        switch absence {
        case .failed(let error):
            return problem(error.code, error.detail, isTemporary: false)
        case .postponed(let error, _):
            return problem(
                error.code,
                keepsQueue
                    ? "\(error.detail); `passconduit downloads resume \(download.id)` goes on with it"
                    : error.detail)
        case .paused:
            return problem(
                "paused",
                "it was paused; `passconduit downloads resume \(download.id)` goes on with it")
        case .cancelled: return problem("cancelled", "it was cancelled", isTemporary: false)
        case .elsewhere: return problem("elsewhere", "another process is fetching it")
        case .finished: return nil
        }
    }
}

extension Download {
    /// The URL without user name and password.
    var shownURL: String { WebURL(contentURL)?.shown ?? contentURL }
}
