internal import Cryptography
public import Foundation
internal import Glibc
internal import NIOSSL
public import PassSigning

/// A credential for APNs: the certificate of a pass type, or a key of a team.
///
/// ```swift
/// let keys = SigningFolder(url)
/// let credential = try PushCredential(keys.identity(for: "pass.com.example.ticket"))
/// ```
public struct PushCredential: Sendable {
    /// The pass type of the certificate; nil for a key, which is valid for all pass types of its
    /// team.
    public let passTypeIdentifier: String?
    let proof: Proof

    enum Proof: Sendable {
        case certificate([NIOSSLCertificate], NIOSSLPrivateKey)
        case token(ProviderToken)
    }

    /// Creates a credential from a signing certificate, for pushes to passes of its type.
    ///
    /// For example: `let credential = try PushCredential(signer)`
    ///
    /// - Throws: ``PushError/keyElsewhere(certificate:)`` if the key is in an agent or a token,
    ///   ``PushError/noPassType(certificate:)`` or ``PushError/unusableCertificate(certificate:)``.
    public init(_ identity: SigningIdentity) throws(PushError) {
        // APNs requires the user ID of the certificate as the topic.
        guard let type = identity.passTypeIdentifier else {
            throw .noPassType(certificate: identity.name)
        }
        guard let secret = identity.privateKey() else {
            throw .keyElsewhere(certificate: identity.name)
        }
        // NIOSSL takes the key as an array; BoringSSL zeroes its own copy.
        var key = unsafe secret.withUnsafeBytes { unsafe Array($0) }
        defer {
            unsafe key.withUnsafeMutableBytes { bytes in
                if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
            }
        }
        do {
            let chain = try ([identity.certificate] + identity.issuers).map { der in
                try NIOSSLCertificate(bytes: der, format: .der)
            }
            proof = .certificate(chain, try NIOSSLPrivateKey(bytes: key, format: .pem))
        } catch {
            throw .unusableCertificate(certificate: identity.name)
        }
        passTypeIdentifier = type
    }

    /// Creates a credential from an APNs key of the developer portal, for pushes to passes of all
    /// of the team's types.
    ///
    /// ```swift
    /// let file = URL(filePath: "/etc/wallet/AuthKey_ABC1234567.p8")
    /// let credential = try PushCredential(key: file, identifier: "ABC1234567", team: "DEF1234567")
    /// ```
    ///
    /// - Parameters:
    ///   - file: The key file, which other users must not be able to read.
    ///   - identifier: The identifier of the key, ten characters.
    ///   - team: The identifier of the team, ten characters.
    /// - Throws: ``PushError/secretFile(_:)`` or ``PushError/notATokenKey(path:)``.
    public init(key file: URL, identifier: String, team: String) throws(PushError) {
        passTypeIdentifier = nil
        proof = .token(
            try ProviderToken(
                key: file.path(percentEncoded: false), identifier: identifier, team: team))
    }
}
