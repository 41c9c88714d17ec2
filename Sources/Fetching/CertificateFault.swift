/// Why a server's certificate is not trusted. Names are the subjects of certificates; nil if empty.
package enum CertificateFault: Sendable, Hashable, Codable {
    case untrusted
    case expired(HTTPDate)
    case notYetValid(HTTPDate)
    /// An intermediate or root certificate has expired.
    case issuerExpired(name: String?, HTTPDate)
    case issuerNotYetValid(name: String?, HTTPDate)
    case selfSigned
    case unknownIssuer(name: String?)
    /// The certificate has only a common name, which must be ignored (RFC 9525, 2).
    case namesNoHost
    /// The first hosts that the certificate is valid for, and the number of others.
    case forOtherHosts([String], more: Int)
}
