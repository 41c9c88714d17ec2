internal import Fetching

/// Which proxy the environment names for a server, as curl understands it (curl(1), ENVIRONMENT).
struct ProxyChoice: Sendable {
    private let variables: [String: String]

    init(_ variables: [String: String]) {
        self.variables = variables.filter { !$0.value.isEmpty }
    }

    /// Nil where the server is spoken to directly.
    func proxy(for origin: Origin) throws(FetchFailure) -> Proxy? {
        let name = origin.isSecure ? "https_proxy" : "http_proxy"
        guard let value = variables[name] ?? variables["all_proxy"], !isExcepted(origin.host)
        else { return nil }
        return try Proxy(value)
    }

    /// A star alone stands for all. Names cover what is beneath them; addresses can have a number of bits
    /// behind a slash. Ports are not looked at.
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
        // No bits are all bits: so does curl.
        if text.hasSuffix("/0") { text.removeLast(2) }
        return AddressBlock(text)?.contains(address) ?? false
    }
}
