import Bytes
internal import Cryptography
public import Foundation

/// The names and keys that a signer's certificate must chain to.
///
/// With any anchors, a certificate must also be a pass certificate for this pass.
///
/// ```swift
/// let root = try [UInt8](Data(contentsOf: url))
/// let verifier = PassVerifier(anchors: try TrustAnchors.apple.adding(root))
/// ```
public struct TrustAnchors: Sendable, Hashable {
    /// In the order they were added, without duplicates.
    public private(set) var all: [TrustAnchor]

    /// Apple's roots and WWDR intermediates.
    public static let apple = TrustAnchors(all: AppleTrustAnchors.rows.compactMap(TrustAnchor.init))

    /// No anchors.
    package static let none = TrustAnchors(all: [])

    /// Anchors from certificate files only: each file is PEM (one certificate or more) or DER
    /// (one).
    ///
    /// ```swift
    /// let testRoot = try [UInt8](Data(contentsOf: url.appending(path: "test-root.pem")))
    /// let onlyTests = try TrustAnchors(certificates: [testRoot])
    /// ```
    ///
    /// - Throws: ``TrustAnchorError/notACertificate`` or ``TrustAnchorError/noCertificate`` for the
    ///   first file without a certificate.
    public init(certificates: [[UInt8]]) throws(TrustAnchorError) {
        all = []
        for file in certificates { try add(file) }
    }

    /// These anchors and those of a PEM or DER file.
    ///
    /// For example: `let extended = try anchors.adding([UInt8](Data(contentsOf: url)))`
    ///
    /// - Throws: ``TrustAnchorError/notACertificate`` or ``TrustAnchorError/noCertificate`` if the
    ///   file contains no certificate.
    public func adding(_ certificates: [UInt8]) throws(TrustAnchorError) -> TrustAnchors {
        var anchors = self
        try anchors.add(certificates)
        return anchors
    }

    /// These anchors and others.
    ///
    /// For example: `let verifier = PassVerifier(anchors: TrustAnchors.apple.adding(anchors))`
    public func adding(_ others: TrustAnchors) -> TrustAnchors {
        var anchors = self
        for anchor in others.all { anchors.add(anchor) }
        return anchors
    }

    /// The same anchors, trusted on this occasion only.
    package var givenOnce: TrustAnchors {
        TrustAnchors(
            all: all.map { anchor in
                var given = anchor
                given.origin = .given
                return given
            })
    }

    /// These anchors and another.
    ///
    /// ```swift
    /// let roots = TrustAnchors.apple.all.filter { $0.name.hasPrefix("Apple Root") }
    /// let extended = roots.reduce(anchors) { $0.adding($1) }
    /// ```
    public func adding(_ anchor: TrustAnchor) -> TrustAnchors {
        var anchors = self
        anchors.add(anchor)
        return anchors
    }

    private init(all: [TrustAnchor]) {
        self.all = all
    }

    private mutating func add(_ file: [UInt8]) throws(TrustAnchorError) {
        guard let found = Certificate.list(in: file) else { throw .notACertificate }
        guard !found.isEmpty else { throw .noCertificate }
        for der in found {
            guard let certificate = Certificate(der: der) else { throw .notACertificate }
            add(TrustAnchor(certificate, der: der))
        }
    }

    /// An anchor that is limited and added again without limits, or with others, vouches for what
    /// either of them does.
    private mutating func add(_ anchor: TrustAnchor) {
        // A limited anchor that is given for this occasion as well stays limited: the origin
        // decides whether a pass counts as vouched for later.
        let known = all.firstIndex {
            $0.isSame(as: anchor) && ($0.origin == anchor.origin || $0.passTypes == nil)
        }
        guard let index = known else { return all.append(anchor) }
        all[index] = all[index].vouching(alsoFor: anchor.passTypes)
    }
}

extension TrustAnchors {
    /// Whether the anchor with this fingerprint is among these, and vouches for this pass type.
    ///
    /// ```swift
    /// let fingerprint = verification.signer?.anchor?.fingerprint ?? ""
    /// let isStillTrusted = anchors.vouch(for: pass.passTypeIdentifier, by: fingerprint)
    /// ```
    ///
    /// - Parameters:
    ///   - passTypeIdentifier: The pass type.
    ///   - fingerprint: The SHA-256 of the certificate, in lower-case hexadecimal digits.
    public func vouch(for passTypeIdentifier: String, by fingerprint: String) -> Bool {
        all.contains {
            $0.fingerprint == fingerprint && $0.vouches(for: passTypeIdentifier)
        }
    }
}

/// A trust anchor: a name and a key (RFC 5914), or a certificate chosen by the user.
///
/// For example: `for anchor in anchors.all { print(anchor.name, anchor.notAfter) }`
public struct TrustAnchor: Sendable, Hashable {
    /// The common name, for display.
    public let name: String
    /// The start of its validity.
    public let notBefore: Date
    /// The end of its validity.
    public let notAfter: Date
    /// The SHA-256 of the certificate, in lower-case hexadecimal digits.
    public let fingerprint: String
    /// The pass types that it vouches for; nil for all.
    public private(set) var passTypes: [PassTypePattern]?
    /// Who chose it.
    public fileprivate(set) var origin: Origin
    let material: AnchorMaterial

    /// Who chose an anchor.
    ///
    /// For example: `let own = anchors.all.filter { $0.origin == .own }`
    public enum Origin: String, Sendable, Codable {
        /// It is one of Apple's, and built in.
        case apple
        /// The user trusts it.
        case own
        /// The user trusts it on this occasion only.
        case given
    }
}

/// Why a file contains no trust anchor.
///
/// ```swift
/// do {
///     _ = try TrustAnchors(certificates: [Array("no certificate".utf8)])
/// } catch TrustAnchorError.notACertificate { print("Choose a PEM or DER file.") }
/// ```
public enum TrustAnchorError: Error, Sendable, Hashable, CaseIterable {
    /// Not DER or PEM, or a PEM block with other contents.
    case notACertificate
    /// PEM without a certificate.
    case noCertificate
    /// Not a list of pass type patterns, or an empty one: the certificates that it belongs to are
    /// not used.
    case notPatterns
    /// Pass type patterns without the file of certificates that they belong to.
    case noCertificateForPatterns
}

extension TrustAnchor {
    fileprivate init(_ certificate: borrowing Certificate, der: [UInt8]) {
        self.init(
            name: certificate.name, notBefore: certificate.notBefore,
            notAfter: certificate.notAfter, fingerprint: certificate.fingerprint, origin: .own,
            material: .certificate(der: der))
    }

    fileprivate init?(_ row: AppleTrustAnchors.Row) {
        guard let subject = Data(base64Encoded: row.subject), let key = Data(base64Encoded: row.key)
        else { return nil }
        let notBefore = Date(timeIntervalSince1970: TimeInterval(row.notBefore))
        let notAfter = Date(timeIntervalSince1970: TimeInterval(row.notAfter))
        self.init(
            name: row.name, notBefore: notBefore, notAfter: notAfter,
            fingerprint: row.fingerprint, origin: .apple,
            material: .key(
                subject: Array(subject), key: Array(key), notBefore: notBefore, notAfter: notAfter))
    }

    /// Whether it vouches for passes of this type.
    ///
    /// For example: `let known = anchors.all.filter { $0.vouches(for: pass.passTypeIdentifier) }`
    public func vouches(for passTypeIdentifier: String) -> Bool {
        passTypes?.contains { $0.matches(passTypeIdentifier) } ?? true
    }

    /// The same anchor, vouching only for these pass types; nil for all.
    func vouching(onlyFor patterns: [PassTypePattern]?) -> TrustAnchor {
        var anchor = self
        anchor.passTypes = patterns
        return anchor
    }

    /// The same anchor, vouching for further pass types; nil for all.
    fileprivate func vouching(alsoFor patterns: [PassTypePattern]?) -> TrustAnchor {
        guard let passTypes, let patterns else { return vouching(onlyFor: nil) }
        return vouching(onlyFor: passTypes + patterns.filter { !passTypes.contains($0) })
    }

    /// Whether both are the same certificate, or the same name and key.
    func isSame(as other: TrustAnchor) -> Bool { material == other.material }

    /// Whether both have the same public key.
    func hasKey(of other: TrustAnchor) -> Bool { material.key == other.material.key }

    /// The certificate as PEM; nil for an anchor without a certificate.
    package var pem: String? {
        guard case .certificate(let der) = material else { return nil }
        return Certificate.pem(der)
    }
}
