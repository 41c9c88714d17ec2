internal import Cryptography

/// Why a certificate and its key cannot sign passes.
///
/// ```swift
/// let file = try [UInt8](Data(contentsOf: url))
/// do {
///     _ = try SigningIdentity(pkcs12: file, password: Array("secret".utf8))
/// } catch SigningIdentityError.wrongPassword { print("wrong password") }
/// ```
public enum SigningIdentityError: Error, Sendable, Hashable, CaseIterable {
    /// The file is not a certificate in PEM or DER.
    case notACertificate
    /// The file is not a key in PEM.
    case notAKey
    /// The file is not in PKCS #12.
    case notPKCS12
    /// The file is encrypted in a way that OpenSSL cannot read here.
    case unsupportedEncryption
    /// The key or the file is encrypted and no password was given, or the token needs a PIN.
    case passwordNeeded
    /// The password or the PIN is wrong.
    case wrongPassword
    /// There is no key in the file, for example because only the certificate was exported.
    case noKey
    /// There is no certificate in the file.
    case noCertificate
    /// The key is not that of the certificate.
    case keyOfOtherCertificate
    /// Neither RSA with at least 2,048 bits nor ECDSA on a curve of NIST.
    case unsupportedKey
    /// The certificate that issued the signing certificate is missing: for one of Apple, its
    /// Worldwide Developer Relations (WWDR) intermediate.
    case issuerMissing
    /// There is no ssh-agent, or it does not answer.
    case agentUnavailable
    /// ssh-agent does not have the key of the certificate.
    case keyNotInAgent
    /// Not a URI of PKCS #11 (RFC 7512).
    case notATokenURI
    /// The URI contains a PIN, which everyone on this computer could see.
    case pinInURI
    /// No token matches the URI.
    case noToken
    /// Several tokens match the URI: the PIN is sent to none of them.
    case severalTokens
    /// The token has no private key that matches the URI.
    case keyNotInToken
    /// The token does not sign.
    case tokenRefused
    /// The token locked itself after too many wrong PINs.
    case pinLocked
}

extension SigningIdentityError {
    init(_ error: PrivateKeyError) {
        self =
            switch error {
            case .notAKey: .notAKey
            case .passwordNeeded: .passwordNeeded
            case .wrongPassword: .wrongPassword
            case .unsupported: .unsupportedKey
            }
    }

    init(_ error: PKCS12Error) {
        self =
            switch error {
            case .notPKCS12, .tooLarge: .notPKCS12
            case .passwordNeeded: .passwordNeeded
            case .wrongPassword: .wrongPassword
            case .noKey: .noKey
            case .noCertificate: .noCertificate
            case .keyOfOtherCertificate: .keyOfOtherCertificate
            case .unsupportedEncryption: .unsupportedEncryption
            case .unsupportedKey: .unsupportedKey
            }
    }
}
