import Foundation
import PassVerification
import Testing

@testable import PassStore

@Suite("The newest version of a pass is in front, and trust comes before time")
struct AdmissionTests {
    /// Each stands in front of those before it.
    static let ascending: [Standing] = [
        standing(.unsigned, nil, nil, "a"),
        standing(.unsigned, nil, nil, "b"),
        standing(.unsigned, nil, 5, "a"),
        standing(.unsigned, nil, 6, "a"),
        standing(.untrusted, nil, nil, "a"),
        standing(.untrusted, 10_000, nil, "a"),
        standing(.trusted, 10, 9, "z"),
        standing(.trusted, 20, nil, "a"),
        standing(.trusted, 20, nil, "b"),
        standing(.trusted, 20, 7, "a"),
        standing(.trusted, 30, 1, "a"),
    ]

    @Test("in every pair of different versions one is in front")
    func total() {
        for (left, lower) in Self.ascending.enumerated() {
            for (right, upper) in Self.ascending.enumerated() {
                #expect((lower < upper) == (left < right), "\(lower) \(upper)")
            }
        }
    }

    private static func standing(
        _ verdict: Verdict, _ signedAt: Double?, _ firstSeen: Double?, _ sha256: String
    ) -> Standing {
        Standing(
            verdict: verdict, signedAt: signedAt.map(Date.init(timeIntervalSince1970:)),
            firstSeen: firstSeen.map(Date.init(timeIntervalSince1970:)), sha256: sha256)
    }
}
