public import Foundation
public import PassModel

/// The current version of a published pass.
///
/// For example: `let pass = try await store.pass(identity)`
public struct PublishedPass: Sendable, Hashable {
    /// The identity of the pass.
    public let identity: PassIdentity
    /// The SHA-256 of the pass file, in lower-case hexadecimal digits. Nil if it is not signed yet:
    /// see ``TemplateSigner``.
    public let sha256: String?
    /// The size of the pass file, in bytes. Nil if it is not signed yet.
    public let size: Int?
    /// The tag of this version. Tags increase with each publication, across all passes.
    public let tag: Int64
    /// The time of publication, in whole seconds. Always later than that of the previous version,
    /// even if the clock was set back.
    public let modified: Date
    /// The secret part of the address of the download page: 128 random bits, the same for all
    /// versions of the pass.
    public let downloadKey: String
    /// Whether this version is void: Wallet shows the pass as no longer valid.
    public let isVoided: Bool
}

extension PublishedPass {
    /// The strong entity tag (RFC 9110, 8.8.3): `"9f86d081…"`. Nil if the pass is not signed yet.
    ///
    /// For example: `let isCurrent = token == pass.entityTag`
    public var entityTag: String? { sha256.map { "\"\($0)\"" } }
}

/// The result of publishing a pass.
///
/// For example: `let isNew = try await store.publish(verified) == .added`
public enum Publication: String, Sendable, Hashable, CaseIterable, Codable {
    /// The first version of a pass.
    case added
    /// A version that replaces another one.
    case updated
    /// The version that was published already.
    case unchanged
}
