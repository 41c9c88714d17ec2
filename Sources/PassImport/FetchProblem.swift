package import PassStore

/// Why nothing came of a URL, or not all that there was.
package enum FetchProblem: Sendable, Hashable {
    /// It cannot be fetched, and is not tried again.
    case failed(DownloadError)
    /// It is tried again later, by whoever resumes the download that has this number; nil where nobody can.
    case postponed(DownloadError, download: Int64?)
    /// A person has paused the download with this number.
    case paused(download: Int64)
    case cancelled
    /// Another process is fetching it.
    case elsewhere
    /// What came can be read, and holds no pass: what it is instead, as libmagic names it.
    case noPass(type: String)
    case webPage(title: String?)
    /// What came cannot be read for now.
    case unreadable(DownloadError)
    /// A link that is not followed.
    case link(DownloadError)
    case tooManyLinks
    case longLink

    /// Stable: records carry it.
    package var code: String {
        switch self {
        case .failed(let error), .postponed(let error, _): "fetch-\(error.code)"
        case .paused: "fetch-paused"
        case .cancelled: "fetch-cancelled"
        case .elsewhere: "fetch-elsewhere"
        case .noPass, .webPage: "no-pass"
        case .unreadable(let error): error.code
        case .link, .longLink: "limit-link-size"
        case .tooManyLinks: "limit-links"
        }
    }

    /// Whether trying again may help.
    package var isTemporary: Bool {
        switch self {
        case .postponed, .paused, .elsewhere, .unreadable: true
        case .failed, .cancelled, .noPass, .webPage, .link, .tooManyLinks, .longLink: false
        }
    }
}
