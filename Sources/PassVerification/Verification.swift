package import Bytes
public import Foundation
public import PassModel

/// The judgement of a pass: five values, one question each, asked in this order.
public enum Verdict: String, Sendable, CaseIterable, Codable {
    case malformed, unsigned, tampered, untrusted, trusted
}

/// A stable code and a sentence that a person understands.
public struct Finding: Sendable, Hashable, Codable {
    public let code: String
    public let detail: String
}

/// One question that was asked of a pass, and its answer.
public struct Check: Sendable, Hashable {
    public enum Outcome: String, Sendable { case passed, failed, skipped }
    public let name: String
    public let outcome: Outcome
    public let detail: String
}

/// What the verifier has to say of a pass file.
public struct Verification: Sendable {
    public let verdict: Verdict
    /// What decided the verdict.
    public let reasons: [Finding]
    /// What is odd but tolerated.
    public let notes: [Finding]
    public let checks: [Check]
    public let signer: Signer?
    public let signedAt: Date?
    /// What the pass says; nil when it cannot be read.
    public let pass: Pass?
    /// SHA-256 of the pass file, in lower-case hexadecimal digits.
    public let sha256: String
    /// In bytes.
    public let size: Int
    /// The pass itself, when its verdict lets anything keep it: trusted, untrusted or unsigned.
    public let verified: VerifiedPass?
}

/// Who signed.
public struct Signer: Sendable, Hashable {
    public let commonName: String
    public let passTypeIdentifier: String?
    public let teamIdentifier: String?
    public let notBefore: Date
    public let notAfter: Date
    public let anchor: String?
}

/// A pass that the verifier found intact (or that nobody signed), with the exact octets that it
/// judged. Only the verifier makes one.
public struct VerifiedPass: Sendable {
    public let pass: Pass
    public let verdict: Verdict
    public let reasons: [Finding]
    public let notes: [Finding]
    public let signedAt: Date?
    public let sha256: String
    public let size: Int
    package let octets: Octets
}
