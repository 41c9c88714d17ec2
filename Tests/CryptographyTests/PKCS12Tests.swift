import Foundation
import PassFixtures
import Testing

@testable import Cryptography

/// Files are made by the openssl program and by Python's cryptography.
@Suite("A file in PKCS #12 gives the key with its certificate, or an error says what is wrong")
struct PKCS12Tests {
    @Test(
        "by openssl, with old and new encryption",
        arguments: [
            "", "-legacy", "-legacy -descert", "-iter 100000", "-macalg sha512", "-nomac",
            "-keypbe NONE -certpbe NONE", "-certpbe NONE",
            "-keypbe AES-128-CBC -certpbe DES-EDE3-CBC",
            "-legacy -keypbe PBE-SHA1-RC2-40 -certpbe PBE-SHA1-RC4-128 -macalg sha1",
            "-legacy -noiter -nomaciter",
            "-keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES -macalg sha1",
            "-legacy -certpbe PBE-SHA1-RC2-128 -keypbe PBE-SHA1-2DES",
        ])
    func encryptions(options: String) throws {
        for key in [TestKey.rsa, .p256] {
            let file = try Exported(key, options: options)
            let contents = try PKCS12(file.bytes, password: secret("sesame"))
            #expect(contents.certificate == file.certificate)
            #expect(contents.others == file.others)
            #expect(contents.key.isKey(ofCertificate: file.certificate))
            let isOpen = options == "-keypbe NONE -certpbe NONE"
            if !isOpen {
                #expect(failure(file.bytes, nil) == .passwordNeeded)
                #expect(failure(file.bytes, "") == .wrongPassword)
                #expect(failure(file.bytes, "Sesame") == .wrongPassword)
            }
        }
    }

    @Test("in BER with indefinite lengths, as keychains write it", arguments: ["", "-legacy"])
    func indefiniteLengths(options: String) throws {
        let file = try Exported(.rsa, options: options)
        let indefinite = try python("indefinite_lengths.py", [], input: file.bytes)
        #expect(indefinite.starts(with: [0x30, 0x80, 0x02, 0x01, 0x03, 0x30, 0x80]))
        let contents = try PKCS12(indefinite, password: secret("sesame"))
        #expect(contents.certificate == file.certificate)
        #expect(failure(indefinite, "Sesame") == .wrongPassword)
    }

    @Test(
        "with passwords of any characters",
        arguments: ["s", "säsäm 📬", "\u{1}", String(repeating: "long ", count: 40)],
        ["", "-legacy"])
    func passwords(password: String, options: String) throws {
        let file = try Exported(.p256, options: options, password: password)
        #expect(failure(file.bytes, password) == nil)
        #expect(failure(file.bytes, password + "x") == .wrongPassword)
        #expect(failure(file.bytes, nil) == .passwordNeeded)
    }

    @Test("an empty password", arguments: ["", "-legacy", "-nomac"])
    func emptyPassword(options: String) throws {
        let file = try Exported(.p256, options: options, password: "")
        #expect(failure(file.bytes, nil) == nil)
        #expect(failure(file.bytes, "") == nil)
        #expect(failure(file.bytes, "sesame") == .wrongPassword)
    }

    @Test("without a key, or without a certificate", arguments: ["", "-legacy"])
    func missing(options: String) throws {
        let noKey = try Exported(.p256, options: "-nokeys \(options)")
        #expect(failure(noKey.bytes, "sesame") == .noKey)
        #expect(failure(noKey.bytes, "Sesame") == .wrongPassword)
        let noCertificate = try Exported(.p256, options: "-nocerts \(options)", others: [])
        #expect(failure(noCertificate.bytes, "sesame") == .noCertificate)
        #expect(failure(noCertificate.bytes, nil) == .passwordNeeded)
    }

    @Test(
        "by Python's cryptography",
        arguments: [
            ("best", ["sesame"], ["Sesame", "", nil]), ("3des", ["sesame"], ["Sesame", "", nil]),
            ("unencrypted", [nil, ""], ["sesame"]),
            ("no-password", [nil, ""], ["sesame"]),
        ] as [(String, [String?], [String?])])
    func byPython(form: String, right: [String?], wrong: [String?]) throws {
        for key in [TestKey.rsa, .p256] {
            let (own, other) = (try key.certificate(), try TestKey.p384.certificate())
            let file = try pythonFile(form, key, [own, other])
            for password in right {
                let contents = try PKCS12(file, password: secret(password))
                #expect(contents.certificate == own)
                #expect(contents.others == [other])
            }
            for password in wrong {
                #expect(
                    failure(file, password) == (password == nil ? .passwordNeeded : .wrongPassword))
            }
        }
    }

    @Test("the key of another certificate")
    func otherCertificate() throws {
        let file = try pythonFile("other", .rsa, [try TestKey.otherRSA.certificate()])
        #expect(failure(file, "sesame") == .keyOfOtherCertificate)
        #expect(failure(file, "Sesame") == .wrongPassword)
    }

    @Test("old encryption without OpenSSL's module for it")
    func withoutLegacyModule() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("OPENSSL_MODULES", "/nonexistent", 1)
            let tests = PKCS12Tests()
            let old = try Exported(.p256, options: "-legacy").bytes
            let new = try Exported(.p256, options: "").bytes
            // The MAC needs no old algorithm.
            let failures = [
                tests.failure(old, "sesame"), tests.failure(old, "Sesame"),
                tests.failure(new, "sesame"),
            ]
            exit(failures == [.unsupportedEncryption, .wrongPassword, nil] ? 0 : 1)
        }
    }

    @Test("a key that cannot sign passes")
    func unsupportedKey() throws {
        let key = try openssl("genpkey -algorithm ED25519")
        let certificate = try openssl("req -new -x509 -key /dev/stdin -subj /CN=x", key)
        let file = try withFiles([key, certificate]) { files in
            try openssl("pkcs12 -export -inkey \(files[0]) -in \(files[1]) -passout pass:sesame")
        }
        #expect(failure(file, "sesame") == .unsupportedKey)
    }

    @Test("other files, and damaged ones")
    func damaged() throws {
        let file = try Exported(.p256, options: "").bytes
        for other in [
            [], [0x30], [0x30, 0x80], Array("sesame".utf8), Array(file.prefix(file.count - 1)),
            try TestKey.p256.pem(), try TestKey.p256.certificate(),
        ] {
            #expect(failure(other, "sesame") == .notPKCS12)
        }
        #expect(failure(file + [10], "sesame") == .notPKCS12)
        let large = [UInt8](repeating: 0x30, count: PKCS12.sizeLimit + 1)
        #expect(failure(large, "sesame") == .tooLarge(limit: 1_048_576))
    }

    @Test("no damage of a byte ends the program")
    func everyByte() throws {
        let file = try Exported(.p256, options: "-nomac -iter 1", others: []).bytes
        for index in file.indices {
            for change: UInt8 in [0x01, 0x80, 0xff] {
                var damaged = file
                damaged[index] ^= change
                _ = failure(damaged, "sesame")
            }
            _ = failure(Array(file.prefix(index)), "sesame")
        }
    }

    @Test("derivations that would take minutes are refused at once", arguments: ["", "-nomac"])
    func costly(options: String) throws {
        for options in [options, "\(options) -legacy"] {
            let file = try Exported(.p256, options: options).bytes
            let same = try changed(file, 2048, to: 2048)
            #expect(same == file)
            let costly = try changed(file, 2048, to: Int(Int32.max))
            #expect(costly.count > file.count)
            let start = ContinuousClock.now
            #expect(failure(costly, "sesame") == .unsupportedEncryption)
            #expect(ContinuousClock.now - start < .seconds(1))
        }
    }

    @Test("openssl reads written files", arguments: [TestKey.rsa, .p256])
    func written(key: TestKey) throws {
        let privateKey = try PrivateKey(pem: Secret(try key.pem()), password: nil)
        let (own, other) = (try key.certificate(), try TestKey.p384.certificate())
        let encoded = PKCS12.encode(
            certificate: own, key: privateKey, others: [other], name: "Näme",
            password: Secret(Array("sesäme".utf8)))
        let file = try #require(encoded)
        let output = try openssl("pkcs12 -passin pass:sesäme -nodes", file)
        // openssl prints names in Latin-1.
        #expect(
            output.firstRange(
                of: Array("friendlyName: N\u{e4}me".unicodeScalars.map { UInt8($0.value) })) != nil)
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.contains("localKeyID"))
        for der in [own, other] { #expect(text.contains(Certificate.pem(der))) }
        #expect(text.contains(String(decoding: try key.pem(), as: UTF8.self)))
        let errors = try run(
            [
                "sh", "-c", "openssl pkcs12 -passin pass:sesäme -noout -info 2>&1",
            ], input: file)
        let information = String(decoding: errors, as: UTF8.self)
        #expect(information.contains("MAC: sha256, Iteration 300000"))
        #expect(
            information.contains(
                "PBES2, PBKDF2, AES-256-CBC, Iteration 300000, PRF hmacWithSHA256"))
        #expect(throws: ProgramFailure.self) {
            try openssl("pkcs12 -passin pass:sesame -nodes", file)
        }
        let contents = try PKCS12(file, password: secret("sesäme"))
        #expect(contents.certificate == own)
        #expect(contents.others == [other])
    }

    @Test("Python's cryptography reads written files", arguments: [TestKey.rsa, .p256])
    func writtenForPython(key: TestKey) throws {
        let privateKey = try PrivateKey(pem: Secret(try key.pem()), password: nil)
        let (own, other) = (try key.certificate(), try TestKey.p384.certificate())
        let encoded = PKCS12.encode(
            certificate: own, key: privateKey, others: [other], name: "Näme",
            password: Secret(Array("sesäme".utf8)))
        let script = """
            import sys
            from cryptography.hazmat.primitives.serialization import Encoding, pkcs12
            file = pkcs12.load_pkcs12(sys.stdin.buffer.read(), "sesäme".encode())
            keys = [file.key.public_key(), file.cert.certificate.public_key()]
            assert keys[0].public_numbers() == keys[1].public_numbers()
            assert file.cert.friendly_name == "Näme".encode(), file.cert.friendly_name
            for item in [file.cert, *file.additional_certs]:
                sys.stdout.buffer.write(item.certificate.public_bytes(Encoding.DER))
            """
        let certificates = try run(["python3", "-c", script], input: try #require(encoded))
        #expect(certificates == own + other)
    }

    @Test("no file is written for the key of another certificate, or with a password in C's way")
    func notWritten() throws {
        let key = try PrivateKey(pem: Secret(try TestKey.rsa.pem()), password: nil)
        let (own, other) = (try TestKey.rsa.certificate(), try TestKey.otherRSA.certificate())
        for (certificate, others, password) in [
            (other, [], "sesame"), (own, [[0x30]], "sesame"), ([], [], "sesame"),
            (own, [], "ses\0ame"),
        ] as [([UInt8], [[UInt8]], String)] {
            let file = PKCS12.encode(
                certificate: certificate, key: key, others: others, name: "",
                password: Secret(Array(password.utf8)))
            #expect(file == nil)
        }
    }

    private func failure(_ file: [UInt8], _ password: String?) -> PKCS12Error? {
        do throws(PKCS12Error) {
            _ = try PKCS12(file, password: secret(password))
            return nil
        } catch {
            return error
        }
    }

    private func pythonFile(
        _ form: String, _ key: TestKey, _ certificates: [[UInt8]]
    ) throws -> [UInt8] {
        let pem = certificates.map { Array(Certificate.pem($0).utf8) }
        return try withFiles([try key.pem()] + pem) { files in
            try python("pkcs12_file.py", [form] + files)
        }
    }

    private func changed(_ der: [UInt8], _ old: Int, to new: Int) throws -> [UInt8] {
        try python("changed_numbers.py", ["\(old)", "\(new)"], input: der)
    }
}

/// A file of `openssl pkcs12 -export`.
private struct Exported {
    let bytes: [UInt8]
    let certificate: [UInt8]
    let others: [[UInt8]]

    init(
        _ key: TestKey, options: String, password: String = "sesame",
        others: [TestKey] = [.p384, .p521]
    ) throws {
        certificate = try key.certificate()
        self.others = try others.map { try $0.certificate(named: "Other") }
        let pem = ([certificate] + self.others).flatMap { Array(Certificate.pem($0).utf8) }
        bytes = try withFiles([try key.pem(), pem]) { files in
            try run(
                ["openssl"]
                    + "pkcs12 -export -inkey \(files[0]) -in \(files[1]) \(options)"
                    .split(separator: " ").map(String.init) + ["-passout", "pass:\(password)"],
                input: [])
        }
    }
}
