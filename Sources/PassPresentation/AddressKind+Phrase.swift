package import Fetching

extension AddressKind: Worded {
    package var phrase: Phrase {
        switch self {
        case .unspecified: Phrase("the unspecified address")
        case .thisNetwork: Phrase("an address of the local network")
        case .loopback: Phrase("a loopback address")
        case .privateUse: Phrase("a private address")
        case .shared: Phrase("a shared address of a provider's network")
        case .linkLocal: Phrase("a link-local address")
        case .protocols: Phrase("an address reserved for protocols")
        case .documentation: Phrase("an address for examples")
        case .benchmarking: Phrase("an address for measurements")
        case .multicast: Phrase("a multicast address")
        case .broadcast: Phrase("a broadcast address")
        case .reserved: Phrase("a reserved address")
        case .platform: Phrase("an address of the cloud platform")
        }
    }
}
