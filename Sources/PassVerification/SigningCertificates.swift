import Cryptography
public import Foundation
package import PassModel

/// The certificates to sign passes with, or those in a signature: the certificate of the pass type,
/// and the authorities that come with it.
///
/// ```swift
/// let certificates = try SigningCertificates([UInt8](Data(contentsOf: url)))
/// print(certificates.passTypeIdentifier ?? "")
/// ```
public struct SigningCertificates: Sendable {
    /// The pass type of the certificate: the user ID of its subject; nil if there is none.
    public let passTypeIdentifier: String?
    /// The team of the certificate: the organizational unit of its subject; nil if there is none.
    public let teamIdentifier: String?
    /// The end of its validity.
    public let notAfter: Date
    /// Whether the certificates lead from the pass type to its authority. Wallet needs the
    /// authority that issued the certificate, of which Apple has several generations with almost
    /// the same name.
    package let issuance: Issuance
    private let leaf: Leaf

    /// The certificate, parsed once: that takes OpenSSL longer than to verify a signature.
    ///
    /// `@unchecked Sendable`: the certificate is immutable, and OpenSSL locks what it caches.
    private final class Leaf: @unchecked Sendable {
        let certificate: Certificate

        init?(_ der: [UInt8]) {
            guard let certificate = Certificate(der: der) else { return nil }
            self.certificate = certificate
        }
    }

    /// Reads a file: PEM (one certificate or more) or DER (one). The certificate of the pass type
    /// is the first one with the purpose of passes, or else the first one.
    ///
    /// ```swift
    /// let certificates = try SigningCertificates([UInt8](Data(contentsOf: url)))
    /// let daysLeft = certificates.notAfter.timeIntervalSinceNow / 86_400
    /// ```
    ///
    /// - Throws: ``TrustAnchorError/notACertificate`` or ``TrustAnchorError/noCertificate`` if the
    ///   file contains no certificate.
    public init(_ file: [UInt8]) throws(TrustAnchorError) {
        guard let all = Certificate.list(in: file) else { throw .notACertificate }
        guard !all.isEmpty else { throw .noCertificate }
        guard let certificates = SigningCertificates(all: all) else { throw .notACertificate }
        self = certificates
    }

    /// The certificates in a signature; nil if it has none.
    package init?(signature: [UInt8]) {
        guard let data = SignedData(signature) else { return nil }
        self.init(all: data.certificates.encoded)
    }

    /// The certificates in DER; nil if one is damaged, or there is none.
    package init?(all: [[UInt8]]) {
        var leaf: Int?
        for (index, der) in all.enumerated() {
            guard let certificate = Certificate(der: der) else { return nil }
            if leaf == nil, certificate.extendedKeyUsage.contains(PassCertificate.purpose) {
                leaf = index
            }
        }
        let index = leaf ?? 0
        guard index < all.count, let found = Leaf(all[index]) else { return nil }
        passTypeIdentifier = found.certificate.passTypeIdentifier
        teamIdentifier = found.certificate.teamIdentifier
        notAfter = found.certificate.notAfter
        var others = all
        others.remove(at: index)
        issuance = Issuance(of: found.certificate, among: others)
        self.leaf = found
    }
}

extension SigningCertificates {
    /// Whether the certificates lead from the pass type to its authority.
    package enum Issuance: Sendable, Hashable {
        /// The issuer is among the certificates.
        case complete
        /// There is only the certificate of the pass type; this authority issued it.
        case missing(issuer: String)
        /// The authorities did not issue it, but this one.
        case wrong(issuer: String, found: [String])
    }

    /// Whether this anchor, which is not one of Apple's, issued the certificate itself.
    package func isIssued(by anchor: TrustAnchor) -> Bool {
        anchor.origin != .apple && namesAsIssuer(anchor)
    }

    /// Whether the certificate names this anchor, which may be one of Apple's, as its issuer.
    package func namesAsIssuer(_ anchor: TrustAnchor) -> Bool {
        anchor.material.subjectHash == leaf.certificate.issuerHash
    }

    /// What is wrong with signing a pass with the certificate: its purpose, validity, pass type and
    /// team.
    ///
    /// - Parameter pass: Nil if it cannot be read.
    package func findings(signing pass: Pass?, at time: Date) -> [Finding] {
        var findings = PassCertificate.judgePurpose(leaf.certificate)
        findings += PassCertificate.notes(on: leaf.certificate)
        let (notBefore, notAfter) = (leaf.certificate.notBefore, leaf.certificate.notAfter)
        if time < notBefore || time > notAfter {
            findings.append(
                .certificateNotValid(
                    name: leaf.certificate.name, from: notBefore, to: max(notBefore, notAfter),
                    at: time))
        }
        if let pass {
            findings += PassCertificate.judgePassType(leaf.certificate, of: pass)
            if !pass.teamIdentifier.isEmpty {
                findings += PassCertificate.judgeTeam(leaf.certificate, of: pass)
            }
        }
        return findings
    }
}

extension SigningCertificates.Issuance {
    fileprivate init(of certificate: borrowing Certificate, among others: [[UInt8]]) {
        var found: [String] = []
        for der in others {
            guard let other = Certificate(der: der) else { continue }
            if certificate.isSigned(by: other) {
                self = .complete
                return
            }
            found.append(authorityName(other.subjectHash) ?? other.name)
        }
        let issuer = authorityName(certificate.issuerHash) ?? certificate.issuerName
        self = found.isEmpty ? .missing(issuer: issuer) : .wrong(issuer: issuer, found: found)
    }
}

/// The name of Apple's authority with this subject.
private func authorityName(_ subject: UInt) -> String? {
    appleNames.first { $0.subject == subject }?.name
}

private let appleNames = TrustAnchors.apple.all.map {
    (subject: $0.material.subjectHash, name: $0.name)
}
