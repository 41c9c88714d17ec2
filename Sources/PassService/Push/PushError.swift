/// An error of a certificate or key for pushes.
///
/// ```swift
/// do {
///     _ = try PushCredential(key: url, identifier: "ABC1234567", team: "DEF1234567")
/// } catch PushError.notATokenKey(let path) {
///     print("\(path) is not a key for APNs")
/// }
/// ```
public enum PushError: Error, Sendable, Hashable {
    /// The key file cannot be used.
    case secretFile(SecretFileError)
    /// The file is not a key for provider tokens: ECDSA on P-256, in PEM, unencrypted.
    case notATokenKey(path: String)
    /// The key of the certificate is in an agent or a token, and cannot be used for TLS.
    case keyElsewhere(certificate: String)
    /// The certificate is not for a pass type.
    case noPassType(certificate: String)
    /// TLS cannot use the certificate or its key.
    case unusableCertificate(certificate: String)
    /// The authorities for the server's certificate are not certificates in PEM or DER.
    case badAuthorities
}
