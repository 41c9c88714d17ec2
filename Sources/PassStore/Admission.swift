internal import Foundation
internal import PassVerification

/// The result of adding a pass.
///
/// ```swift
/// for admission in try library.add([incoming]) where admission == .older {
///     print("a better version is in the library")
/// }
/// ```
public enum Admission: String, Sendable, Codable {
    /// The pass is new to the library.
    case added
    /// The pass was known; this version, or a new verdict on it, is now current.
    case updated
    /// The version was known.
    case unchanged
    /// A newer or more trusted version is current; this one was added to the history.
    case older
}

/// The result of adding a pass, and the version that it replaced.
package struct Admitted: Sendable {
    package let admission: Admission
    /// The SHA-256 of the previously current version, if the result is `updated`. It may be the
    /// same version with a new verdict.
    package let replaced: String?
    /// Whether the user wants notifications of changes of this pass.
    package let showsNotifications: Bool

    init(_ admission: Admission, replaced: String? = nil, showsNotifications: Bool = true) {
        self.admission = admission
        self.replaced = replaced
        self.showsNotifications = showsNotifications
    }
}

/// The order that determines the current version of a pass: the greatest.
///
/// It does not depend on the order of arrival, so any number of processes may read an archive in
/// any order with the same result.
struct VersionRank: Comparable {
    let verdict: Verdict
    /// Who chose the anchor that vouches for it; nil if none does.
    let anchorOrigin: TrustAnchor.Origin?
    /// The signing time.
    let signedAt: Date?
    /// The earliest date of a message with this version.
    let firstSeen: Date?
    let sha256: String

    /// - The better verdict wins, whatever the signing times: an unsigned pass, or one by an
    ///   untrusted signer, can claim any time, and must never displace a pass known to come from
    ///   its issuer.
    /// - Of trusted versions, one that Apple vouches for: with an authority of their own, users test
    ///   passes, or accept those of one issuer, which must not displace passes of others.
    /// - Then the later signing time.
    /// - If it is equal or absent, the version whose earliest message is later. Later messages do
    ///   not count: an old ticket stays old when it is forwarded again.
    /// - Then the digest, an arbitrary but consistent order.
    static func < (left: VersionRank, right: VersionRank) -> Bool {
        if left.verdict != right.verdict { return left.verdict.rank < right.verdict.rank }
        if left.isApples != right.isApples { return right.isApples }
        if left.signedAt != right.signedAt {
            return left.signedAt ?? .distantPast < right.signedAt ?? .distantPast
        }
        if left.firstSeen != right.firstSeen {
            return left.firstSeen ?? .distantPast < right.firstSeen ?? .distantPast
        }
        return left.sha256 < right.sha256
    }

    private var isApples: Bool { verdict == .trusted && anchorOrigin == .apple }
}

extension Verdict {
    fileprivate var rank: Int {
        switch self {
        case .malformed, .tampered: 0
        case .unsigned: 1
        case .untrusted: 2
        case .trusted: 3
        }
    }
}
