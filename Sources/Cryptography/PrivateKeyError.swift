/// Why there is no usable private key in a file.
package enum PrivateKeyError: Error, Sendable, Hashable, CaseIterable {
    /// No private key in PEM or DER, or a damaged one.
    case notAKey
    /// The key is encrypted, and there is no password.
    case passwordNeeded
    case wrongPassword
    /// Neither RSA of 2,048 to 16,384 bits nor ECDSA on P-256, P-384 or P-521, or encrypted in a way
    /// that OpenSSL does not read or that costs too much.
    case unsupported
}
