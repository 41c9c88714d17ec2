internal import Fetching

/// Which names a proxy is asked for that looks them up itself: none of one's own network, as far as that
/// can be known here.
struct ProxiedNames: Sendable {
    private let resolver: Resolver

    /// - Parameter resolver: Knows the names of one's own network, and may not know others.
    init(_ resolver: Resolver) {
        self.resolver = resolver
    }

    func check(
        _ target: Target, _ policy: AddressPolicy, by proxy: Proxy
    ) async throws(FetchFailure) {
        guard !policy.allowsPrivateAddresses else { return }
        if let address = target.address {
            guard let kind = AddressKind(of: address) else { return }
            throw FetchFailure(forbidden: address, kind, target)
        }
        let host = target.origin.host
        if ProxiedNames.isOfOwnNetwork(host) {
            throw FetchFailure(
                .address,
                "\(host) is a name in one's own network, which is not fetched from (--allow-private allows it)"
            )
        }
        // Who writes socks5h: does not want names to be looked up from here.
        guard proxy.kind == .http else { return }
        let addresses = await resolver.knownAddresses(of: host)
        // Which of them is connected to is the proxy's choice.
        guard let forbidden = addresses.first(where: { !policy.permits($0) }),
            let kind = AddressKind(of: forbidden)
        else { return }
        throw FetchFailure(forbidden: forbidden, kind, target)
    }

    /// RFC 6761, RFC 6762, RFC 8375, what ICANN keeps free for networks of one's own, and what it will
    /// not give away because networks use it (RFC 6762, Appendix G; NCAP); `fritz.box` is what the routers
    /// of most German homes call themselves. Names without a dot are looked up in one's own domain.
    private static func isOfOwnNetwork(_ host: String) -> Bool {
        let names = [
            "localhost", "localdomain", "local", "home.arpa", "internal", "lan", "home", "corp",
            "intranet", "private", "fritz.box",
        ]
        return !host.contains(".")
            || names.contains { host == $0 || host.hasSuffix(".\($0)") }
    }
}

extension FetchFailure {
    init(forbidden address: HostAddress, _ kind: AddressKind, _ target: Target) {
        let host = target.origin.host
        let what =
            target.address == nil
            ? "\(host) is \(address), \(kind.rawValue)," : "\(address) is \(kind.rawValue),"
        self.init(.address, "\(what) which is not fetched from (--allow-private allows it)")
    }
}
