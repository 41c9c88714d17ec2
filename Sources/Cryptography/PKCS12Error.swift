/// Why a file in PKCS #12 gives no key with its certificate.
package enum PKCS12Error: Error, Sendable, Hashable {
    case notPKCS12
    /// The file is larger than this many bytes.
    case tooLarge(limit: Int)
    /// There is no password, and neither no password nor an empty one opens the file.
    case passwordNeeded
    case wrongPassword
    /// For example because only the certificate was exported.
    case noKey
    case noCertificate
    /// None of the certificates has the public key of the private key.
    case keyOfOtherCertificate
    /// OpenSSL does not know the encryption, or its module for old algorithms is not installed, or
    /// deriving the keys costs too much.
    case unsupportedEncryption
    /// See ``PrivateKeyError/unsupported``.
    case unsupportedKey
}
