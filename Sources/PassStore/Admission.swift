internal import Foundation
internal import PassVerification

/// What became of a pass that arrived.
public enum Admission: String, Sendable, Codable {
    /// The library did not have this pass.
    case added
    /// The library had this pass; another version, or another judgement of it, is now in front.
    case updated
    /// The library had this version already.
    case unchanged
    /// The library has a newer version in front; this one joined the history.
    case older
}

/// What became of a pass that arrived, and of the one in its place.
package struct Admitted: Sendable {
    package let admission: Admission
    /// SHA-256 of the version that was in front until then, where this one is `updated`. It may be the
    /// same, judged anew.
    package let replaced: String?

    init(_ admission: Admission, replaced: String? = nil) {
        self.admission = admission
        self.replaced = replaced
    }
}

/// What decides which version of a pass is in front: the greatest.
///
/// Nothing in it depends on the order of arrival, so an archive may be read in any order, by any
/// number of processes, and the same version ends in front.
struct VersionRank: Comparable {
    let verdict: Verdict
    /// The signing time.
    let signedAt: Date?
    /// The earliest date of a mail that brought this version.
    let firstSeen: Date?
    let sha256: String

    /// - A version with the better verdict wins whatever the times say: a pass without a signature,
    ///   or by a signer nobody vouches for, can claim any time, and must never displace a pass that
    ///   is known to come from its issuer.
    /// - Then the later signing time.
    /// - Where it is the same, or there is none, the version that first appeared in a later mail.
    ///   Not the one that appeared last: an old ticket that is forwarded again stays old.
    /// - Then the digest, which means nothing but is the same everywhere.
    static func < (left: VersionRank, right: VersionRank) -> Bool {
        if left.verdict != right.verdict { return left.verdict.rank < right.verdict.rank }
        if left.signedAt != right.signedAt {
            return left.signedAt ?? .distantPast < right.signedAt ?? .distantPast
        }
        if left.firstSeen != right.firstSeen {
            return left.firstSeen ?? .distantPast < right.firstSeen ?? .distantPast
        }
        return left.sha256 < right.sha256
    }
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
