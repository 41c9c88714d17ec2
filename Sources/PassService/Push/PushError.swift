/// Why a certificate or a key cannot be used for pushes.
///
/// ```swift
/// do {
///     _ = try PushCredential(key: url, identifier: "ABC1234567", team: "DEF1234567")
/// } catch PushError.readableByOthers(let path) {
///     print("chmod 600 \(path)")
/// }
/// ```
public enum PushError: Error, Sendable, Hashable {
    /// The file cannot be read: the system's errno.
    case cannotRead(path: String, code: Int32)
    /// All users of the computer can read the file, or its group can change it.
    case readableByOthers(path: String)
    /// The file is not a key that signs provider tokens: ECDSA on P-256, in PEM, unencrypted.
    case notATokenKey(path: String)
    /// The key of the certificate is in an agent or a token, which cannot be used for TLS.
    case keyElsewhere(certificate: String)
    /// The certificate is not for a pass type.
    case noPassType(certificate: String)
    /// TLS cannot use the certificate or its key.
    case unusableCertificate(certificate: String)
    /// The authorities of the server are not certificates in PEM or DER.
    case badAuthorities
}
