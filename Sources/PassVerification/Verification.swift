package import Bytes
public import Foundation
public import PassModel

/// The judgement of a pass: five values, one question each, asked in this order.
public enum Verdict: String, Sendable, CaseIterable, Codable {
    /// It cannot be read as a pass.
    case malformed
    /// There is no signature.
    case unsigned
    /// A file differs from the manifest, or the signature does not verify over the manifest.
    case tampered
    /// It is intact, but the signer cannot be vouched for.
    case untrusted
    /// It is intact, and the certificate of this pass type and this team was valid when it was signed.
    case trusted
}

/// A stable code and a sentence that a person understands.
public struct Finding: Sendable, Hashable, Codable {
    /// In kebab case: `signature-mismatch`. It never changes its meaning.
    public let code: String
    /// A clause without a full stop. It may hold text of the pass, unescaped.
    public let detail: String
}

/// One question that was asked of a pass, and its answer.
public struct Check: Sendable, Hashable {
    /// How a question was answered.
    public enum Outcome: String, Sendable {
        /// There is nothing against the pass here.
        case passed
        /// There is something, and the detail says what.
        case failed
        /// It was not asked, and the detail says why.
        case skipped
    }

    /// In kebab case: `signing-time`.
    public let name: String
    /// Passed, failed, or skipped.
    public let outcome: Outcome
    /// What was found, and after a failure what the issuer can do about it.
    public let detail: String
}

/// What the verifier has to say of a pass file.
public struct Verification: Sendable {
    /// The answer in one word.
    public let verdict: Verdict
    /// What decided the verdict; empty when it is trusted.
    public let reasons: [Finding]
    /// What is odd but tolerated.
    public package(set) var notes: [Finding]
    /// Every question, in the order in which they are asked.
    public package(set) var checks: [Check]
    /// Nil without a signature whose certificate is at hand.
    public let signer: Signer?
    /// As the signer says.
    public let signedAt: Date?
    /// What the pass says; nil when it cannot be read.
    public let pass: Pass?
    /// SHA-256 of the pass file, in lower-case hexadecimal digits.
    public let sha256: String
    /// In bytes.
    public let size: Int
    /// How large pass.json and all pass.strings are, in bytes.
    package let textSize: Int
    /// How many bytes of the archive were inflated to judge it.
    package let inflated: Int
    /// The pass itself, when its verdict lets anything keep it: trusted, untrusted or unsigned.
    public package(set) var verified: VerifiedPass?
}

/// Who signed.
public struct Signer: Sendable, Hashable {
    /// The common name of the certificate's subject.
    public let commonName: String
    /// What the certificate was issued for: the user identifier of its subject.
    public let passTypeIdentifier: String?
    /// Whom it was issued to: the organizational unit of its subject.
    public let teamIdentifier: String?
    /// The certificate's first moment.
    public let notBefore: Date
    /// The certificate's last moment.
    public let notAfter: Date
    /// The digest that the signature is made over, such as `SHA256`.
    public let digest: String
    /// The name of the trust anchor that the certificate leads to; nil when it leads to none.
    public let anchor: String?
}

/// A pass that the verifier found intact (or that nobody signed), with the exact octets that it
/// judged. Only the verifier makes one.
public struct VerifiedPass: Sendable {
    /// What the pass says.
    public let pass: Pass
    /// Trusted, untrusted or unsigned.
    public let verdict: Verdict
    /// What decided the verdict; empty when it is trusted.
    public let reasons: [Finding]
    /// What is odd but tolerated.
    public let notes: [Finding]
    /// As the signer says.
    public let signedAt: Date?
    /// SHA-256 of the pass file, in lower-case hexadecimal digits.
    public let sha256: String
    /// In bytes.
    public let size: Int
    /// SHA-256 of manifest.json, the same however the archive was packed; nil without one.
    public let manifestSHA256: String?
    package let octets: SpooledBytes
}
