import Foundation
import PassFixtures
import Testing

@testable import PassSigning

@Suite(
    "An identity is a certificate with its key and its issuers, or an error says what is missing")
struct SigningIdentityTests {
    private static func file(_ name: String, key: Bool = false) throws -> [UInt8] {
        let certificate = try TestAuthority.certificate(name)
        return Array(
            try Data(contentsOf: URL(filePath: key ? certificate.keyPath : certificate.path)))
    }

    @Test("the certificate gives pass type, team and validity")
    func facts() throws {
        let identity = try SigningIdentity.ofTests("leaf")
        #expect(identity.passTypeIdentifier == TestAuthority.passType)
        #expect(identity.teamIdentifier == TestAuthority.team)
        #expect(identity.name == "Pass Type ID: \(TestAuthority.passType)")
        #expect(identity.notBefore == Date(timeIntervalSince1970: 1_609_459_200))
    }

    @Test("the issuer is the one whose key signed the certificate, not one with the same name")
    func issuer() throws {
        // Both are named "Sample Intermediate".
        for others in [["impostor", "intermediate"], ["intermediate", "impostor"]] {
            let identity = try SigningIdentity.ofTests("leaf", issuers: others)
            let expected = try run(
                ["openssl", "x509", "-outform", "DER"], input: TestAuthority.pem("intermediate"))
            #expect(identity.issuers == [expected])
        }
    }

    @Test("without its issuer, a certificate cannot sign", arguments: [[], ["impostor"], ["root"]])
    func issuerMissing(others: [String]) {
        #expect(throws: SigningIdentityError.issuerMissing) {
            try SigningIdentity.ofTests("leaf", issuers: others)
        }
    }

    @Test("a certificate that a root issued itself needs no other in the signature")
    func byRoot() throws {
        #expect(try SigningIdentity.ofTests("by-root", issuers: ["root"]).issuers == [])
    }

    @Test("PEM files are joined if they belong together")
    func pairs() throws {
        let issuers = [try TestAuthority.pem("intermediate")]
        func join(_ certificate: [UInt8], _ key: [UInt8]) throws(SigningIdentityError) {
            _ = try SigningIdentity(certificate: certificate, key: key, issuers: issuers)
        }
        let (leaf, key) = (try Self.file("leaf"), try Self.file("leaf", key: true))
        // In one file, in any order.
        try join(leaf + key, leaf + key)
        try join(key + issuers[0] + leaf, key + leaf)
        #expect(throws: SigningIdentityError.keyOfOtherCertificate) {
            try join(leaf, Self.file("rsa", key: true))
        }
        #expect(throws: SigningIdentityError.notAKey) { try join(leaf, leaf) }
        #expect(throws: SigningIdentityError.notACertificate) { try join(key, key) }
        #expect(throws: SigningIdentityError.notACertificate) { try join([], key) }
    }

    @Test("an encrypted key needs its password")
    func password() throws {
        let sealed = try run(
            ["openssl", "pkcs8", "-topk8", "-passout", "pass:sesame"],
            input: Self.file("leaf", key: true))
        let issuers = [try TestAuthority.pem("intermediate")]
        let leaf = try Self.file("leaf")
        func join(_ password: String?) throws(SigningIdentityError) {
            _ = try SigningIdentity(
                certificate: leaf, key: sealed,
                password: password.map { Array($0.utf8) }, issuers: issuers)
        }
        try join("sesame")
        #expect(throws: SigningIdentityError.wrongPassword) { try join("simsim") }
        #expect(throws: SigningIdentityError.passwordNeeded) { try join(nil) }
    }

    @Test("a weak key is refused")
    func weak() throws {
        #expect(throws: SigningIdentityError.unsupportedKey) {
            try SigningIdentity.ofTests("80-bits")
        }
    }

    @Test("Apple's built-in intermediate is the one that Apple publishes")
    func apple() throws {
        // SHA-256 of AppleWWDRCAG4.cer at https://www.apple.com/certificateauthority/
        let fingerprint = "ea4757885538dd8cb59ff4556f676087d83c85e70902c122e42c0808b5bce14c"
        let digests = try AppleIntermediates.certificates.map { der in
            String(
                decoding: try run(["sha256sum"], input: der).prefix(64), as: UTF8.self)
        }
        #expect(digests == [fingerprint])
    }
}
