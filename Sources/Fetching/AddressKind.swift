/// Why an address is not globally reachable.
package enum AddressKind: String, Sendable, Codable, CaseIterable {
    case unspecified
    case thisNetwork
    case loopback
    case privateUse
    /// Shared address space of providers (RFC 6598).
    case shared
    case linkLocal
    case protocols
    case documentation
    case benchmarking
    case multicast
    case broadcast
    case reserved
    /// A service address of a cloud platform.
    case platform
}
