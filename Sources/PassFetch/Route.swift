import CCurl
internal import Fetching

/// How a server is reached, under which conditions.
struct Route: Sendable {
    let target: Target
    /// Nil for a direct connection.
    var proxy: Proxy?
    let policy: AddressPolicy
    /// The only addresses to connect to, if they were looked up before.
    var addresses: [HostAddress] = []

    /// The host that ended a transfer or did not answer, for errors. A SOCKS proxy does not tell
    /// its own failures from those of the server.
    func peer(_ result: CurlResult) -> FetchPeer {
        guard let proxy, result.tunnelStatus / 100 != 2 else {
            return .server(target.origin.description)
        }
        return .proxy(proxy.description)
    }

    /// Whether an HTTP proxy forwards the request; it passes on `https:` unread, in a tunnel.
    var isForwarded: Bool { proxy?.speaksHTTP == true && !target.origin.isSecure }

    /// Whether a transfer failed at a proxy, on the secure connection to it.
    func isAtProxy(_ result: CurlResult) -> Bool {
        proxy?.isSecure == true && (isForwarded || result.tunnelStatus == 0)
    }

    /// The host at which a transfer failed, for errors.
    func failingHost(_ result: CurlResult) -> String {
        guard isAtProxy(result), let proxy else { return target.origin.description }
        return proxy.description
    }

    /// A handle that connects on this route, to addresses that the check permits.
    func makeHandle(_ client: Client, _ check: AddressCheck) -> CurlHandle? {
        let configuration = client.configuration
        guard let handle = CurlHandle(client.loop.watchdog) else { return nil }
        handle.permits = { check.permits($0) }
        handle.maySend = { check.permits($0) }
        handle.set(CURLOPT_URL, target.url)
        // `Target` removes dot segments.
        handle.set(CURLOPT_PATH_AS_IS, 1)
        handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        handle.set(CURLOPT_NOSIGNAL, 1)
        // Do not wait for the thread that resolves a host when the transfer is cancelled.
        handle.set(CURLOPT_QUICK_EXIT, 1)
        handle.set(
            CURLOPT_CONNECTTIMEOUT_MS,
            Int(min(configuration.connectTimeout, 1e6) * 1000))
        // An empty text prevents libcurl from reading the variables of the environment.
        handle.set(CURLOPT_PROXY, proxy?.url ?? "")
        handle.set(CURLOPT_NOPROXY, "")
        // As with `curl --proxy-anyauth`: the password is sent in the best way that the proxy
        // offers.
        handle.set(CURLOPT_PROXYAUTH, Int(curl_proxy_authentication))
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if !addresses.isEmpty {
            let list = addresses.map(\.description).joined(separator: ",")
            handle.set(
                CURLOPT_RESOLVE, ["+\(target.origin.host):\(target.origin.port):\(list)"])
            // libcurl finds an earlier connection through a proxy by the name, not by the address.
            handle.set(CURLOPT_FRESH_CONNECT, 1)
        }
        for version in [CURLOPT_SSLVERSION, CURLOPT_PROXY_SSLVERSION] {
            handle.set(version, CURL_SSLVERSION_TLSv1_2)
        }
        handle.set(CURLOPT_CERTINFO, 1)
        // A resumed session need not contain the certificates.
        handle.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        // Either of the two replaces the system's authorities.
        if configuration.authorities != nil || configuration.authorityFolder != nil {
            for file in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] {
                handle.set(file, configuration.authorities)
            }
            for folder in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] {
                handle.set(folder, configuration.authorityFolder)
            }
        } else if SystemAuthorities.areInFolder {
            handle.set(CURLOPT_CAINFO, nil)
            handle.set(CURLOPT_PROXY_CAINFO, nil)
        }
        return handle
    }
}
