/// Why an address is not one that all of the internet reaches.
package enum AddressKind: String, Sendable, Codable, CaseIterable {
    case unspecified
    case thisNetwork
    case loopback
    case privateUse
    /// Of a provider's own network (RFC 6598).
    case shared
    case linkLocal
    case protocols
    case documentation
    case benchmarking
    case multicast
    case broadcast
    case reserved
    /// Of the platform that virtual machines run on.
    case platform
}
