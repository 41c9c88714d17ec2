internal import Fetching

/// The addresses that may be connected to: globally reachable ones, unless more is allowed.
struct AddressPolicy: Sendable {
    let allowsPrivateAddresses: Bool

    init(allowsPrivateAddresses: Bool) {
        self.allowsPrivateAddresses = allowsPrivateAddresses
    }

    init(_ terms: FetchTerms) {
        self.init(allowsPrivateAddresses: terms.allowsPrivateAddresses)
    }

    func permits(_ address: HostAddress) -> Bool {
        allowsPrivateAddresses || AddressKind(of: address) == nil
    }
}

extension AddressKind {
    /// Nil for a globally reachable address.
    init?(of address: HostAddress) {
        if let inner = AddressKind.embedded(in: address) {
            for address in inner {
                guard let kind = AddressKind(of: address) else { continue }
                self = kind
                return
            }
            return nil
        }
        guard let row = AddressKind.registry.first(where: { $0.block.contains(address) }) else {
            // Only global unicast is assigned in IPv6; everything else is reserved (RFC 4291, 2.4).
            guard address.isIPv6, AddressKind.globalUnicast?.contains(address) != true else {
                return nil
            }
            self = .reserved
            return
        }
        guard let kind = row.kind else { return nil }
        self = kind
    }

    /// The IPv4 addresses that an IPv6 address translates to, or tunnels through.
    private static func embedded(in address: HostAddress) -> [HostAddress]? {
        guard let way = translations.first(where: { $0.block.contains(address) }) else {
            return nil
        }
        return way.places.map { index in
            let inner = address.embedded(at: index)
            return way.isInverted ? HostAddress(inner.bytes.map { ~$0 }) : inner
        } + way.plainPlaces.map(address.embedded)
    }

    private struct Translation {
        let block: AddressBlock
        var places: [Int] = []
        var isInverted = false
        var plainPlaces: [Int] = []
    }

    private static let translations: [Translation] = [
        // IPv4-mapped (RFC 4291, 2.5.5.2), NAT64 (RFC 6052), 6to4 (RFC 3056), Teredo (RFC 4380, 4).
        AddressBlock("::ffff:0:0/96").map { Translation(block: $0, places: [12]) },
        AddressBlock("64:ff9b::/96").map { Translation(block: $0, places: [12]) },
        AddressBlock("2002::/16").map { Translation(block: $0, places: [2]) },
        AddressBlock("2001::/32").map {
            Translation(block: $0, places: [12], isInverted: true, plainPlaces: [4])
        },
    ].compactMap(\.self)

    private static let globalUnicast = AddressBlock("2000::/3")

    private struct Row {
        let block: AddressBlock
        let kind: AddressKind?

        init?(_ text: String, _ kind: AddressKind?) {
            guard let block = AddressBlock(text) else { return nil }
            self.block = block
            self.kind = kind
        }
    }

    /// The IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890), with globally
    /// reachable exceptions before the blocks that contain them, and multicast.
    private static let registry: [Row] = [
        Row("0.0.0.0/32", .unspecified),
        Row("0.0.0.0/8", .thisNetwork),
        Row("10.0.0.0/8", .privateUse),
        Row("100.64.0.0/10", .shared),
        Row("127.0.0.0/8", .loopback),
        Row("169.254.0.0/16", .linkLocal),
        // Not in the registries: the source of configuration and certificates for Azure's virtual
        // machines (WireServer), reachable in each of their networks.
        Row("168.63.129.16/32", .platform),
        Row("172.16.0.0/12", .privateUse),
        Row("192.0.0.9/32", nil),
        Row("192.0.0.10/32", nil),
        Row("192.0.0.0/24", .protocols),
        Row("192.0.2.0/24", .documentation),
        Row("192.88.99.0/24", .protocols),
        Row("192.168.0.0/16", .privateUse),
        Row("198.18.0.0/15", .benchmarking),
        Row("198.51.100.0/24", .documentation),
        Row("203.0.113.0/24", .documentation),
        Row("224.0.0.0/4", .multicast),
        Row("255.255.255.255/32", .broadcast),
        Row("240.0.0.0/4", .reserved),

        Row("::1/128", .loopback),
        Row("::/128", .unspecified),
        Row("64:ff9b:1::/48", .protocols),
        Row("100::/64", .protocols),
        Row("100:0:0:1::/64", .protocols),
        Row("2001:1::1/128", nil),
        Row("2001:1::2/128", nil),
        Row("2001:1::3/128", nil),
        Row("2001:2::/48", .benchmarking),
        Row("2001:3::/32", nil),
        Row("2001:4:112::/48", nil),
        Row("2001:20::/28", nil),
        Row("2001:30::/28", nil),
        Row("2001::/23", .protocols),
        Row("2001:db8::/32", .documentation),
        Row("3fff::/20", .documentation),
        Row("5f00::/16", .protocols),
        Row("fc00::/7", .privateUse),
        Row("fe80::/10", .linkLocal),
        Row("ff00::/8", .multicast),
    ].compactMap(\.self)
}
