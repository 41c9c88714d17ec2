/// Why something was not fetched.
package struct FetchFailure: Error, Sendable, Equatable, Codable {
    /// Stable: records carry it.
    package enum Code: String, Sendable, Codable {
        /// No URL, or one that this program does not fetch.
        case url
        /// `http:` where only `https:` is allowed.
        case insecure
        /// The name is not known.
        case dns
        /// An address that is not to be connected to.
        case address
        /// Nobody answers there.
        case connection
        /// The certificate, or the protocol.
        case tls
        case proxy
        /// An answer other than the body that was asked for.
        case status
        case redirect
        case timeout
        case size
        /// The body ended early.
        case cut
        /// What was sent is not HTTP.
        case http
        /// The file could not be written.
        case file
        /// The program that fetches ended.
        case ended
    }

    package var code: Code
    /// A lower-case clause without a full stop, which may hold what a stranger wrote.
    package var detail: String
    /// Whether trying again may help.
    package var isTransient: Bool
    /// The status, where it is that.
    package var status: Int?
    /// How long the server wants to be left alone, in seconds (RFC 9110, 10.2.3).
    package var retryAfter: Double?

    package init(_ code: Code, _ detail: String, isTransient: Bool = false) {
        self.code = code
        self.detail = detail
        self.isTransient = isTransient
    }
}
