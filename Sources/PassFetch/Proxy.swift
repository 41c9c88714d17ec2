import AsyncHTTPClient
internal import Fetching
internal import Foundation

/// A proxy server.
struct Proxy: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        /// Uses CONNECT even for `http:`, which is the only way AsyncHTTPClient supports. Some
        /// proxies allow CONNECT only to port 443.
        case http
        case socks5
    }

    var kind: Kind
    var host: String
    var port: Int
    /// User name and password for Basic authentication (RFC 7617).
    var credentials: String?
    /// Whether the proxy resolves host names.
    var looksNamesUp: Bool

    var description: String { "\(host):\(port)" }

    /// Parses the value of a proxy variable as curl does:
    /// `[SCHEME://][USER:PASSWORD@]HOST[:PORT][/...]`.
    init(_ text: String) throws(FetchFailure) {
        let slashes = text.range(of: "://")
        let scheme = slashes.map { text[..<$0.lowerBound].lowercased() } ?? "http"
        let rest = slashes.map { text[$0.upperBound...] } ?? text[...]
        switch scheme {
        case "http": (kind, looksNamesUp) = (.http, true)
        case "socks5": (kind, looksNamesUp) = (.socks5, false)
        case "socks5h": (kind, looksNamesUp) = (.socks5, true)
        default:
            throw FetchFailure(.unknownProxyScheme(String(scheme.prefix(20))))
        }
        guard let url = URLComponents(string: "http://\(rest)"),
            let host = url.encodedHost, !host.isEmpty, 1...65535 ~= url.port ?? 1080
        else { throw FetchFailure(.proxyWithoutHost) }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = url.port ?? 1080
        if url.user != nil || url.password != nil {
            guard kind == .http else { throw FetchFailure(.socksCredentials) }
            let pair = "\(url.user ?? ""):\(url.password ?? "")"
            credentials = Data(pair.utf8).base64EncodedString()
        }
    }
}

extension HTTPClient.Configuration.Proxy {
    init(_ proxy: Proxy) {
        switch proxy.kind {
        case .socks5: self = .socksServer(host: proxy.host, port: proxy.port)
        case .http:
            self = .server(
                host: proxy.host, port: proxy.port,
                authorization: proxy.credentials.map { .basic(credentials: $0) })
        }
    }
}
