import Foundation
import PassFixtures
import Testing

@testable import Cryptography
@testable import PassVerification

@Suite("Cached certificates never change a verdict")
struct KnownCertificatesTests {
    @Test("a reused verifier gives the same verdicts as a new one, whatever it has verified before")
    func oneVerifier() throws {
        var passes: [[UInt8]] = []
        for row in VerdictTests.signatures + VerdictTests.signers {
            var pass = TestPass()
            row.change(&pass)
            passes.append(try pass.make().bytes)
        }
        // Verify the same certificates at other times, even outside their validity.
        for date in ["2021-01-02", "2020-12-31", "2022-12-30", "2023-01-02", "2022-06-02"] {
            var pass = TestPass()
            pass.date = date
            passes.append(try pass.make().bytes)
        }
        let verifier = try PassVerifier.ofTests()
        let expected = try passes.map { Said(try PassVerifier.ofTests().verify($0)) }
        #expect(passes.map { Said(verifier.verify($0)) } == expected)
        #expect(passes.reversed().map { Said(verifier.verify($0)) } == expected.reversed())
        #expect(Set(expected.map { $0.verdict }).count > 2)
    }

    /// Everything that a verification reports about a signature.
    struct Said: Equatable {
        let verdict: Verdict
        let reasons: [Finding]
        let notes: [Finding]
        let signer: Signer?
        let signedAt: Date?

        init(_ verification: Verification) {
            (verdict, signer) = (verification.verdict, verification.signer)
            (reasons, notes) = (verification.reasons, verification.notes)
            signedAt = verification.signedAt
        }
    }

    @Test("a damaged signature gives the same result with cached certificates")
    func damage() throws {
        let manifest = Array("{}".utf8)
        let bytes = try TestAuthority.sign(
            manifest, by: ["leaf"], with: ["intermediate"], on: "2022-06-01", ["-binary"])
        let known = KnownCertificates()
        var (apart, whole) = (0, 0)
        for index in bytes.indices {
            for bit in [0x01, 0x80] as [UInt8] {
                var changed = bytes
                changed[index] ^= bit
                let expected = Reading(SignedData(changed), manifest)
                #expect(Reading(SignedData(changed, known: known), manifest) == expected)
                if SplitSignature(changed) == nil { whole += 1 } else { apart += 1 }
            }
        }
        #expect(apart > 1000 && whole > 10)
    }

    /// The result of reading a signature.
    private struct Reading: Equatable {
        var findings: [Finding]?
        var time: SigningTime?
        var signer: String?
        var names: Set<UInt>?

        init(_ signature: consuming SignedData?, _ manifest: [UInt8]) {
            guard let signature = consume signature else { return }
            findings = signature.integrity(over: manifest) + signature.doubts
            time = signature.signingTime
            if let certificate = signature.signer { signer = certificate.fingerprint }
            names = signature.certificates.names
        }
    }
}
