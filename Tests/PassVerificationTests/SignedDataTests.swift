import Foundation
import PassFixtures
import Testing

@testable import Cryptography
@testable import PassVerification

@Suite("A signature gives the statements of its signer, or does not verify")
struct SignedDataTests {
    @Test("no flipped bit changes the signing time of a valid signature, and none causes a trap")
    func damage() throws {
        let manifest = Array("{}".utf8)
        let bytes = try TestAuthority.sign(
            manifest, by: ["leaf"], with: [], on: "2022-06-01", ["-binary"])
        let time = SigningTime.at(try Date("2022-06-01T12:00:00Z", strategy: .iso8601))
        var verified = 0
        for index in bytes.indices {
            for bit in [0x01, 0x20, 0x80] as [UInt8] {
                var changed = bytes
                changed[index] ^= bit
                guard let signature = SignedData(changed) else { continue }
                let findings = signature.integrity(over: manifest)
                _ = signature.doubts
                if let signer = signature.signer {
                    _ = (signer.name, signer.extendedKeyUsage, signer.issuerName, signer.notAfter)
                    _ = signer.extensions(PassCertificate.passType).map(PassCertificate.utf8String)
                }
                guard findings.isEmpty else { continue }
                verified += 1
                let signed = signature.signingTime
                #expect(signed == time, "byte \(index)")
            }
        }
        // The chain protects names and dates of the certificate.
        #expect(verified > 0)
    }

    @Test("a signature of empty data does not verify for other data")
    func nothing() throws {
        let bytes = try TestAuthority.sign(
            [], by: ["leaf"], with: [], on: "2022-06-01", ["-binary"])
        guard let signature = SignedData(bytes) else {
            Issue.record("no signature")
            return
        }
        let verdicts = [signature.verifies(over: []), signature.verifies(over: [0])]
        #expect(verdicts == [true, false])
    }

    @Test("an unknown digest algorithm leaks no memory")
    func unknownDigest() throws {
        var bytes = try TestAuthority.sign(
            [], by: ["leaf"], with: [], on: "2022-06-01", ["-binary"])
        // The first occurrence is the digest algorithm that the signature requests.
        let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        let place = try #require(bytes.firstRange(of: sha256))
        bytes[place.upperBound - 1] = 0x7F
        guard let signature = SignedData(bytes) else {
            Issue.record("no signature")
            return
        }
        var pages: [Int] = []
        for times in [1_000, 20_000] {
            let verified = (0..<times).contains { _ in signature.verifies(over: [0]) }
            #expect(!verified)
            pages.append(try residentPages())
        }
        // Less than 100 bytes leak each time.
        #expect(pages[1] < pages[0] + 400)
    }

    private func residentPages() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            .split(separator: " ")
        return try #require(Int(fields[1]))
    }

    @Test("every truncated signature is refused or does not verify")
    func truncated() throws {
        let manifest = Array("{}".utf8)
        let bytes = try TestAuthority.sign(
            manifest, by: ["leaf"], with: [], on: "2022-06-01", ["-binary"])
        for count in bytes.indices {
            guard let signature = SignedData(Array(bytes[..<count])) else { continue }
            let findings = signature.integrity(over: manifest)
            #expect(!findings.isEmpty)
        }
    }

    @Test(
        "digests, certificates and signers are counted in DER and BER, complete or not",
        arguments: [
            ("3080 0600 a080 3080 0200 3180 3000 3000 0000 3000 3100", [2, 0, 0]),
            ("300e 0600 a00a 3008 0200 3100 3000 3100", [0, 0, 0]),
            ("3010 0600 a00c 300a 0200 3102 3000 3000 3100", [1, 0, 0]),
            ("3080 0600 a080 3080 0200 3100 3000 a080 3000 a180 0000 0000 3102 3000", [0, 2, 1]),
            ("3080 0600 a080 3080 0200 3100 3000 a006 3002 0200 3000 a102 3000 3100", [0, 2, 0]),
            ("3080 0600 a080 3080 0200 3100 3000 3106 3000 3000 3000", [0, 0, 3]),
            ("3008 0600 a004 3002 0200", nil), ("3085 0000000000", nil), ("", nil),
            ("3010 0600 a00c 300a 0200 3102 3080 3000 3100", nil),
            ("3080 0600 a080 3080 0200 3180 3000", nil),
            ("3080 0600 a080 3080 0200 3100 3000 a080 3000 3100", nil),
            ("3080 0600 a080 3080 0200 3100 3000", nil),
        ] as [(String, [Int]?)])
    func counts(hexadecimal: String, counts: [Int]?) throws {
        let digits = Array(hexadecimal.filter { $0 != " " })
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0..<$0 + 2]), radix: 16)
        }
        let found = SignatureCounts(in: bytes)
        #expect(found.map { [$0.digests, $0.certificates, $0.signers] } == counts)
    }

    @Test(
        "the text of a UTF8String",
        arguments: [
            ([0x0c, 1, 0x61], "a"), ([0x0c, 0], ""), ([0x0c, 2, 0x61], nil), ([0x0c], nil),
            ([0x0c, 1, 0x61, 0x61], nil), ([0x13, 1, 0x61], nil), ([0x0c, 0x81, 1, 0x61], nil),
            (
                [0x0c, 0x81, 0x80] + Array(repeating: 0x61, count: 128),
                String(repeating: "a", count: 128)
            ),
        ] as [([UInt8], String?)])
    func utf8String(der: [UInt8], text: String?) {
        #expect(PassCertificate.utf8String(der) == text.map { Array($0.utf8) })
    }
}
