import Foundation
import PassFixtures
import Testing

@testable import Cryptography

/// Checked by the openssl program and by Python's cryptography.
@Suite("A detached signature verifies, and its signed attributes are right")
struct DetachedSignerTests {
    private static let rows: [(certificate: String, algorithm: String)] = [
        ("rsa", "rsa"), ("leaf", "ecdsaWithSHA256"),
    ]

    @Test("with RSA and with P-256", arguments: rows, [0, 1, 100_000])
    func verified(row: (certificate: String, algorithm: String), count: Int) throws {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let signature = try signature(
            by: row.certificate, over: content, at: "2022-03-04T05:06:07Z")
        #expect(try TestAuthority.opensslVerifies(signature, over: content))
        #expect(try !TestAuthority.opensslVerifies(signature, over: content + [0]))
        let found = try Found(signature, content)
        let subject = "OU=TEAM123456,CN=Pass Type ID: pass.com.example.test"
        #expect(found.signer.contains(subject))
        #expect(found.subjects.count == 2)
        #expect(found.subjects.contains("CN=Sample Intermediate"))
        #expect(found.attributes == ["contentType", "messageDigest", "signingTime"])
        #expect(found.isOrdered)
        #expect(found.contentType == "data")
        #expect(found.digestAlgorithm == "sha256")
        #expect(found.algorithm == row.algorithm)
        #expect(found.hasDigest)
        #expect(found.verifies)
        #expect(found.timeTag == 0x17)
        #expect(found.time == "220304050607Z")
        #expect(try !Found(signature, content + [0]).hasDigest)
    }

    @Test(
        "the signing time in the form for its century (RFC 5652, 11.3)",
        arguments: [
            ("1949-12-31T23:59:59Z", 0x18, "19491231235959Z"),
            ("1950-01-01T00:00:00Z", 0x17, "500101000000Z"),
            ("1999-12-31T23:59:59Z", 0x17, "991231235959Z"),
            ("2049-12-31T23:59:59Z", 0x17, "491231235959Z"),
            ("2050-01-01T00:00:00Z", 0x18, "20500101000000Z"),
        ])
    func times(date: String, tag: Int, text: String) throws {
        let found = try Found(try signature(by: "leaf", over: [1], at: date), [1])
        #expect(found.timeTag == tag)
        #expect(found.time == text)
    }

    @Test("certificates that are given twice are embedded once")
    func repeated() throws {
        let others = ["leaf", "intermediate", "intermediate"]
        let signature = try signature(
            by: "leaf", with: others, over: [1], at: "2022-03-04T05:06:07Z")
        #expect(try Found(signature, [1]).subjects.count == 2)
        #expect(try TestAuthority.opensslVerifies(signature, over: [1]))
    }

    @Test("an error of the key is passed on, and damaged certificates are refused")
    func failures() throws {
        struct Refused: Error {}
        let certificate = try der("leaf")
        let signer = try #require(DetachedSigner(certificate: certificate, others: []))
        #expect(throws: Refused.self) {
            try signer.signature(over: [1], at: .now) { _ throws(Refused) in throw Refused() }
        }
        #expect(DetachedSigner(certificate: [0x30], others: []) == nil)
        #expect(DetachedSigner(certificate: certificate, others: [[0x30]]) == nil)
    }

    @Test("our own reader agrees with openssl and Python")
    func ownReader() throws {
        let signature = try signature(by: "rsa", over: [1, 2], at: "2022-03-04T05:06:07Z")
        let verifies = SignedData(signature)?.verifies(over: [1, 2])
        let time = SignedData(signature)?.signingTime
        #expect(verifies == true)
        #expect(time == .at(try Date("2022-03-04T05:06:07Z", strategy: .iso8601)))
    }

    private func signature(
        by name: String, with others: [String] = ["intermediate"], over content: [UInt8],
        at date: String
    ) throws -> [UInt8] {
        let keyFile = URL(filePath: try TestAuthority.certificate(name).keyPath)
        let key = try PrivateKey(
            pem: Secret(Array(try Data(contentsOf: keyFile))), password: nil)
        let signer = try #require(
            DetachedSigner(certificate: try der(name), others: try others.map(der)))
        let time = try Date(date, strategy: .iso8601)
        let signature = try signer.signature(over: content, at: time) { attributes in
            try #require(key.sign(attributes))
        }
        return try #require(signature)
    }

    private func der(_ name: String) throws -> [UInt8] {
        try #require(Certificate.list(in: try TestAuthority.pem(name))?.first)
    }
}

/// What `detached_signature.py` prints.
private struct Found: Decodable {
    let subjects, attributes: [String]
    let signer, contentType, time, digestAlgorithm, algorithm: String
    let isOrdered, hasDigest, verifies: Bool
    let timeTag: Int

    init(_ signature: [UInt8], _ content: [UInt8]) throws {
        let output = try withFiles([signature, content]) { files in
            try python("detached_signature.py", files)
        }
        self = try JSONDecoder().decode(Found.self, from: Data(output))
    }
}
