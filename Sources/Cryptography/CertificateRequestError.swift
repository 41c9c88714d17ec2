/// Why there is no certificate request.
package enum CertificateRequestError: Error, Sendable, Hashable, CaseIterable {
    /// Not 1 to 64 characters.
    case commonName
    /// Not 1 to 128 characters of ASCII.
    case emailAddress
    /// Not two letters (ISO 3166-1).
    case country
    /// OpenSSL fails, for example without memory.
    case failed
}
