public import Foundation
public import PassModel
public import PassVerification

/// A pass in the library: its identity and its current version.
///
/// In PassKit: `PKPass`, whose texts and fields ``PassLibrary/localized(_:for:)`` returns.
///
/// ```swift
/// for pass in try library.passes() where pass.current.isVoided {
///     print(pass.passTypeIdentifier, pass.serialNumber)
/// }
/// ```
public struct StoredPass: Sendable, Hashable, Identifiable {
    /// The ID shown in lists; never reused for another pass.
    public let id: Int64
    /// The identity, shared by all versions.
    public let identity: PassIdentity
    /// The current version.
    public let current: StoredVersion
    /// Whether the issuer is asked for newer versions automatically. Set with
    /// `passconduit update --off`, or in the window of the library.
    public let updatesAutomatically: Bool
    /// Whether changes of the pass are shown as notifications. Set with `passconduit update --mute`,
    /// or in the window of the library.
    public let showsNotifications: Bool

    /// The pass type identifier: reverse DNS, with the prefix `pass.`.
    public var passTypeIdentifier: String { identity.passTypeIdentifier }
    /// The serial number, unique within the pass type.
    public var serialNumber: String { identity.serialNumber }
    /// The URL that opens the pass with `passconduit open`, as `PKPass.passURL` opens it in Wallet.
    ///
    /// ```swift
    /// print(stored.passURL.absoluteString)  // passconduit:pass/pass.com.example/0001
    /// ```
    public var passURL: URL { identity.passURL }
}

/// A version of a pass: one file and its verdict.
///
/// ```swift
/// for version in try library.versions(of: stored.identity) {
///     print(version.signedAt ?? version.importedAt, version.verdict, version.size)
/// }
/// ```
public struct StoredVersion: Sendable, Hashable, Identifiable {
    /// The ID of the version. It may be reused after the version is removed.
    public let id: Int64
    /// The ID of the pass.
    public let passID: Int64
    /// The SHA-256 of the pass file, in lower-case hexadecimal digits.
    public let sha256: String
    /// The size of the pass file, in bytes.
    public let size: Int
    /// The SHA-256 of its manifest, which identifies its contents; nil without a manifest.
    package let manifestSHA256: String?
    /// The verdict when this version was last added, or a better one before, if only its authority
    /// was missing then. If it is not trusted, the user accepted it, and it stays marked as
    /// untrusted.
    public let verdict: Verdict
    /// The findings behind the verdict.
    public let reasons: [Finding]
    /// Tolerated irregularities.
    public let notes: [Finding]
    /// The signing time, as claimed by the signer; nil without one.
    public let signedAt: Date?
    /// When this version was added to the library.
    public let importedAt: Date
    /// When the import began that added it: the same time for all versions of an import.
    package let arrival: Date
    /// `teamIdentifier` of pass.json; empty if absent.
    public let teamIdentifier: String
    /// `organizationName` of pass.json.
    public let organizationName: String
    /// `description` of pass.json.
    public let description: String
    /// The names of the pass in its languages; nil if the version was added before the library
    /// stored them.
    package let names: PassNames?
    /// The style; nil if absent.
    public let style: PassStyle?
    /// The relevant date; nil if absent.
    public let relevantDate: Date?
    /// The expiration date; nil if absent.
    public let expirationDate: Date?
    /// All relevant dates and intervals; only the first one if the version was added before the
    /// library stored them.
    public let relevantDates: [RelevantDate]
    /// Whether the issuer declared the pass void.
    public let isVoided: Bool
    /// The origins of this version, in order of arrival.
    public let origins: [Origin]
    /// The trust anchor that vouched for this version when it was last added; nil if none did, or if
    /// the version was added before the library recorded anchors.
    public let anchor: StoredAnchor?
}

extension StoredVersion {
    /// Whether the pass has expired at this time; false without an expiration date.
    ///
    /// For example: `let valid = try library.passes().filter { !$0.current.isExpired(at: .now) }`
    public func isExpired(at date: Date) -> Bool {
        expirationDate.map { $0 <= date } ?? false
    }
}

/// The sort order of passes. Ties are broken by ID, so that pages are consistent.
///
/// ```swift
/// let latest = try library.passes(sortedBy: .lastUpdate, limit: 1).first
/// ```
public enum PassOrder: Sendable, CaseIterable {
    /// By issuer, then description, then relevant date.
    case organization
    /// Latest relevant date first; passes without one last.
    case relevantDate
    /// Most recently changed first.
    case lastUpdate
}
