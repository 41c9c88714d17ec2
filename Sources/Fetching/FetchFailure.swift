/// Why a request failed.
package struct FetchFailure: Error, Sendable, Equatable, Codable {
    /// Stable codes, used in records.
    package enum Code: String, Sendable, Codable {
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

    package var code: Code
    /// A lower-case clause without a full stop, which may contain untrusted text.
    package var detail: String
    /// Whether a retry may succeed.
    package var isTransient: Bool
    /// The HTTP status, for the code `status`.
    package var status: Int?
    /// The value of Retry-After, in seconds (RFC 9110, 10.2.3).
    package var retryAfter: Double?

    package init(_ code: Code, _ detail: String, isTransient: Bool = false) {
        self.code = code
        self.detail = detail
        self.isTransient = isTransient
    }
}
