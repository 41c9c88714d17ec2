internal import Fetching

/// Checks names that a proxy resolves itself: none may belong to the local network, as far as that
/// can be determined here.
struct ProxiedNames: Sendable {
    private let resolver: Resolver

    /// - Parameter resolver: Knows the names of the local network, but possibly no others.
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
            throw FetchFailure(.privateName(host: host))
        }
        // The scheme socks5h asks not to resolve names locally.
        guard proxy.kind == .http else { return }
        let addresses = await resolver.knownAddresses(of: host)
        // The proxy may choose any of the addresses.
        guard let forbidden = addresses.first(where: { !policy.permits($0) }),
            let kind = AddressKind(of: forbidden)
        else { return }
        throw FetchFailure(forbidden: forbidden, kind, target)
    }

    /// Names of local networks: RFC 6761, RFC 6762, RFC 8375, those that ICANN reserves for private
    /// use, and those it does not delegate because networks use them (RFC 6762, appendix G; NCAP);
    /// `fritz.box` is the name of most home routers in Germany. Names without a dot are resolved in
    /// the local domain.
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
        let host = target.address == nil ? target.origin.host : nil
        self.init(.forbiddenAddress(host: host, address: address.description, kind))
    }
}
