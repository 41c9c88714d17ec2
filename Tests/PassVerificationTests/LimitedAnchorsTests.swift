import Foundation
import PassFixtures
import Testing

@testable import PassVerification

@Suite("An anchor that is limited to pass types vouches for no others")
struct LimitedAnchorsTests {
    /// The type of the passes made here is pass.com.example.test.
    static let matching = "pass.com.example.*"
    static let other = "pass.com.example.other"

    @Test("a pass of another type is untrusted, with the anchor and the type")
    func untrusted() throws {
        let made = try TestPass().make().bytes
        let anchors = TrustAnchors.apple.adding(try anchor("root", for: Self.other))
        let verification = PassVerifier(anchors: anchors).verify(made)
        #expect(verification.verdict == .untrusted)
        #expect(
            verification.reasons == [
                .anchorNotForPassType(anchor: "Sample Root", passType: "pass.com.example.test")
            ])
        #expect(verification.reasonCodes == ["anchor-not-for-pass-type"])
        #expect(verification.signer?.anchor == nil)
        #expect(verification.verified?.anchor == nil)
    }

    @Test("a pass of its types is trusted, under this anchor")
    func trusted() throws {
        let made = try TestPass().make().bytes
        let limited = try anchor("root", for: Self.matching)
        let verification = PassVerifier(anchors: TrustAnchors.apple.adding(limited)).verify(made)
        #expect(verification.verdict == .trusted)
        #expect(verification.verified?.anchor == limited)
        #expect(limited.origin == .own)
    }

    /// The chain leads through the intermediate to the root, and OpenSSL stops at the first anchor.
    @Test(
        "another anchor of the chain may vouch for the pass",
        arguments: [
            (["root": nil, "intermediate": other], "Sample Root"),
            (["root": other, "intermediate": nil], "Sample Intermediate"),
            (["root": matching, "intermediate": other], "Sample Root"),
            (["root": other, "intermediate": other], nil),
        ] as [([String: String?], String?)])
    func several(limits: [String: String?], expected: String?) throws {
        let made = try TestPass().make().bytes
        var anchors = TrustAnchors.none
        for (name, pattern) in limits { anchors = anchors.adding(try anchor(name, for: pattern)) }
        let verification = PassVerifier(anchors: anchors).verify(made)
        #expect(verification.verified?.anchor?.name == expected)
        #expect(verification.verdict == (expected == nil ? .untrusted : .trusted))
    }

    @Test("the same certificate without limits counts, in any order")
    func sameCertificate() throws {
        let made = try TestPass().make().bytes
        let (limited, unlimited) = (
            try anchor("root", for: Self.other), try anchor("root", for: nil)
        )
        for anchors in [[limited, unlimited], [unlimited, limited]] {
            let all = anchors.reduce(TrustAnchors.none) { $0.adding($1) }
            #expect(all.all == [unlimited])
            #expect(PassVerifier(anchors: all).verify(made).verdict == .trusted)
        }
        let both = TrustAnchors.none.adding(limited)
            .adding(try anchor("root", for: Self.matching))
        #expect(both.all.count == 1)
        #expect(PassVerifier(anchors: both).verify(made).verdict == .trusted)
    }

    @Test("another certificate with the same name and key, but without limits, counts")
    func sameKey() throws {
        let made = try TestPass().make().bytes
        let root = try TestAuthority.certificate("root")
        let renewed = try run(
            [
                "faketime", "2021-02-03 00:00:00", "openssl", "req", "-x509", "-new", "-key",
                root.keyPath, "-subj", "/CN=Sample Root", "-days", "9000", "-addext",
                "basicConstraints=critical,CA:TRUE",
            ], input: [])
        let limited = TrustAnchors.none.adding(try anchor("root", for: Self.other))
        #expect(PassVerifier(anchors: limited).verify(made).verdict == .untrusted)
        let anchors = try limited.adding(renewed)
        #expect(anchors.all.count == 2)
        let verification = PassVerifier(anchors: anchors).verify(made)
        #expect(verification.verdict == .trusted)
        #expect(verification.verified?.anchor == anchors.all.last)
    }

    @Test("a verifier used for several types remembers each")
    func remembered() throws {
        let made = try TestPass().make().bytes
        var pass = TestPass()
        pass.files[0].text = pass.files[0].text.replacing(TestAuthority.passType, with: Self.other)
        let foreign = try pass.make().bytes
        let verifier = PassVerifier(
            anchors: TrustAnchors.none.adding(try anchor("root", for: TestAuthority.passType)))
        for _ in 0..<2 {
            #expect(verifier.verify(made).verdict == .trusted)
            let codes = verifier.verify(foreign).reasonCodes
            #expect(codes.first == "anchor-not-for-pass-type")
        }
    }

    @Test("an anchor is found by its fingerprint, if it vouches for the pass type")
    func fingerprint() throws {
        let apple = try #require(TrustAnchors.apple.all.first)
        #expect(apple.origin == .apple)
        let limited = try anchor("root", for: Self.other)
        let anchors = TrustAnchors.apple.adding(limited)
        #expect(anchors.vouch(for: "pass.any", by: apple.fingerprint))
        #expect(anchors.vouch(for: Self.other, by: limited.fingerprint))
        #expect(!anchors.vouch(for: TestAuthority.passType, by: limited.fingerprint))
        #expect(!TrustAnchors.apple.vouch(for: Self.other, by: limited.fingerprint))
    }

    private func anchor(_ name: String, for pattern: String?) throws -> TrustAnchor {
        let anchors = try TrustAnchors(certificates: [try TestAuthority.pem(name)])
        return try #require(anchors.all.first)
            .vouching(onlyFor: try pattern.map { [try PassTypePattern($0)] })
    }
}
