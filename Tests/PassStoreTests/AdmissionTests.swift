import Foundation
import PassVerification
import Testing

@testable import PassStore

@Suite("The newest version of a pass is the current one, and trust takes precedence over time")
struct AdmissionTests {
    /// Each rank takes precedence over those before it.
    static let ascending: [VersionRank] = [
        rank(.unsigned, nil, 3),
        rank(.unsigned, nil, 4),
        rank(.untrusted, nil, 1),
        rank(.untrusted, 10_000, 1),
        rank(.untrusted, 10_000, 2, of: .apple),
        rank(.trusted, 10_000, 1, of: nil),
        rank(.trusted, 10_000, 2, of: .own),
        rank(.trusted, 10_000, 3, of: .given),
        rank(.trusted, 10, 9),
        rank(.trusted, 20, 2),
        rank(.trusted, 20, 3),
        rank(.trusted, 30, 1),
    ]

    @Test("of any two different versions, one takes precedence")
    func total() {
        for (left, lower) in Self.ascending.enumerated() {
            for (right, upper) in Self.ascending.enumerated() {
                #expect((lower < upper) == (left < right), "\(lower) \(upper)")
            }
        }
    }

    private static let noPath = Finding.noPathToAnchor(certificate: "a", issuer: "b")

    @Test(
        "a worse judgement counts, unless only the authority or the time is against the pass",
        arguments: [
            (.trusted, .own, [noPath], false),
            (.trusted, .apple, [noPath], false),
            (.trusted, .given, [.anchorNotForPassType(anchor: "a", passType: "b")], false),
            (.trusted, .own, [.signingTimeInFuture(.now)], false),
            (
                .trusted, .apple,
                [.certificateNotValid(name: "a", from: .now, to: .now, at: .now)], false
            ),
            (.trusted, nil, [.chainInvalid(.noAnchor)], false),
            (.trusted, .apple, [.chainInvalid(.noAnchor)], true),
            (.trusted, .apple, [noPath, .wrongPurpose], true),
            (.trusted, .own, [.severalSigners], true),
            (.untrusted, nil, [noPath], true),
            (.unsigned, nil, [noPath], true),
        ] as [(Verdict, TrustAnchor.Origin?, [Finding], Bool)])
    func judgedAgain(
        verdict: Verdict, origin: TrustAnchor.Origin?, reasons: [Finding], counts: Bool
    ) {
        let known = Standing(verdict: verdict, anchorOrigin: origin)
        let new = Standing(verdict: .untrusted, anchorOrigin: nil)
        #expect(known.outlasts(new, reasons) == !counts)
    }

    private static func rank(
        _ verdict: Verdict, _ signedAt: Double?, _ arrival: Int64,
        of origin: TrustAnchor.Origin? = .apple
    ) -> VersionRank {
        VersionRank(
            standing: Standing(verdict: verdict, anchorOrigin: origin),
            signedAt: signedAt.map(Date.init(timeIntervalSince1970:)), arrival: arrival)
    }
}
