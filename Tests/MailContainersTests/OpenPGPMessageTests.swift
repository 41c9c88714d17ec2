import Bytes
import Foundation
import Testing

@testable import MailContainers

@Suite("The packets of OpenPGP messages are read, and nothing else is taken for them")
struct OpenPGPMessageTests {
    private static let names = [
        "openpgp-signed", "openpgp-new-packets", "openpgp-in-pieces", "openpgp-bzip2",
        "unread-openpgp-binary", "unread-openpgp-passphrase",
    ]

    /// The attachment of a sample.
    private func message(_ name: String) throws -> [UInt8] {
        let mail = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Samples/mail/\(name).eml")
        let text = try String(contentsOf: mail, encoding: .utf8)
        let body = try #require(text.components(separatedBy: "\n\n").last)
        return Array(
            try #require(
                Data(
                    base64Encoded: body.components(separatedBy: "\n--")[0]
                        .replacing("\n", with: ""))))
    }

    @Test("truncated or changed anywhere", arguments: names)
    func damage(name: String) throws {
        let bytes = try message(name)
        #expect(FileSignature(bytes.span) == .openPGP)
        #expect(try OpenPGPMessage(SpooledBytes(bytes), spool: SpoolPolicy()) != nil)
        for end in bytes.indices.prefix(4000) {
            _ = try OpenPGPMessage(SpooledBytes(Array(bytes[..<end])), spool: SpoolPolicy())
        }
        for index in bytes.indices.prefix(60) {
            for value: UInt8 in [0, 0x7F, 0x80, 0xE0, 0xFE, 0xFF] {
                var changed = bytes
                changed[index] = value
                _ = try OpenPGPMessage(SpooledBytes(changed), spool: SpoolPolicy())
            }
        }
    }

    @Test(
        "armor with fields, without a blank line, a checksum or an end",
        arguments: [
            "\n\nLINES\n=abcd\n-----END PGP MESSAGE-----\n", "\nVersion: 1\n\nLINES\n",
            "\nLINES", "\r\nHash: x\r\nLINES\r\n=no\r\n", " \n \n LINES",
        ])
    func armor(text: String) throws {
        let bytes = try message("openpgp-signed")
        let lines = Data(bytes).base64EncodedString(options: .lineLength64Characters)
        let armored = "-----BEGIN PGP MESSAGE-----" + text.replacing("LINES", with: lines)
        let octets = SpooledBytes(Array(armored.utf8))
        let decoded = try OpenPGPArmor.decoded(octets, SpoolPolicy())
        #expect(try decoded.array() == bytes)
    }

    @Test("random bytes are rarely taken for a message")
    func random() {
        var generator = SystemRandomNumberGenerator()
        var found = 0
        for _ in 0..<200_000 {
            let words = (0..<4).map { _ in generator.next() as UInt64 }
            let bytes = words.flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) }
            }
            found +=
                OpenPGPPacket(bytes.span, at: 0) != nil
                    && FileSignature(bytes.span) == .openPGP ? 1 : 0
        }
        #expect(found < 40)
    }

    @Test("a million pieces of a byte take linear time")
    func pieces() throws {
        var bytes: [UInt8] = [0xCB]
        for _ in 0..<1_000_000 { bytes += [0xE0, 0x62] }
        _ = try OpenPGPMessage(SpooledBytes(bytes), spool: SpoolPolicy())
        let signatures = (0..<100_000).flatMap { _ in [0xC4, 0x00] as [UInt8] }
        #expect(try OpenPGPMessage(SpooledBytes(signatures), spool: SpoolPolicy()) == nil)
    }
}
