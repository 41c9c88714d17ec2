package import Fetching

/// What the answer of a web service means.
///
/// Apple names 200, with the pass, and 401; "otherwise, return the appropriate standard HTTP status", and
/// "support standard HTTP caching on this endpoint": 304 (PassKit Web Service Reference, "Getting the Latest
/// Version of a Pass"). For the rest RFC 9110 speaks. A redirect is followed each time anew, also a
/// permanent one: `webServiceURL` is in what the issuer signed, and a new place would be nobody's word.
package enum UpdateAnswer: Sendable, Equatable {
    /// 200: a pass, which is still to be judged.
    case pass
    /// 304. Servers say 204 too, which Apple has where a list of passes is empty.
    case unchanged
    /// 401 and 403: the same token would not do at another time (15.5.4). 410: the pass is gone, and
    /// likely for good (15.5.11). Not asked again until there is another version, unless a person asks.
    case refused
    /// 404 and its like: nobody says for how long, and a server may be mistaken. Asked again seldom.
    case missing
    /// 429 and 503: the host is to be left alone, for so many seconds where it says so.
    case busy(retryAfter: Double?)
    /// Something went wrong with this pass: 500, a redirect in circles, a body that is too large.
    case wrong
    /// Nobody answered whom it could be sent to: no name, no connection, no certificate, no word.
    case silent
    /// It was not asked: these options do not allow it, or this computer could not.
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
        // The request may be repeated (15.5.9), or was not acted on (RFC 8470).
        case 408, 425: self = .wrong
        case 400...499: self = .missing
        default: self = .wrong
        }
    }
}
