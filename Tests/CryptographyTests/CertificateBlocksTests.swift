import Foundation
import PassFixtures
import Testing

@testable import Cryptography

@Suite("Of a file with a key, only the certificates are copied")
struct CertificateBlocksTests {
    private static func files() throws -> (certificate: [UInt8], key: [UInt8], der: [UInt8]) {
        let made = try TestAuthority.certificate("leaf")
        let pem = try TestAuthority.pem("leaf")
        let key = Array(try Data(contentsOf: URL(filePath: made.keyPath)))
        return (pem, key, try run(["openssl", "x509", "-outform", "DER"], input: pem))
    }

    @Test("in any order, with text around them")
    func order() throws {
        let (certificate, key, der) = try Self.files()
        let other = try TestAuthority.pem("root")
        for file in [certificate + key + other, key + certificate + other, certificate + other] {
            let found = Secret(Array("Bag Attributes\n".utf8) + file).certificates()
            #expect(!String(decoding: found, as: UTF8.self).contains("PRIVATE"))
            #expect(Certificate.list(in: found)?.count == 2)
            #expect(Certificate.list(in: found)?.first == der)
        }
    }

    @Test("in DER")
    func der() throws {
        let (certificate, key, der) = try Self.files()
        #expect(Secret(der).certificates() == der)
        let keyDER = try run(["openssl", "pkey", "-outform", "DER"], input: key)
        #expect(Secret(keyDER).certificates() == [])
        #expect(Secret(certificate.dropLast(40) + key).certificates() == [])
        #expect(Secret(key).certificates() == [])
        #expect(Secret([]).certificates() == [])
    }
}
