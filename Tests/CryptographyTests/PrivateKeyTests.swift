import Foundation
import PassFixtures
import Testing

@testable import Cryptography

@Suite("A private key is read from every form of file, and signs as openssl verifies")
struct PrivateKeyTests {
    /// How openssl writes a key: the command, and the password.
    private static let encodings: [(command: String, password: String?)] = [
        ("pkcs8 -topk8 -nocrypt", nil), ("pkcs8 -topk8 -nocrypt -outform DER", nil),
        ("pkey -traditional", nil), ("pkey -traditional -outform DER", nil),
        ("pkcs8 -topk8 -passout pass:sesame", "sesame"),
        ("pkcs8 -topk8 -passout pass:sesame -outform DER", "sesame"),
        ("pkcs8 -topk8 -passout pass:sesame -v2 aes128 -v2prf hmacWithSHA512", "sesame"),
        ("pkcs8 -topk8 -passout pass:sesame -v2 des3 -v2prf hmacWithSHA1", "sesame"),
        ("pkcs8 -topk8 -passout pass:sesame -v1 PBE-SHA1-3DES", "sesame"),
        ("pkcs8 -topk8 -passout pass:sesame -scrypt", "sesame"),
        ("pkcs8 -topk8 -passout pass:sesame -iter 600000", "sesame"),
        ("pkey -traditional -aes256 -passout pass:sesame", "sesame"),
        ("pkey -traditional -des3 -passout pass:sesame", "sesame"),
        ("pkey -text", nil),
    ]

    @Test("in PEM and DER, in PKCS #8, PKCS #1 and SEC 1, encrypted and not", arguments: encodings)
    func forms(command: String, password: String?) throws {
        for key in [TestKey.rsa, .p256] {
            let file = try openssl(command, try key.pem())
            let read = try self.read(file, password)
            #expect(read.kind == (key == .rsa ? .rsa(bits: 2048) : .ec(.p256)))
            #expect(read.isKey(ofCertificate: try key.certificate()))
            guard let password else { continue }
            #expect(failure(file, nil) == .passwordNeeded)
            for wrong in ["Sesame", "", String(repeating: "x", count: 2000)] {
                #expect(failure(file, wrong) == .wrongPassword, "\(wrong)")
            }
            #expect(password == "sesame")
        }
    }

    @Test("a password that nothing needs is ignored")
    func superfluousPassword() throws {
        #expect(throws: Never.self) { try read(try TestKey.rsa.pem(), "sesame") }
    }

    @Test("no wrong password of a traditional file leads to another error")
    func manyWrongPasswords() throws {
        let file = try openssl(
            "pkey -traditional -aes256 -passout pass:sesame", try TestKey.p256.pem())
        for number in 0..<2000 { #expect(failure(file, "\(number)") == .wrongPassword) }
    }

    @Test("a file with certificates and text around the key")
    func bundle() throws {
        let certificate = Array(Certificate.pem(try TestKey.rsa.certificate()).utf8)
        let text = Array("Bag Attributes\r\n    localKeyID: 01 \r\n".utf8)
        for file in [
            certificate + (try TestKey.rsa.pem()), (try TestKey.rsa.pem()) + certificate,
            text + certificate + text + (try TestKey.rsa.pem()),
            try openssl("ecparam -name prime256v1") + (try TestKey.p256.pem()),
        ] {
            #expect(throws: Never.self) { try read(file, nil) }
        }
    }

    @Test(
        "keys that cannot sign passes",
        arguments: [
            "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024",
            "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2047", "genpkey -algorithm ED25519",
            "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1",
            "genpkey -algorithm X25519", "genpkey -algorithm RSA-PSS",
            "genpkey -genparam -algorithm DSA -pkeyopt dsa_paramgen_bits:1024",
        ])
    func unsupported(command: String) throws {
        let isParameters = command.contains("-genparam")
        var file = try openssl(command)
        if isParameters { file = try openssl("gendsa /dev/stdin", file) }
        #expect(failure(file, nil) == .unsupported)
        #expect(failure(try openssl("pkey -outform DER", file), nil) == .unsupported)
    }

    @Test("a key in the format of OpenSSH")
    func openSSH() throws {
        #expect(failure(block("OPENSSH PRIVATE KEY", "AAAA"), nil) == .unsupported)
    }

    /// A block of PEM (RFC 7468) without a key in it.
    private func block(_ label: String, _ text: String) -> [UInt8] {
        Array("-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n".utf8)
    }

    @Test("files that hold no key")
    func notKeys() throws {
        let pem = try TestKey.rsa.pem()
        let der = try openssl("pkey -outform DER", pem)
        for file in [
            [], [0x30], [0x30, 0x80], Array("sesame".utf8), Array(pem.prefix(pem.count / 2)),
            Array(der.prefix(der.count - 1)), try TestKey.rsa.certificate(),
            Array(Certificate.pem(try TestKey.rsa.certificate()).utf8),
            try openssl("pkey -pubout", pem), try openssl("pkey -pubout -outform DER", pem),
            block("PRIVATE KEY", "MIIB"),
        ] {
            #expect(failure(file, nil) == .notAKey)
        }
    }

    @Test("derivations of a key that would take minutes are refused at once")
    func costly() throws {
        let file = try openssl(
            "pkcs8 -topk8 -passout pass:sesame -outform DER", try TestKey.p256.pem())
        let costly = try python("changed_numbers.py", ["2048", "2147483647"], input: file)
        #expect(costly.count > file.count)
        let start = ContinuousClock.now
        #expect(failure(costly, "sesame") == .unsupported)
        #expect(ContinuousClock.now - start < .seconds(1))
    }

    @Test("openssl verifies signatures", arguments: TestKey.allCases)
    func signatures(key: TestKey) throws {
        let message = Array("message".utf8)
        let read = try read(try key.pem(), nil)
        let signature = try #require(read.sign(message))
        let publicKey = try openssl("pkey -pubout", try key.pem())
        try withFiles([publicKey, signature, message]) { files throws in
            let command = "dgst -sha256 -verify \(files[0]) -signature \(files[1]) \(files[2])"
            #expect(try openssl(command) == Array("Verified OK\n".utf8))
        }
        let certificate = try key.certificate()
        let isRight = Certificate(der: certificate)?.verifies(signature, over: message)
        let isWrong = Certificate(der: certificate)?.verifies(signature, over: message + [0])
        #expect(isRight == true && isWrong == false)
    }

    @Test("threads sign with one key at the same time")
    func threads() async throws {
        for key in [TestKey.rsa, .p256] {
            let read = try read(try key.pem(), nil)
            let certificate = try key.certificate()
            let isRight = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        guard let certificate = Certificate(der: certificate) else { return false }
                        return (0..<20).allSatisfy { round in
                            let message = [UInt8(clamping: number), UInt8(clamping: round)]
                            guard let signature = read.sign(message) else { return false }
                            return certificate.verifies(signature, over: message)
                        }
                    }
                }
                return await group.allSatisfy(\.self)
            }
            #expect(isRight)
        }
    }

    @Test("the key of another certificate is recognised")
    func otherCertificate() throws {
        let read = try read(try TestKey.rsa.pem(), nil)
        #expect(read.isKey(ofCertificate: try TestKey.rsa.certificate()))
        #expect(!read.isKey(ofCertificate: try TestKey.otherRSA.certificate()))
        #expect(!read.isKey(ofCertificate: try TestKey.p256.certificate()))
        #expect(!read.isKey(ofCertificate: []))
    }

    @Test("openssl reads written keys", arguments: [nil, "sesame"])
    func written(password: String?) throws {
        for key in [TestKey.rsa, .p256] {
            let written = bytes(try read(try key.pem(), nil).pem(password: secret(password)))
            let pem = try #require(written)
            let option = password.map { " -passin pass:\($0)" } ?? ""
            #expect(try openssl("pkey\(option)", pem) == (try key.pem()))
            let text = String(decoding: pem, as: UTF8.self)
            #expect(text.hasPrefix("-----BEGIN ENCRYPTED") == (password != nil))
            #expect((failure(pem, nil) == .passwordNeeded) == (password != nil))
        }
    }

    @Test("a generated key has the requested size, and openssl finds no fault in it")
    func generated() throws {
        let key = try #require(PrivateKey(generatingRSA: 2048))
        #expect(key.kind == .rsa(bits: 2048))
        let written = bytes(key.pem(password: nil))
        let pem = try #require(written)
        let text = String(decoding: try openssl("pkey -check -noout", pem), as: UTF8.self)
        #expect(text.contains("Key is valid"))
        for bits in [0, -1, 1024, 2047, 16_385, Int.max] {
            #expect(PrivateKey(generatingRSA: bits) == nil)
        }
    }

    private func read(_ file: [UInt8], _ password: String?) throws(PrivateKeyError) -> PrivateKey {
        try PrivateKey(pem: Secret(file), password: secret(password))
    }

    private func failure(_ file: [UInt8], _ password: String?) -> PrivateKeyError? {
        do throws(PrivateKeyError) {
            _ = try read(file, password)
            return nil
        } catch {
            return error
        }
    }
}

/// A password as a secret.
func secret(_ password: String?) -> Secret? {
    guard let password else { return nil }
    return Secret(Array(password.utf8))
}

/// The bytes of a secret.
func bytes(_ secret: consuming Secret?) -> [UInt8]? {
    guard let secret else { return nil }
    return unsafe secret.withUnsafeBytes { unsafe Array($0) }
}
