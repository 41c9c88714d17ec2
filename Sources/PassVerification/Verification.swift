package import Bytes
public import Foundation
public import PassModel

/// The result of verifying a pass. If several apply, the first one is the result.
///
/// ```swift
/// switch verification.verdict {
/// case .trusted: print("welcome")
/// case .untrusted, .tampered, .unsigned, .malformed: print("refused")
/// }
/// ```
public enum Verdict: String, Sendable, CaseIterable, Codable {
    /// The file cannot be read as a pass.
    case malformed
    /// There is no signature.
    case unsigned
    /// A file differs from the manifest, or the signature does not verify over the manifest.
    case tampered
    /// The pass is intact, but the signer is not trusted.
    case untrusted
    /// The pass is intact, and was signed with a valid certificate for this pass type and team.
    case trusted
}

/// The result of verifying a pass file.
///
/// ```swift
/// if verification.verdict != .trusted {
///     for finding in verification.reasons { print(finding.code) }
/// }
/// ```
public struct Verification: Sendable {
    /// The verdict.
    public let verdict: Verdict
    /// The findings behind the verdict; empty if trusted.
    public let reasons: [Finding]
    /// Tolerated irregularities.
    public package(set) var notes: [Finding]
    /// All checks, in order.
    public package(set) var checks: [Check]
    /// The signer; nil without a signature with an embedded certificate.
    public let signer: Signer?
    /// The time claimed by the signer.
    public let signedAt: Date?
    /// The contents of the pass; nil if unreadable.
    public let pass: Pass?
    /// The SHA-256 of the pass, in lower-case hexadecimal digits: of its ZIP archive, without bytes
    /// before or after it. Empty for a file larger than ``VerificationLimits/archive``: it is not
    /// read.
    public let sha256: String
    /// The size of the pass, in bytes, without bytes before or after it.
    public let size: Int
    /// The size of pass.json and all pass.strings, in bytes.
    package let textSize: Int
    /// The number of bytes inflated for verification.
    package let inflated: Int
    /// The pass itself, if the verdict is trusted, untrusted or unsigned.
    public package(set) var verified: VerifiedPass?
}

/// The signer of a pass.
///
/// For example: `let team = verification.signer?.teamIdentifier`
public struct Signer: Sendable, Hashable {
    /// The common name of the certificate's subject.
    public let commonName: String
    /// The pass type: the user ID of the certificate's subject.
    public let passTypeIdentifier: String?
    /// The team: the organizational unit of the certificate's subject.
    public let teamIdentifier: String?
    /// The start of the certificate's validity.
    public let notBefore: Date
    /// The end of the certificate's validity.
    public let notAfter: Date
    /// The digest algorithm of the signature, such as `SHA256`.
    public let digest: String
    /// The trust anchor that the certificate chains to; nil if none vouches for it.
    public let anchor: TrustAnchor?
}

/// A pass that was found intact or unsigned, with the exact octets that were verified. Only the
/// verifier creates one.
///
/// For example: `print(verified.pass.organizationName, verified.verdict, verified.size)`
public struct VerifiedPass: Sendable {
    /// The contents of the pass.
    public let pass: Pass
    /// Trusted, untrusted or unsigned.
    public let verdict: Verdict
    /// The findings behind the verdict; empty if trusted.
    public let reasons: [Finding]
    /// Tolerated irregularities.
    public let notes: [Finding]
    /// The time claimed by the signer.
    public let signedAt: Date?
    /// The trust anchor that the signer's certificate chains to; nil if none vouches for it.
    public let anchor: TrustAnchor?
    /// The SHA-256 of the pass, in lower-case hexadecimal digits: of its ZIP archive, without bytes
    /// before or after it.
    public let sha256: String
    /// The size of the pass, in bytes, without bytes before or after it.
    public let size: Int
    /// The SHA-256 of manifest.json, independent of the archive's packaging; nil without one.
    public let manifestSHA256: String?
    /// A digest of what the signer signed, and of the signer's key: equal for all files that can be
    /// made of one signed pass without the key. Nil without exactly one signer.
    package let statement: String?
    package let octets: SpooledBytes
}
