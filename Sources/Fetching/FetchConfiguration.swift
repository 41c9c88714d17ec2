/// The settings of all requests: the first line of input to `passconduit-fetch`.
package struct FetchConfiguration: Sendable, Equatable, Codable {
    package var maximumRedirects = 10
    /// The timeout for connecting to one address, in seconds.
    package var connectTimeout = 10.0
    /// The timeout between two reads, in seconds.
    package var idleTimeout = 60.0
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
}
