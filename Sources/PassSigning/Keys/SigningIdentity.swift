package import Cryptography
public import Foundation
package import PassVerification

/// A Pass Type ID certificate with its key, and the certificates of its issuers.
///
/// ```swift
/// let file = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "pass.p12")))
/// let identity = try SigningIdentity(pkcs12: file, password: Array("secret".utf8))
/// print(identity.passTypeIdentifier ?? "", identity.notAfter)
/// ```
///
/// Keys are zeroed when the last copy of the identity goes away.
public struct SigningIdentity: Sendable {
    /// The common name of the certificate.
    public let name: String
    /// The pass type that the certificate is for; nil if it names none.
    public let passTypeIdentifier: String?
    /// The team of the certificate; nil if it names none.
    public let teamIdentifier: String?
    /// The start of the certificate's validity.
    public let notBefore: Date
    /// The end of the certificate's validity.
    public let notAfter: Date
    /// The certificate in DER.
    public let certificate: [UInt8]
    /// The issuers in DER that signatures contain.
    public let issuers: [[UInt8]]
    /// Where the private key is.
    private let key: Key
    private let signer: DetachedSigner

    private enum Key {
        case local(PrivateKey)
        case agent(AgentKey)
        case token(TokenKey)
    }

    /// Reads a file in PKCS #12, as Keychain Access exports it.
    ///
    /// For example: `try SigningIdentity(pkcs12: [UInt8](Data(contentsOf: url)), password: nil)`
    ///
    /// - Parameters:
    ///   - file: The bytes of the file.
    ///   - password: In UTF-8; nil if there is none.
    ///   - issuers: Certificates among which the issuer may be, in PEM or DER. Those in the file and
    ///     Apple's are known.
    /// - Throws: ``SigningIdentityError`` if the file cannot be read, lacks a certificate or key,
    ///   or needs another password, or if no issuer of the certificate is known
    ///   (``SigningIdentityError/issuerMissing``).
    public init(
        pkcs12 file: [UInt8], password: [UInt8]?, issuers: [[UInt8]] = []
    ) throws(SigningIdentityError) {
        let secret = password.map { Secret($0) }
        try self.init(pkcs12: file, secret: secret, issuers: issuers)
    }

    /// The same with a password that is nowhere else in memory.
    package init(
        pkcs12 file: [UInt8], secret: borrowing Secret?, issuers: [[UInt8]] = []
    ) throws(SigningIdentityError) {
        let contents: PKCS12
        do throws(PKCS12Error) {
            contents = try PKCS12(file, password: secret)
        } catch {
            throw SigningIdentityError(error)
        }
        try self.init(
            contents.certificate, .local(contents.key), issuers: contents.others + issuers)
    }

    /// Joins a certificate with its key, which is in a file.
    ///
    /// ```swift
    /// let certificate = try [UInt8](Data(contentsOf: url.appending(path: "pass.cer")))
    /// let key = try [UInt8](Data(contentsOf: url.appending(path: "pass.key")))
    /// let identity = try SigningIdentity(certificate: certificate, key: key)
    /// ```
    ///
    /// - Parameters:
    ///   - certificate: In PEM or DER.
    ///   - key: In PEM or DER.
    ///   - password: That of the key, in UTF-8; nil if it is not encrypted.
    ///   - issuers: See ``init(pkcs12:password:issuers:)``.
    /// - Throws: ``SigningIdentityError`` if a file cannot be read or needs another password, if
    ///   the key is that of another certificate (``SigningIdentityError/keyOfOtherCertificate``),
    ///   or if no issuer of the certificate is known.
    public init(
        certificate: [UInt8], key: [UInt8], password: [UInt8]? = nil, issuers: [[UInt8]] = []
    ) throws(SigningIdentityError) {
        let secret = password.map { Secret($0) }
        try self.init(
            certificate: certificate, key: Secret(key), secret: secret, issuers: issuers)
    }

    /// The same with a key and a password that are nowhere else in memory.
    package init(
        certificate: [UInt8], key: borrowing Secret, secret: borrowing Secret?,
        issuers: [[UInt8]] = []
    ) throws(SigningIdentityError) {
        let privateKey: PrivateKey
        do throws(PrivateKeyError) {
            privateKey = try PrivateKey(pem: key, password: secret)
        } catch {
            throw SigningIdentityError(error)
        }
        let files = try list(in: certificate)
        guard let own = files.first(where: { privateKey.isKey(ofCertificate: $0) }) else {
            throw .keyOfOtherCertificate
        }
        try self.init(own, .local(privateKey), issuers: files.filter { $0 != own } + issuers)
    }

    /// Joins a certificate with its key in ssh-agent.
    ///
    /// ```swift
    /// let socket = ProcessInfo.processInfo.environment["SSH_AUTH_SOCK"] ?? ""
    /// let certificate = try [UInt8](Data(contentsOf: url))
    /// let identity = try SigningIdentity(certificate: certificate, agent: socket)
    /// ```
    ///
    /// - Parameters:
    ///   - certificate: In PEM or DER.
    ///   - socket: The path of the agent's socket, as in the variable SSH_AUTH_SOCK.
    ///   - issuers: See ``init(pkcs12:password:issuers:)``.
    /// - Throws: ``SigningIdentityError/agentUnavailable`` or
    ///   ``SigningIdentityError/keyNotInAgent``; other cases of ``SigningIdentityError`` if the
    ///   certificate cannot be used.
    public init(
        certificate: [UInt8], agent socket: String, issuers: [[UInt8]] = []
    ) throws(SigningIdentityError) {
        let files = try list(in: certificate)
        let own = passCertificate(among: files)
        let key = try AgentKey(socket: socket, certificate: own)
        try self.init(own, .agent(key), issuers: files.filter { $0 != own } + issuers)
    }

    /// Joins a certificate with its key in a security token.
    ///
    /// ```swift
    /// let identity = try SigningIdentity(
    ///     certificate: [UInt8](Data(contentsOf: url)), token: "pkcs11:token=Issuer;object=pass",
    ///     pin: Array("123456".utf8))
    /// ```
    ///
    /// - Parameters:
    ///   - certificate: In PEM or DER.
    ///   - token: The URI of the key (RFC 7512), such as `pkcs11:token=Issuer;object=pass`.
    ///   - pin: Nil if the token needs none.
    ///   - issuers: See ``init(pkcs12:password:issuers:)``.
    /// - Throws: ``SigningIdentityError`` if the URI is malformed, no single token matches it, the
    ///   token refuses the PIN or has no such key, or the certificate cannot be used.
    public init(
        certificate: [UInt8], token: String, pin: [UInt8]?, issuers: [[UInt8]] = []
    ) throws(SigningIdentityError) {
        let secret = pin.map { Secret($0) }
        try self.init(certificate: certificate, token: token, secret: secret, issuers: issuers)
    }

    /// The same with a PIN that is nowhere else in memory.
    package init(
        certificate: [UInt8], token: String, secret pin: borrowing Secret?,
        issuers: [[UInt8]] = []
    ) throws(SigningIdentityError) {
        let files = try list(in: certificate)
        let own = passCertificate(among: files)
        let key = try TokenKey(uri: token, certificate: own, pin: pin)
        try self.init(own, .token(key), issuers: files.filter { $0 != own } + issuers)
    }

    private init(
        _ der: [UInt8], _ key: Key, issuers: [[UInt8]]
    ) throws(SigningIdentityError) {
        guard let leaf = Certificate(der: der) else { throw .notACertificate }
        var known: [[UInt8]] = []
        for file in issuers { known += try list(in: file) }
        // An anchor that is trusted anyway need not be embedded, but its issuer must be found.
        guard
            let chain = IssuerChain(of: leaf, among: known + AppleIntermediates.certificates),
            let signer = DetachedSigner(certificate: der, others: chain.embedded)
        else { throw .issuerMissing }
        name = leaf.name
        passTypeIdentifier = leaf.passTypeIdentifier
        teamIdentifier = leaf.teamIdentifier
        (notBefore, notAfter) = (leaf.notBefore, leaf.notAfter)
        certificate = der
        self.issuers = chain.embedded
        self.key = key
        self.signer = signer
    }

    /// The certificate and its issuers, to check passes against.
    package var certificates: SigningCertificates? {
        SigningCertificates(all: [certificate] + issuers)
    }

    /// The private key in PKCS #8 as PEM; nil if it is in an agent or a token.
    package func privateKey() -> Secret? {
        guard case .local(let key) = key else { return nil }
        return key.pem(password: nil)
    }

    /// The detached signature over a manifest.
    func signature(over manifest: [UInt8], at time: Date) throws(SigningError) -> [UInt8] {
        let signature = try signer.signature(over: manifest, at: time) {
            attributes throws(SigningError) in
            switch key {
            case .local(let key):
                guard let value = key.sign(attributes) else { throw .keyRefused }
                return value
            case .agent(let key): return try key.sign(attributes)
            case .token(let key): return try key.sign(attributes)
            }
        }
        guard let signature else { throw .outOfMemory }
        return signature
    }
}

/// The issuers of a certificate that a signature embeds.
struct IssuerChain {
    let embedded: [[UInt8]]

    /// Follows the issuers by name, key identifier and signature up to a self-issued certificate,
    /// which is left out. Nil if the first issuer is unknown.
    init?(of leaf: borrowing Certificate, among certificates: [[UInt8]]) {
        var chain: [[UInt8]] = []
        var current = leaf.der
        // Apple's chains have one intermediate.
        while chain.count < 4, let certificate = Certificate(der: current),
            !certificate.isSelfIssued
        {
            let issuer = certificates.first { der in
                guard let candidate = Certificate(der: der) else { return false }
                return certificate.isSigned(by: candidate)
            }
            guard let issuer else { break }
            chain.append(issuer)
            current = issuer
        }
        guard let first = chain.first, Certificate(der: first) != nil else { return nil }
        embedded = chain.filter { der in
            guard let certificate = Certificate(der: der) else { return false }
            return !certificate.isSelfIssued
        }
    }
}

/// The certificates in a file, in DER; at least one.
private func list(in file: [UInt8]) throws(SigningIdentityError) -> [[UInt8]] {
    guard let found = Certificate.list(in: file), !found.isEmpty else { throw .notACertificate }
    return found
}

/// The first certificate with the purpose of passes, or else the first one.
private func passCertificate(among certificates: [[UInt8]]) -> [UInt8] {
    let own = certificates.first { der in
        guard let certificate = Certificate(der: der) else { return false }
        return certificate.extendedKeyUsage.contains(PassCertificate.purpose)
    }
    return own ?? certificates.first ?? []
}
