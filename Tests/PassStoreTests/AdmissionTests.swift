import Foundation
import PassVerification
import Testing

@testable import PassStore

@Suite("The newest version of a pass is the current one, and trust takes precedence over time")
struct AdmissionTests {
    /// Each rank takes precedence over those before it.
    static let ascending: [VersionRank] = [
        rank(.unsigned, nil, nil, "a"),
        rank(.unsigned, nil, nil, "b"),
        rank(.unsigned, nil, 5, "a"),
        rank(.unsigned, nil, 6, "a"),
        rank(.untrusted, nil, nil, "a"),
        rank(.untrusted, 10_000, nil, "a"),
        rank(.untrusted, 10_000, nil, "b", of: .apple),
        rank(.trusted, 10_000, nil, "a", of: nil),
        rank(.trusted, 10_000, 9, "a", of: .own),
        rank(.trusted, 10, 9, "z"),
        rank(.trusted, 20, nil, "a"),
        rank(.trusted, 20, nil, "b"),
        rank(.trusted, 20, 7, "a"),
        rank(.trusted, 30, 1, "a"),
    ]

    @Test("of any two different versions, one takes precedence")
    func total() {
        for (left, lower) in Self.ascending.enumerated() {
            for (right, upper) in Self.ascending.enumerated() {
                #expect((lower < upper) == (left < right), "\(lower) \(upper)")
            }
        }
    }

    private static func rank(
        _ verdict: Verdict, _ signedAt: Double?, _ firstSeen: Double?, _ sha256: String,
        of origin: TrustAnchor.Origin? = .apple
    ) -> VersionRank {
        VersionRank(
            verdict: verdict, anchorOrigin: origin,
            signedAt: signedAt.map(Date.init(timeIntervalSince1970:)),
            firstSeen: firstSeen.map(Date.init(timeIntervalSince1970:)), sha256: sha256)
    }
}
