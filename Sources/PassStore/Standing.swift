internal import PassVerification

/// How far a version is vouched for. It takes precedence over every time.
struct Standing: Comparable {
    let verdict: Verdict
    /// Who chose the anchor that vouches for it; nil if none does.
    let anchorOrigin: TrustAnchor.Origin?

    /// - The better verdict is greater: an unsigned pass, or one by an untrusted signer, can claim
    ///   any time, and must never displace a pass known to come from its issuer.
    /// - Of trusted versions, one that Apple vouches for: with an authority of their own, users
    ///   test passes, or accept those of one issuer, which must not displace passes of others.
    static func < (left: Standing, right: Standing) -> Bool {
        if left.verdict != right.verdict { return left.verdict.rank < right.verdict.rank }
        return !left.isApples && right.isApples
    }

    /// All origins of anchors but Apple's are equal.
    static func == (left: Standing, right: Standing) -> Bool { !(left < right) && !(right < left) }

    /// Whether a worse judgement of the same file does not count: all that is said against the pass
    /// is that it was verified without its authority, or at another time.
    ///
    /// Other reasons count, even if the pass was trusted before: an earlier version of this program
    /// did not find them.
    func outlasts(_ other: Standing, _ reasons: [Finding]) -> Bool {
        other < self
            && reasons.allSatisfy { reason in
                switch reason {
                case .noPathToAnchor, .anchorNotForPassType, .certificateNotValid,
                    .signingTimeInFuture:
                    true
                case .chainInvalid(.noAnchor): anchorOrigin != .apple
                case .chainInvalid: anchorOrigin == .own || anchorOrigin == .given
                default: false
                }
            }
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
