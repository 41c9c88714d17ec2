/// The settings of all requests: the first line of input to `passconduit-fetch`.
package struct FetchConfiguration: Sendable, Equatable, Codable {
    package var maximumRedirects = 10
    /// The timeout for looking up a host and connecting to it, in seconds.
    package var connectTimeout = 10.0
    /// The time in which a response must begin, and in which ``minimumRate`` is measured, in
    /// seconds.
    package var idleTimeout = 45.0
    /// The minimum rate of a body, in bytes per second.
    package var minimumRate = 10.0
    /// The timeout for one whole request, in seconds.
    package var totalTimeout = 3600.0
    /// The proxy variables of the environment, by lower-case name: `https_proxy`, `http_proxy`,
    /// `all_proxy`, `no_proxy`.
    package var proxies: [String: String] = [:]
    /// A file of certificate authorities that replaces the system's (`SSL_CERT_FILE`).
    package var authorities: String?
    /// A folder of certificate authorities that replaces the system's (`SSL_CERT_DIR`).
    package var authorityFolder: String?

    package init() {}

    /// The settings with times between a millisecond and 30 years.
    package var withinBounds: FetchConfiguration {
        var bounded = self
        for time in [\Self.connectTimeout, \.idleTimeout, \.totalTimeout] {
            bounded[keyPath: time] = min(max(self[keyPath: time], 0.001), 1e9)
        }
        return bounded
    }
}
