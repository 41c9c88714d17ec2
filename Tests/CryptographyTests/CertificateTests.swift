import Foundation
import PassFixtures
import Testing

@testable import Cryptography

@Suite("Certificates are read from files, and their issuers and keys are recognised")
struct CertificateTests {
    private struct Damaged: Error {}

    @Test("openssl's issuer is the issuer, and no other certificate is")
    func issuers() throws {
        for (name, issuer, isIssuer) in [
            ("leaf", "intermediate", true), ("rsa", "intermediate", true),
            ("intermediate", "root", true), ("root", "root", true), ("leaf", "root", false),
            ("leaf", "leaf", false), ("intermediate", "leaf", false),
            // Equal names: the key identifiers differ, or without them, the signatures.
            ("forged", "intermediate", false), ("forged-bare", "intermediate", false),
            ("forged", "impostor", true), ("leaf", "impostor", false),
        ] {
            let (subject, authority) = (try der(name), try der(issuer))
            guard let parsed = Certificate(der: subject), let other = Certificate(der: authority)
            else { throw Damaged() }
            let isFound = parsed.isSigned(by: other)
            #expect(isFound == isIssuer, "\(name) by \(issuer)")
        }
    }

    @Test("a self-issued certificate", arguments: [("root", true), ("leaf", false)])
    func selfIssued(name: String, expected: Bool) throws {
        let isSelfIssued = Certificate(der: try der(name))?.isSelfIssued
        #expect(isSelfIssued == expected)
    }

    @Test("the bytes and the serial number, as openssl has them")
    func fields() throws {
        let der = try der("leaf")
        let (own, number) = (Certificate(der: der)?.der, Certificate(der: der)?.serialNumber)
        #expect(own == der)
        let text = String(
            decoding: try openssl("x509 -inform DER -noout -serial", der), as: UTF8.self)
        #expect(text == "serial=\(try #require(number).uppercased())\n")
    }

    @Test("keys that Wallet does not accept are named")
    func unusualKeys() throws {
        // Public keys (RFC 5280, 4.1) made by openssl.
        let exponents = """
            asn1=SEQUENCE:key
            [key]
            algorithm=SEQUENCE:rsa
            bits=BITWRAP,SEQUENCE:numbers
            [rsa]
            name=OID:rsaEncryption
            parameters=NULL
            [numbers]
            modulus=INTEGER:0x\(String(repeating: "c5", count: 256))
            exponent=INTEGER:
            """
        let ofRSA = { (exponent: Int) in
            let text = "\(exponents)\(exponent)\n"
            return try openssl(
                "asn1parse -genconf /dev/stdin -noout -out /dev/stdout", Array(text.utf8))
        }
        let made = { (options: String) in
            try openssl("pkey -pubout -outform DER", try openssl("genpkey \(options)"))
        }
        let curve = "-algorithm EC -pkeyopt ec_paramgen_curve:"
        for (key, expected) in [
            (try ofRSA(1), "RSA, e = 1"), (try ofRSA(2), "RSA, e = 2"), (try ofRSA(3), nil),
            (try ofRSA(65537), nil), (try made(curve + "P-521"), nil),
            (try made(curve + "secp256k1"), "secp256k1"),
            (try made(curve + "brainpoolP384r1"), "brainpoolP384r1"),
            (try made("-algorithm ED25519"), "ED25519"),
        ] {
            let material = AnchorMaterial.key(
                // An empty name.
                subject: [0x30, 0], key: key, notBefore: Date(timeIntervalSince1970: 0),
                notAfter: .now)
            let found = material.certificate?.unusualKey
            #expect(found == expected)
        }
    }

    @Test("the public key in the form of SSH, as ssh-keygen writes it", arguments: TestKey.allCases)
    func ssh(key: TestKey) throws {
        let encoded = Certificate(der: try key.certificate())?.sshPublicKey
        let publicKey = try openssl("pkey -pubout", try key.pem())
        let line = try run(
            ["ssh-keygen", "-i", "-m", "PKCS8", "-f", "/dev/stdin"], input: publicKey)
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        let expected = Data(base64Encoded: String(words[1].filter { $0 != "\n" }))
        #expect(encoded.map { Data($0) } == expected)
    }

    @Test("lists in PEM and DER")
    func lists() throws {
        let (first, second) = (try der("leaf"), try der("root"))
        let pem = [first, second].map { Array(Certificate.pem($0).utf8) }
        #expect(Certificate.list(in: first) == [first])
        #expect(Certificate.list(in: pem[0] + Array("text\n".utf8) + pem[1]) == [first, second])
        #expect(Certificate.list(in: try openssl("x509 -text", pem[0])) == [first])
        #expect(Certificate.list(in: try TestKey.rsa.pem()) == [])
        for other in [[], Array("text".utf8), Array(pem[0].dropLast(20))] {
            #expect(Certificate.list(in: other) == nil)
        }
    }

    private func der(_ name: String) throws -> [UInt8] {
        try openssl("x509 -outform DER", try TestAuthority.pem(name))
    }
}
