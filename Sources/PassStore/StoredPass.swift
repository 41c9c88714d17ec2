public import Foundation
public import PassModel
public import PassVerification

/// A pass in the library: its identity, and the version of it that is in front.
public struct StoredPass: Sendable, Hashable, Identifiable {
    /// The row number that a list shows; never used again for another pass.
    public let id: Int64
    public let identity: PassIdentity
    /// The version in front.
    public let current: StoredVersion

    public var passTypeIdentifier: String { identity.passTypeIdentifier }
    public var serialNumber: String { identity.serialNumber }
}

/// One version of a pass: one file, and what the verifier and the file itself say of it.
public struct StoredVersion: Sendable, Hashable, Identifiable {
    public let id: Int64
    /// The row number of the pass that this is a version of.
    public let passID: Int64
    /// SHA-256 of the pass file, in lower-case hexadecimal digits.
    public let sha256: String
    /// Of the pass file, in bytes.
    public let size: Int
    /// What the verifier said when this version arrived last. A version that is not trusted is
    /// here because a person accepted it, and stays marked as what it is.
    public let verdict: Verdict
    /// What decided the verdict.
    public let reasons: [Finding]
    /// What is odd but tolerated.
    public let notes: [Finding]
    public let signedAt: Date?
    /// When this version entered the library.
    public let importedAt: Date
    public let teamIdentifier: String
    public let organizationName: String
    public let description: String
    /// Nil when the pass names none.
    public let style: PassStyle?
    public let relevantDate: Date?
    public let expirationDate: Date?
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
