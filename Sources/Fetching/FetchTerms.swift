/// The conditions of a request.
package struct FetchTerms: Sendable, Hashable, Codable {
    /// Whether `http:` is allowed, which can be read and modified in transit.
    package var allowsHTTP = false
    /// Whether addresses of this computer and of private networks are allowed.
    package var allowsPrivateAddresses = false
    /// The value of User-Agent.
    package var userAgent = "passconduit"
    /// The maximum size of a body, in bytes.
    package var maximumSize = 1 << 30

    package init() {}
}
