import Bytes
import Foundation
import PassFixtures
import Testing

@testable import Cryptography

/// Messages are made by the openssl program.
@Suite("The content of a CMS message is returned unchanged, or an error explains why not")
struct EncapsulatedContentTests {
    @Test(
        "signed messages, in DER and BER, of all lengths",
        arguments: [
            "cms -sign -nodetach -binary", "cms -sign -nodetach -binary -stream",
            "cms -sign -nodetach -binary -noattr -nocerts", "cms -sign -nodetach -binary -keyid",
            "cms -sign -nodetach -binary -econtent_type 1.2.3.4",
            "smime -sign -nodetach -binary", "smime -sign -nodetach -binary -stream",
        ], [1, 127, 128, 70_000, 1_500_000])
    func signed(command: String, count: Int) throws {
        let content = sample(count)
        let message = try openssl(command, content, signer: true)
        let found = try read(message)
        let foundBeforeFooter = try read(message + Array("\r\n-- \r\nlist footer".utf8))
        let isRight = found == content && foundBeforeFooter == content
        #expect(isRight)
    }

    @Test(
        "messages in the samples are read as openssl reads them",
        arguments: [
            "signed.p7m", "signed-ber.p7m", "signed-single-part.p7m", "signed-twice.p7m",
            "detached.p7s", "certificates.p7c", "enveloped.p7m",
        ])
    func samples(name: String) throws {
        let file = URL(filePath: #filePath).appending(path: "../../../Samples/smime/\(name)")
        let message = Array(try Data(contentsOf: file.standardizedFileURL))
        let command = "openssl cms -verify -noverify -binary -inform DER"
        let content = try? run(command.split(separator: " ").map(String.init), input: message)
        let found = try? read(message)
        #expect(found == content)
        #expect((found == nil) == !name.hasPrefix("signed"))
    }

    @Test("content above the memory limit moves to a file, unchanged")
    func spooled() throws {
        let content = sample(300_000)
        let message = try openssl("cms -sign -nodetach -binary -stream", content, signer: true)
        let found = try EncapsulatedContent(
            of: spool(message), spool: SpoolPolicy(memory: 1000))
        #expect(!found.isCompressed)
        #expect(try found.octets.array() == content)
    }

    @Test("compressed messages are returned as their zlib stream")
    func compressed() throws {
        // Debian's openssl does not support zlib either, so the message is built as in RFC 3274,
        // 1.1.
        let program = """
            import sys, zlib
            def v(tag, *parts):
                b = b''.join(parts); n = len(b)
                return bytes([tag]) + (bytes([n]) if n < 128 else b'\\x82' + n.to_bytes(2, 'big')) + b
            o = lambda hexadecimal: v(6, bytes.fromhex(hexadecimal))
            content = v(0xa0, v(4, zlib.compress(sys.stdin.buffer.read())))
            data = v(0x30, v(2, b'\\0'), v(0x30, o('2a864886f70d0109100308')),
                     v(0x30, o('2a864886f70d010701'), content))
            sys.stdout.buffer.write(v(0x30, o('2a864886f70d0109100109'), v(0xa0, data)))
            """
        let message = try run(["python3", "-c", program], input: Array("hello".utf8))
        let printed = try run(
            ["openssl", "cms", "-cmsout", "-print", "-inform", "DER"], input: message)
        #expect(String(decoding: printed, as: UTF8.self).contains("d.compressedData:"))
        let found = try EncapsulatedContent(of: SpooledBytes(message))
        #expect(found.isCompressed)
        let inflate = "import sys, zlib; print(zlib.decompress(sys.stdin.buffer.read()), end='')"
        let inflated = try run(["python3", "-c", inflate], input: try found.octets.array())
        #expect(inflated == Array("b'hello'".utf8))
        let other = bytes("2a864886f70d0109100308")
        let unknown = message.replacing(other, with: bytes("2a864886f70d0109100307"))
        #expect(throws: CMSError.unsupported("id-smime-alg-CMSRC2wrap")) { try read(unknown) }
    }

    @Test(
        "a message without readable content gives an error that says so",
        arguments: [
            ("cms -sign -binary", CMSError.noContent), ("smime -sign -binary", .noContent),
            ("crl2pkcs7 -nocrl -certfile", .noContent), ("cms -encrypt -aes128", .encrypted),
            ("cms -encrypt -aes128 -stream", .encrypted),
            ("cms -encrypt -aes-128-gcm", .encrypted), ("smime -encrypt -aes128", .encrypted),
            (
                "cms -EncryptedData_encrypt -aes128 -secretkey 000102030405060708090a0b0c0d0e0f",
                .encrypted
            ),
            ("cms -data_create", .unsupported("pkcs7-data")),
            ("cms -digest_create", .unsupported("pkcs7-digestData")),
        ])
    func noContent(command: String, expected: CMSError) throws {
        let message = try openssl(
            command, Array("hello".utf8), signer: command.contains("-sign"))
        #expect(throws: expected) { try read(message) }
    }

    @Test(
        "other data is not a CMS message",
        arguments: [
            "", "hello", "MIIGSgYJKoZIhvcNAQcCoIIGOzCCBjcCAQE", "PK\u{3}\u{4}", "0", "0\u{80}",
            "0\u{5}\u{2}\u{3}abc", "%PDF-1.4\n",
        ])
    func noMessage(text: String) {
        let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        #expect(throws: CMSError.notAMessage) { try read(bytes) }
    }

    @Test(
        "nested octet strings are joined, as in openssl",
        arguments: [
            ("0403 616263", "abc"), ("0400", ""), ("2480 0403 616263 0000", "abc"),
            ("2400", ""), ("2480 0000", ""), ("2480 0400 0401 61 0400 0401 62 0000", "ab"),
            ("2409 0401 61 2404 0402 6263", "abc"),
            ("2480 2480 0401 61 0000 2480 2403 0401 62 0000 0401 63 0000", "abc"),
            ("2480 0481 01 61 0482 0001 62 0000", "ab"), ("0488 0000000000000001 61", "a"),
            ("2405 0401 61 0402 62", nil), ("0480 61 0000", nil), ("2480 0401 61", nil),
            ("2480 0401 61 00", nil), ("0404 616263", nil), ("2403 0402 6162", nil),
            ("0403 6162 63 0401 64", nil), ("0c03 616263", nil), ("1f24 0401 61", nil),
            ("0489 010000000000000001 61", nil), ("0484 ffffffff 61", nil),
        ] as [(String, String?)], [true, false])
    func pieces(row: (octetString: String, expected: String?), isDefinite: Bool) {
        let message = signedMessage(around: bytes(row.octetString), isDefinite: isDefinite)
        let expected = row.expected.map { Array($0.utf8) }
        #expect(SignedData(message)?.attachedContent == expected)
        #expect((try? read(message)) == expected)
    }

    @Test("limits hold at their edge")
    func limits() throws {
        var limits = CMSLimits()
        limits.depth = 2
        limits.content = 3
        let two = bytes("2480 2480 0401 61 0000 0402 6263 0000")
        #expect(try read(signedMessage(around: two), limits) == Array("abc".utf8))
        limits.depth = 1
        #expect(throws: CMSError.tooDeep(limit: 1)) {
            try read(signedMessage(around: two), limits)
        }
        limits.depth = 2
        limits.content = 2
        #expect(throws: CMSError.contentTooLarge(limit: 2)) {
            try read(signedMessage(around: two), limits)
        }
    }

    @Test(
        "damage before the content is detected, damage after it is ignored, none causes a trap",
        arguments: ["cms -sign -nodetach -binary", "cms -sign -nodetach -binary -stream"])
    func damage(command: String) throws {
        let content = sample(200)
        let message = try openssl(command, content, signer: true)
        let place = try #require(message.firstRange(of: content))
        // In BER the ends of three values follow the content.
        let end = place.upperBound + (command.hasSuffix("-stream") ? 6 : 0)
        for count in message.indices {
            let found = try? read(Array(message[..<count]))
            let isRight = found == (count < end ? nil : content)
            #expect(isRight, "\(count) bytes")
        }
        // OpenSSL accepts any tag for a segment, and a set in primitive encoding.
        let set = try #require(message.firstRange(of: [0x02, 1, 1, 0x31])).upperBound - 1
        let piece = command.hasSuffix("-stream") ? place.lowerBound - 3 : set
        for index in message.indices {
            for bit in [0x01, 0x02, 0x20, 0x80] as [UInt8] {
                var changed = message
                changed[index] ^= bit
                let found = try? read(changed)
                let isLax = index == set || index == piece
                let openssl = isLax ? nil : SignedData(changed)?.attachedContent
                let isRight = found == openssl || openssl == nil && found == content
                #expect(isRight, "byte \(index)")
            }
        }
    }
}

/// Bytes with all values.
private func sample(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 131 ^ $0 >> 7) }
}

private func read(_ message: [UInt8], _ limits: CMSLimits = CMSLimits()) throws -> [UInt8] {
    try EncapsulatedContent(of: SpooledBytes(message), limits: limits).octets.array()
}

/// The bytes, stored in a file.
private func spool(_ bytes: [UInt8]) throws -> SpooledBytes {
    var writer = OctetsWriter(SpoolPolicy(memory: 0))
    try writer.append(bytes)
    return try writer.finish()
}

/// The message that an openssl command makes from content. Passes a certificate and a key to a
/// command that signs, otherwise only the certificate.
private func openssl(_ command: String, _ content: [UInt8], signer: Bool) throws -> [UInt8] {
    var arguments = ["openssl"] + command.split(separator: " ").map(String.init)
    let certificate = try TestAuthority.certificate("rsa")
    if signer {
        arguments += ["-signer", certificate.path, "-inkey", certificate.keyPath]
    } else if !["_create", "EncryptedData"].contains(where: command.contains) {
        arguments.append(certificate.path)
    }
    let format = arguments.firstIndex(of: "-certfile") ?? 2
    arguments.insert(contentsOf: ["-outform", "DER"], at: format)
    return try run(arguments, input: content)
}

/// A SignedData around an octet string, with nothing else in it.
private func signedMessage(around string: [UInt8], isDefinite: Bool = true) -> [UInt8] {
    func value(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        isDefinite ? [tag, UInt8(contents.count)] + contents : [tag, 0x80] + contents + [0, 0]
    }
    let (signed, data) = (bytes("0609 2a864886f70d010702"), bytes("0609 2a864886f70d010701"))
    let information = value(0x30, data + value(0xa0, string))
    let content = value(0x30, [2, 1, 1] + value(0x31, []) + information + value(0x31, []))
    return value(0x30, signed + value(0xa0, content))
}

/// The bytes of hexadecimal digits.
private func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal.filter { $0 != " " })
    return stride(from: 0, to: digits.count, by: 2).map {
        UInt8(String(digits[$0..<$0 + 2]), radix: 16) ?? 0
    }
}
