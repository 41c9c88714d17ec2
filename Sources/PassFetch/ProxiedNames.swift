internal import Fetching

/// Checks names that a proxy resolves itself: none may belong to the local network, as far as that
/// can be determined here.
final class ProxiedNames {
    enum Decision: Equatable {
        /// With the addresses that a proxy must be given instead of the name, if any.
        case permitted([HostAddress])
        case refused(FetchFailure)
        /// The name must be looked up, to ask again with its addresses.
        case unknown
    }

    private struct Known {
        let addresses: [HostAddress]
        let until: ContinuousClock.Instant
    }

    private var known: [String: Known] = [:]

    /// Remembers the addresses of a host for a minute; none if the local network does not know it.
    func note(_ addresses: [HostAddress], of host: String) {
        if known.count >= 256 { known.removeAll() }
        known[host] = Known(addresses: addresses, until: .now + .seconds(60))
    }

    /// The decision for a route with a proxy.
    func decision(_ route: Route) -> Decision {
        guard let proxy = route.proxy, !route.policy.allowsPrivateAddresses else {
            return .permitted([])
        }
        let target = route.target
        if let address = target.address { return decision([address], target, pins: false) }
        let host = target.origin.host
        if proxy.resolution != .local, ProxiedNames.isOfOwnNetwork(host) {
            return .refused(FetchFailure(.privateName(host: host)))
        }
        if proxy.resolution == .byProxyAlone { return .permitted([]) }
        let mayBeEmpty = proxy.resolution != .local
        guard let known = known[host], known.until > .now, mayBeEmpty || !known.addresses.isEmpty
        else { return .unknown }
        return decision(known.addresses, target, pins: proxy.resolution == .local)
    }

    /// The proxy may choose any of the addresses, unless it gets one instead of the name.
    private func decision(
        _ addresses: [HostAddress], _ target: Target, pins: Bool
    ) -> Decision {
        for address in addresses {
            guard let kind = AddressKind(of: address) else { continue }
            return .refused(FetchFailure(forbidden: address, kind, target))
        }
        return .permitted(pins ? addresses : [])
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
