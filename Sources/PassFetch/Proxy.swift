import CCurl
internal import Fetching

/// A proxy server.
struct Proxy: Hashable, Sendable, CustomStringConvertible {
    /// As libcurl takes it, with user name and password.
    let url: String
    let host: String
    let port: Int
    /// Whether the proxy speaks HTTP, not SOCKS.
    let speaksHTTP: Bool
    /// Whether the connection to the proxy uses TLS.
    let isSecure: Bool
    /// Whether the proxy resolves host names. The scheme `socks5h` asks not to resolve them locally
    /// at all.
    let resolution: Resolution

    enum Resolution: Sendable {
        case local, byProxy, byProxyAlone
    }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Parses the value of a proxy variable as curl does:
    /// `[SCHEME://][USER:PASSWORD@]HOST[:PORT][/...]`.
    init(_ text: String) throws(FetchFailure) {
        guard let parts = CurlURL(text.contains("://") ? text : "http://\(text)"),
            let url = parts[CURLUPART_URL], let scheme = parts[CURLUPART_SCHEME]?.lowercased(),
            let host = parts.host, !host.isEmpty
        else { throw FetchFailure(.proxyWithoutHost) }
        self.url = url
        switch scheme {
        case "http", "https", "socks4a": resolution = .byProxy
        case "socks4", "socks5": resolution = .local
        case "socks5h": resolution = .byProxyAlone
        default: throw FetchFailure(.unknownProxyScheme(String(scheme.prefix(20))))
        }
        speaksHTTP = scheme.hasPrefix("http")
        isSecure = scheme == "https"
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let port = parts[CURLUPART_PORT].flatMap { Int($0) }
        guard port != 0 else { throw FetchFailure(.proxyWithoutHost) }
        self.port = port ?? (scheme == "https" ? 443 : 1080)
    }
}
