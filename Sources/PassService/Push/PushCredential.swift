internal import Cryptography
public import Foundation
internal import Glibc
internal import NIOSSL
public import PassSigning

/// How a server proves to APNs that it may push to devices with passes: by the certificate of a pass
/// type, or by a key of a team.
///
/// ```swift
/// let keys = SigningFolder(url)
/// let credential = try PushCredential(keys.identity(for: "pass.com.example.ticket"))
/// ```
public struct PushCredential: Sendable {
    /// The pass type of the certificate; nil for a key, which is for all pass types of its team.
    public let passTypeIdentifier: String?
    let proof: Proof

    enum Proof: Sendable {
        case certificate([NIOSSLCertificate], NIOSSLPrivateKey)
        case token(ProviderToken)
    }

    /// The certificate that signs passes of a type, with which APNs takes pushes for this type.
    ///
    /// For example: `let credential = try PushCredential(signer)`
    ///
    /// - Throws: ``PushError/keyElsewhere(certificate:)`` if the key is in an agent or a token,
    ///   ``PushError/noPassType(certificate:)`` or ``PushError/unusableCertificate(certificate:)``.
    public init(_ identity: SigningIdentity) throws(PushError) {
        // APNs wants the user ID of the certificate as topic.
        guard let type = identity.passTypeIdentifier else {
            throw .noPassType(certificate: identity.name)
        }
        guard let secret = identity.privateKey() else {
            throw .keyElsewhere(certificate: identity.name)
        }
        // NIOSSL takes a key as an array; its own copy is zeroed by BoringSSL.
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

    /// A key of the developer portal for the push service, with which a team pushes for all of its
    /// pass types.
    ///
    /// ```swift
    /// let file = URL(filePath: "/etc/wallet/AuthKey_ABC1234567.p8")
    /// let credential = try PushCredential(key: file, identifier: "ABC1234567", team: "DEF1234567")
    /// ```
    ///
    /// - Parameters:
    ///   - file: The key, which other users must not be able to read.
    ///   - identifier: The identifier of the key, ten characters.
    ///   - team: The identifier of the team, ten characters.
    /// - Throws: ``PushError/cannotRead(path:code:)``, ``PushError/readableByOthers(path:)`` or
    ///   ``PushError/notATokenKey(path:)``.
    public init(key file: URL, identifier: String, team: String) throws(PushError) {
        passTypeIdentifier = nil
        proof = .token(
            try ProviderToken(
                key: file.path(percentEncoded: false), identifier: identifier, team: team))
    }
}
