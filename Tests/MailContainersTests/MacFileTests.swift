import Bytes
import MIME
import MailContainers
import Testing

@Suite("Files are extracted from the forms in which Macs send them")
struct MacFileTests {
    /// Files written by a Python program from the RFCs; hexbin and macsave read BinHex and
    /// MacBinary.
    @Test(arguments: [
        ("mac-applesingle", "ticket.pkpass"),
        ("mac-applesingle-as-octet-stream", "ticket.pkpass"),
        ("mac-applesingle-name-korean", "탑승권.pkpass"),
    ])
    func appleSingle(sample: String, name: String) throws {
        let bytes = try MailSample.part(sample)
        let signature = FileSignature(bytes.span)
        #expect(signature == .appleSingle)
        try check(try MacFile(appleSingle: SpooledBytes(bytes)), name)
    }

    @Test(arguments: [
        ("mac-binary", "ticket.pkpass"), ("mac-binary-other-type", "ticket.pkpass"),
        ("mac-binary-name-in-roman", "café.pkpass"),
    ])
    func macBinary(sample: String, name: String) throws {
        try check(try MacFile(macBinary: SpooledBytes(try MailSample.part(sample))), name)
    }

    @Test(arguments: [
        ("mac-binhex", "2"), ("mac-binhex-in-base64", "2"), ("mac-binhex-as-encoding", "2"),
        ("mac-binhex-carriage-returns-in-base64", "2"), ("mac-binhex-as-text", "1"),
    ])
    func binHex(sample: String, part: String) throws {
        let text = try MailSample.part(sample, number: part)
        try check(try MacFile(binHex: SpooledBytes(text), limit: 1 << 20), "ticket.pkpass")
    }

    private func check(_ file: MacFile, _ name: String) throws {
        #expect(file.header.names == [name])
        #expect(try file.dataFork?.array() == (try MailSample.Pass.small.bytes()))
    }

    @Test func winmailSaysThatItsFileIsFromAMac() throws {
        let message = try TNEFMessage(SpooledBytes(try MailSample.part("winmail-of-a-mac")))
        let attachment = try #require(message.attachments.first)
        #expect(attachment.header.mediaTypes == ["application/x-macbinary"])
        try check(try MacFile(macBinary: attachment.body), "ticket.pkpass")
    }

    @Test func headerOfAppleDoubleHasNoDataFork() throws {
        let header = try MailSample.part("mac-appledouble", number: "2.1")
        let file = try MacFile(appleSingle: SpooledBytes(header))
        #expect(file.header.names == ["ticket.pkpass"])
        #expect(file.dataFork == nil)
    }

    /// Encoded by macstream and binhex from Debian's macutils.
    @Test func runsAreWrittenOut() throws {
        let text = """
            Some words before.
            (This file must be converted; you knew that already.)

            :"QBZC'&dB3"849K868&$33!!!!!"4`!!!!"pTj!!N!#3!*!!N!"KN!U3!'+3!*!
            !HRTjHAN!N2m!N#d0#Lka83!!:
            """
        let file = try MacFile(binHex: SpooledBytes(Array(text.utf8)), limit: 327)
        var bytes = [UInt8](repeating: 0x90, count: 5) + Array("aaaaaaaaaa".utf8)
        bytes += [0x90, 0x62, 0x90, 0x90] + Array("zzyyy".utf8)
        bytes += [UInt8](repeating: 0, count: 300) + Array("\r\n.".utf8)
        #expect(file.header.names == ["f.data"])
        #expect(try file.dataFork?.array() == bytes)
        #expect(throws: MacFileError.tooLarge("f.data", limit: 326)) {
            _ = try MacFile(binHex: SpooledBytes(Array(text.utf8)), limit: 326)
        }
    }

    /// Encoded by macstream: without the checksum of later versions.
    @Test func macBinaryOfTheFirstVersionIsRead() throws {
        var bytes: [UInt8] = [0, 1, UInt8(ascii: "f")] + [UInt8](repeating: 0, count: 62)
        bytes += Array("TEXTMACA".utf8) + [UInt8](repeating: 0, count: 10) + [0, 0, 0, 5]
        bytes += [0, 0, 0, 0, 0xE7, 0x27, 0x3D, 0x5B, 0xE7, 0x27, 0x3D, 0x5B]
        bytes += [UInt8](repeating: 0, count: 128 - bytes.count) + Array("hello".utf8)
        let file = try MacFile(macBinary: SpooledBytes(bytes))
        #expect(file.header.names == ["f"])
        #expect(try file.dataFork?.array() == Array("hello".utf8))
    }

    @Test func secondHeaderOfMacBinaryIsPassedOver() throws {
        let sample = try MailSample.part("mac-binary")
        var header = Array(sample[..<128])
        header[121] = 1
        let checksum = crc(header[..<124])
        header.replaceSubrange(124..<126, with: [UInt8(checksum >> 8), UInt8(checksum & 0xFF)])
        let second = [UInt8](repeating: 7, count: 128)
        try check(
            try MacFile(macBinary: SpooledBytes(header + second + sample[128...])), "ticket.pkpass")
    }

    /// CRC-16-CCITT with the initial value 0, bit by bit.
    private func crc(_ bytes: some Sequence<UInt8>) -> UInt16 {
        bytes.reduce(into: 0) { value, byte in
            value ^= UInt16(byte) << 8
            for _ in 0..<8 { value = value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x1021 }
        }
    }
}
