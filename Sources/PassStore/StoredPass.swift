public import Foundation
public import PassModel
public import PassVerification

/// A pass in the library: its identity, and the version of it that is in front.
public struct StoredPass: Sendable, Hashable, Identifiable {
    /// The row number that a list shows; never used again for another pass.
    public let id: Int64
    /// What makes it the same pass in all its versions.
    public let identity: PassIdentity
    /// The version in front.
    public let current: StoredVersion

    /// That of the identity: reverse DNS, with the prefix `pass.`.
    public var passTypeIdentifier: String { identity.passTypeIdentifier }
    /// That of the identity: unique within the pass type.
    public var serialNumber: String { identity.serialNumber }
}

/// One version of a pass: one file, and what the verifier and the file itself say of it.
public struct StoredVersion: Sendable, Hashable, Identifiable {
    /// The row number of the version. Once the version is removed another may get it.
    public let id: Int64
    /// The row number of the pass that this is a version of.
    public let passID: Int64
    /// SHA-256 of the pass file, in lower-case hexadecimal digits.
    public let sha256: String
    /// Of the pass file, in bytes.
    public let size: Int
    /// SHA-256 of its manifest, and so of all that the pass says; nil where it has none.
    package let manifestSHA256: String?
    /// What the verifier said when this version arrived last. A version that is not trusted is
    /// here because a person accepted it, and stays marked as what it is.
    public let verdict: Verdict
    /// What decided the verdict.
    public let reasons: [Finding]
    /// What is odd but tolerated.
    public let notes: [Finding]
    /// As the signer says; nil without a signature that says so.
    public let signedAt: Date?
    /// When this version entered the library.
    public let importedAt: Date
    /// `teamIdentifier` of pass.json; empty when the pass names none.
    public let teamIdentifier: String
    /// Who issued the pass: `organizationName` of pass.json, as it is written there.
    public let organizationName: String
    /// What the pass is: `description` of pass.json, as it is written there.
    public let description: String
    /// Nil when the pass names none.
    public let style: PassStyle?
    /// When the pass is of use; nil when it does not say.
    public let relevantDate: Date?
    /// From when on the pass is of no use; nil when it does not say.
    public let expirationDate: Date?
    /// All moments and spans in which it is of use; the first one alone where the library was made before
    /// it kept them.
    public let relevantDates: [RelevantDate]
    /// Whether the issuer says that the pass is of no use any more.
    public let isVoided: Bool
    /// Where this version came from, in order of arrival.
    public let origins: [Origin]
}

/// The order of a list of passes. Ties are broken by row number, so that pages fit together.
public enum PassOrder: Sendable, CaseIterable {
    /// By issuer, then description, then relevant date: how a person looks for a pass.
    case organization
    /// The latest relevant date first; passes without one last.
    case relevantDate
    /// The pass that changed last first.
    case lastUpdate
}
