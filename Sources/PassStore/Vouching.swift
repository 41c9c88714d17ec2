public import PassVerification

/// The trust anchor that vouches for a version of a pass.
///
/// ```swift
/// if let anchor = version.anchor { print(anchor.origin, anchor.fingerprint) }
/// ```
public struct StoredAnchor: Sendable, Hashable {
    /// The SHA-256 of its certificate, in lower-case hexadecimal digits.
    public let fingerprint: String
    /// Who chose it.
    public let origin: TrustAnchor.Origin
}

extension StoredPass {
    /// Whether a version that was trusted when it was added still is, with these anchors; nil if it
    /// was not, if its anchor is unknown, or if it was given on that occasion only. A list marks
    /// passes for which this is false; nil is no reason for a mark.
    ///
    /// For example: `if try stored.isVouchedFor(by: PassVerifier.default.anchors) == false { print("!") }`
    ///
    /// - Parameters:
    ///   - version: A version of this pass; nil for the current one.
    ///   - anchors: The anchors that are trusted now.
    public func isVouchedFor(
        _ version: StoredVersion? = nil, by anchors: TrustAnchors
    ) -> Bool? {
        let version = version ?? current
        guard version.verdict == .trusted, let anchor = version.anchor else { return nil }
        if anchors.vouch(for: passTypeIdentifier, by: anchor.fingerprint) { return true }
        return anchor.origin == .given ? nil : false
    }
}

extension StoredVersion {
    /// Whether a version that was trusted when it was added still is, as it was verified again; nil
    /// if it was not, or if its anchor was given on that occasion only.
    package func isVouchedFor(by verification: Verification) -> Bool? {
        guard verdict == .trusted else { return nil }
        if verification.verdict == .trusted { return true }
        return anchor?.origin == .given ? nil : false
    }
}
