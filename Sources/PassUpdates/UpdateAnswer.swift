package import Fetching

/// The meaning of a web service's response.
///
/// Apple specifies 200 with the pass, and 401; "otherwise, return the appropriate standard HTTP
/// status", and "support standard HTTP caching on this endpoint": 304 (PassKit Web Service
/// Reference, "Getting the Latest Version of a Pass"). Other statuses are defined by RFC 9110.
/// Redirects, even permanent ones, are not stored: `webServiceURL` is signed by the issuer, a
/// redirect is not.
package enum UpdateAnswer: Sendable, Equatable {
    /// 200: a pass, not verified yet.
    case pass
    /// 304. VIOLATIONS.md, H11: 204, which Apple specifies for an empty list of passes.
    case unchanged
    /// 401 and 403: the same token will not be accepted later either (15.5.4). 410: the pass is
    /// gone, probably for good (15.5.11). Not requested again until there is a new version, unless
    /// the user requests it.
    case refused
    /// 404 and similar: possibly temporary, or a mistake of the server. Requested again rarely.
    case missing
    /// 429 and 503: the host must not be contacted for a time, in seconds if given.
    case busy(retryAfter: Double?)
    /// An error for this pass: 500, a redirect loop, a body that is too large.
    case wrong
    /// No response: a DNS, connection or TLS error, or a timeout.
    case silent
    /// Not requested: forbidden by the options, or impossible on this computer.
    case notAsked

    package init(_ failure: FetchFailure) {
        switch failure.code {
        case .status: self.init(status: failure.status ?? 0, retryAfter: failure.retryAfter)
        case .dns, .connection, .tls, .proxy, .timeout: self = .silent
        case .redirect, .size, .cut, .http: self = .wrong
        case .url, .insecure, .address, .file, .ended: self = .notAsked
        }
    }

    private init(status: Int, retryAfter: Double?) {
        switch status {
        case 204, 304: self = .unchanged
        case 401, 403, 410: self = .refused
        case 429, 503: self = .busy(retryAfter: retryAfter)
        // The request may be repeated (15.5.9), or was not processed (RFC 8470).
        case 408, 425: self = .wrong
        case 400...499: self = .missing
        default: self = .wrong
        }
    }
}
