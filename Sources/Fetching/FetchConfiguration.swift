/// How everything is fetched: the first line of what `passconduit-fetch` reads.
package struct FetchConfiguration: Sendable, Equatable, Codable {
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
