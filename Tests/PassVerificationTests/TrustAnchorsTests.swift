import Foundation
import PassFixtures
import Testing

@testable import Cryptography
@testable import PassVerification

@Suite("Trust anchors are read from their certificates")
struct TrustAnchorsTests {
    @Test("PEM with text around it and DER give the same certificate")
    func forms() throws {
        let pem = try TestAuthority.pem("root")
        let noted = try run(["openssl", "x509", "-text"], input: pem)
        let der = try run(["openssl", "x509", "-outform", "DER"], input: pem)
        let anchors = try TrustAnchors(certificates: [pem])
        #expect(anchors.all.map(\.name) == ["Sample Root"])
        #expect(try TrustAnchors(certificates: [noted]) == anchors)
        #expect(try TrustAnchors(certificates: [der]) == anchors)
        #expect(try anchors.adding(der) == anchors)
        let line = try run(
            ["openssl", "x509", "-noout", "-fingerprint", "-sha256"], input: pem)
        let fingerprint = String(decoding: line, as: UTF8.self).split(separator: "=")[1]
            .replacing(":", with: "").lowercased().trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(anchors.all.map(\.fingerprint) == [fingerprint])
        // The clock given to openssl advances while it makes the key.
        let notBefore = try #require(anchors.all.first).notBefore.timeIntervalSince1970
        #expect((1_577_836_800..<1_577_836_860).contains(notBefore))
    }

    @Test("all certificates of a PEM file are read")
    func several() throws {
        let both = try TestAuthority.pem("root") + TestAuthority.pem("stranger")
        #expect(
            try TrustAnchors(certificates: [both]).all.map(\.name) == ["Sample Root", "Stranger"])
    }

    /// The label of another PEM block, assembled so that scanners for secrets see none here.
    private static let other = ["PRIVATE", "KEY"].joined(separator: " ")

    @Test(
        "other data is refused",
        arguments: [
            ("", TrustAnchorError.notACertificate), ("hello", .notACertificate),
            ("0", .notACertificate), ("-----BEGIN CERTIFICATE-----\nAA\n", .notACertificate),
            ("-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----\n", .notACertificate),
            ("-----BEGIN \(other)-----\nAA\n-----END \(other)-----\n", .noCertificate),
        ])
    func refused(text: String, expected: TrustAnchorError) {
        #expect(throws: expected) { try TrustAnchors(certificates: [Array(text.utf8)]) }
    }

    @Test("bytes after a certificate are refused")
    func trailing() throws {
        let der = try run(
            ["openssl", "x509", "-outform", "DER"],
            input: try TestAuthority.pem("root"))
        #expect(throws: TrustAnchorError.notACertificate) {
            try TrustAnchors(certificates: [der + [0]])
        }
    }

    @Test("every anchor of Apple becomes an authority")
    func apple() {
        #expect(TrustAnchors.apple.all.count == 10)
        for anchor in TrustAnchors.apple.all {
            let isMade =
                switch anchor.material.certificate {
                case .some(let certificate):
                    abs(certificate.notAfter.timeIntervalSince(anchor.notAfter)) < 1
                case nil: false
                }
            #expect(isMade, "\(anchor.name)")
        }
    }

    @Test(
        "Apple's anchors match the published certificates",
        .enabled(
            if: FileManager.default.fileExists(atPath: publishedFacts.path()),
            "no published facts beside this checkout"))
    func facts() throws {
        struct Facts: Decodable {
            struct Anchor: Decodable {
                let subjectDER, spki, certificateSHA256: String
                let notBefore, notAfter: String
            }
            let anchors: [Anchor]
        }
        let facts = try JSONDecoder().decode(Facts.self, from: try Data(contentsOf: publishedFacts))
        let rows = AppleTrustAnchors.rows
        #expect(rows.map(\.subject) == facts.anchors.map(\.subjectDER))
        #expect(rows.map(\.key) == facts.anchors.map(\.spki))
        #expect(rows.map(\.fingerprint) == facts.anchors.map(\.certificateSHA256))
        let dates = facts.anchors.map { [$0.notBefore, $0.notAfter] }
        let seconds = try dates.map { try $0.map { try Date($0, strategy: .iso8601) } }
            .map { $0.map { Int($0.timeIntervalSince1970) } }
        #expect(rows.map { [$0.notBefore, $0.notAfter] } == seconds)
    }
}

private let publishedFacts = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/facts/apple-trust-anchors.json").standardizedFileURL
