import Foundation
import PassFixtures
import Testing

@testable import Cryptography

@Suite("A certificate request is as openssl and the certificate authority expect it")
struct CertificateRequestTests {
    @Test("openssl verifies it and shows subject, digest and key", arguments: [TestKey.rsa, .p256])
    func verified(key: TestKey) throws {
        let privateKey = try PrivateKey(pem: Secret(try key.pem()), password: nil)
        let request = try CertificateRequest(
            key: privateKey, commonName: "Jürgen 📬", emailAddress: "post@example.com",
            country: "DE")
        let options = "-verify -noout -text -nameopt RFC2253,utf8,-esc_msb,show_type"
        let text = String(
            decoding: try openssl("req \(options)", Array(request.pem.utf8)), as: UTF8.self)
        #expect(
            text.contains(
                "C=PRINTABLESTRING:DE,CN=UTF8STRING:Jürgen 📬,"
                    + "emailAddress=IA5STRING:post@example.com\n"))
        #expect(text.contains("Version: 1 (0x0)"))
        #expect(text.contains(key == .rsa ? "sha256WithRSAEncryption" : "ecdsa-with-SHA256"))
        #expect(text.contains(key == .rsa ? "Public-Key: (2048 bit)" : "ASN1 OID: prime256v1"))
        #expect(try openssl("req -inform DER", request.der) == Array(request.pem.utf8))
        let publicKey = try openssl("req -inform DER -noout -pubkey", request.der)
        #expect(publicKey == (try openssl("pkey -pubout", try key.pem())))
    }

    @Test("openssl issues a certificate for it, which the key belongs to")
    func issued() throws {
        let key = try #require(PrivateKey(generatingRSA: 2048))
        let request = try CertificateRequest(
            key: key, commonName: "Jo", emailAddress: "post@example.com", country: nil)
        let certificate = try withFiles([
            Array(Certificate.pem(try TestKey.p256.certificate()).utf8), try TestKey.p256.pem(),
        ]) { files in
            try openssl(
                "x509 -req -CA \(files[0]) -CAkey \(files[1]) -set_serial 0xAB12 -outform DER",
                Array(request.pem.utf8))
        }
        #expect(key.isKey(ofCertificate: certificate))
        let number = Certificate(der: certificate)?.serialNumber
        #expect(number == "ab12")
    }

    @Test(
        "values that X.520 does not allow",
        arguments: [
            ("", "a@b", "DE", .commonName),
            (String(repeating: "x", count: 65), "a@b", "DE", .commonName),
            ("a\0b", "a@b", "DE", .commonName), ("Jo", "", "DE", .emailAddress),
            ("Jo", "jö@example.com", "DE", .emailAddress),
            ("Jo", String(repeating: "x", count: 129), "DE", .emailAddress),
            ("Jo", "a@b", "", .country), ("Jo", "a@b", "D", .country),
            ("Jo", "a@b", "DEU", .country), ("Jo", "a@b", "de", .country),
        ] as [(String, String, String, CertificateRequestError)])
    func refused(name: String, address: String, country: String, expected: CertificateRequestError)
        throws
    {
        let key = try PrivateKey(pem: Secret(try TestKey.p256.pem()), password: nil)
        #expect(throws: expected) {
            _ = try CertificateRequest(
                key: key, commonName: name, emailAddress: address, country: country)
        }
    }
}
