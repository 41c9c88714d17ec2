/// What may be fetched, and how: the first line of what `passconduit-fetch` reads.
package struct FetchConfiguration: Sendable, Equatable, Codable {
    /// Whether `http:` is fetched too, where anybody on the way can read and change what comes.
    package var allowsHTTP = false
    /// Whether addresses of this computer and of networks like one's own are connected to.
    package var allowsPrivateAddresses = false
    /// The value of User-Agent.
    package var userAgent = "passconduit"
    package var maximumRedirects = 10
    /// How long one address may take to answer, in seconds.
    package var connectTimeout = 10.0
    /// How long nothing may come, in seconds.
    package var idleTimeout = 60.0
    /// How long one body may take altogether, in seconds.
    package var totalTimeout = 3600.0
    /// The values of the variables that name proxies, by their lower-case names: `https_proxy`,
    /// `http_proxy`, `all_proxy`, `no_proxy`.
    package var proxies: [String: String] = [:]
    /// A file of authorities in place of the system's (`SSL_CERT_FILE`).
    package var authorities: String?
    /// A folder of authorities in place of the system's (`SSL_CERT_DIR`).
    package var authorityFolder: String?

    package init() {}
}
