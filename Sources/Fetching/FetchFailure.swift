/// Why a request failed, as `passconduit-fetch` sends it:
/// `{"reason":{"status":{"code":503,"host":"example.com"}},"retryAfter":120}`.
package struct FetchFailure: Error, Sendable, Hashable, Codable {
    /// Stable codes, used in records.
    package enum Code: String, Sendable, Codable, CaseIterable {
        /// Not a URL, or not a supported one.
        case url
        /// `http:` where only `https:` is allowed.
        case insecure
        /// Host name resolution failed.
        case dns
        /// The address is not permitted.
        case address
        /// Connecting failed.
        case connection
        /// The certificate or the TLS handshake failed.
        case tls
        case proxy
        /// A status other than success.
        case status
        case redirect
        case timeout
        case size
        /// The body was cut off.
        case cut
        /// The response is not valid HTTP.
        case http
        /// The file could not be written.
        case file
        /// passconduit-fetch ended.
        case ended
    }

    package let reason: FetchFailureReason
    /// The value of Retry-After, in seconds (RFC 9110, 10.2.3).
    package var retryAfter: Double?

    package init(_ reason: FetchFailureReason, retryAfter: Double? = nil) {
        self.reason = reason
        self.retryAfter = retryAfter
    }

    package var code: Code { reason.code }

    /// Whether a retry may succeed.
    package var isTransient: Bool { reason.isTransient }

    /// The HTTP status, for the code `status`.
    package var status: Int? {
        if case .status(_, let code) = reason { code } else { nil }
    }
}
