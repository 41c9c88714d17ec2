package import PassStore

/// Why fetching a URL gave no result, or an incomplete one.
package enum FetchProblem: Sendable, Hashable {
    /// The download failed permanently.
    case failed(DownloadError)
    /// The download can be resumed by its number; nil if it is not queued.
    case postponed(DownloadError, download: Int64?)
    /// The user paused the download with this number.
    case paused(download: Int64)
    case cancelled
    /// Another process is fetching the URL.
    case elsewhere
    /// The content is readable but contains no pass.
    case noPass(type: FileType)
    case webPage(title: String?)
    /// The content cannot be read at present.
    case unreadable(DownloadError)
    /// A link that is not followed.
    case link(DownloadError)
    case tooManyLinks
    case longLink

    /// Part of the JSON records, so never change it.
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

    /// Whether a retry may succeed.
    package var isTemporary: Bool {
        switch self {
        case .postponed, .paused, .elsewhere, .unreadable: true
        case .failed, .cancelled, .noPass, .webPage, .link, .tooManyLinks, .longLink: false
        }
    }
}
