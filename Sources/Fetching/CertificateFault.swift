/// Why a server's certificate is not trusted. Names are those in certificates; nil where one has none.
package enum CertificateFault: Sendable, Hashable, Codable {
    case untrusted
    case expired(HTTPDate)
    case notYetValid(HTTPDate)
    /// A certificate that the server's own depends on.
    case issuerExpired(name: String?, HTTPDate)
    case issuerNotYetValid(name: String?, HTTPDate)
    case selfSigned
    case unknownIssuer(name: String?)
    /// Its only name is the common name, which does not count (RFC 9525, 2).
    case namesNoHost
    /// The first of the hosts that it is for, and how many more there are.
    case forOtherHosts([String], more: Int)
}
