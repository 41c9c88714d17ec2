internal import Fetching

/// The proxy for a server from the environment, as curl reads it (curl(1), ENVIRONMENT).
struct ProxyChoice {
    private let variables: [String: String]

    init(_ variables: [String: String]) {
        self.variables = variables.filter { !$0.value.isEmpty }
    }

    /// The proxy for a server; nil for a direct connection.
    func proxy(for origin: Origin) throws(FetchFailure) -> Proxy? {
        let name = origin.isSecure ? "https_proxy" : "http_proxy"
        guard let value = variables[name] ?? variables["all_proxy"], !isExcepted(origin.host)
        else { return nil }
        return try Proxy(value)
    }

    /// Whether no_proxy lists the host. A single `*` matches all hosts. Names include their
    /// subdomains; addresses may have a prefix length. Ports are ignored.
    private func isExcepted(_ host: String) -> Bool {
        guard let list = variables["no_proxy"] else { return false }
        if list == "*" { return true }
        let address = HostAddress(numeric: host)
        return list.split { $0 == "," || $0 == " " || $0 == "\t" }.contains { token in
            if let address { return covers(token, address) }
            return covers(token.lowercased(), host)
        }
    }

    private func covers(_ token: String, _ host: String) -> Bool {
        var name = token[...]
        if name.hasSuffix(".") { name.removeLast() }
        if name.hasPrefix(".") { name.removeFirst() }
        return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
    }

    private func covers(_ token: Substring, _ address: HostAddress) -> Bool {
        var text = String(token)
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        // curl treats /0 as a full match.
        if text.hasSuffix("/0") { text.removeLast(2) }
        return AddressBlock(text)?.contains(address) ?? false
    }
}
