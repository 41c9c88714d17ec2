import Bytes
import Foundation
import Testing

@testable import MailSource

@Suite("Mail with another encoding or other line ends is normalised")
struct MailRepairTests {
    private static let text =
        "Subject: Grüße \u{1F3AB}\r\n\r\n" + String(repeating: "ÄAAA\r\n", count: 90_000)

    @Test("UTF-16 of either byte order, after a byte order mark")
    func utf16() throws {
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
            let data = try #require(("\u{FEFF}" + MailRepairTests.text).data(using: encoding))
            #expect(try repaired(Array(data)) == MailRepairTests.text)
            // A byte of the last character is missing.
            let cut = String(MailRepairTests.text.unicodeScalars.dropLast())
            #expect(try repaired(Array(data.dropLast())) == cut)
            let prefix = MailRepair.repaired(Array(data.prefix(201)).span) ?? []
            #expect(!prefix.isEmpty && MailRepairTests.text.utf8.starts(with: prefix))
        }
    }

    @Test("unpaired surrogates become replacement characters")
    func surrogates() throws {
        let units: [UInt16] = [0xFEFF, 0x41, 0xD83C, 0x42, 0xDFAB, 0xD83C, 0xD83C, 0xDFAB, 0x43]
        let bytes = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try repaired(bytes) == "A\u{FFFD}B\u{FFFD}\u{FFFD}\u{1F3AB}C")
    }

    @Test("carriage returns as line ends, if the first lines have them")
    func carriageReturns() throws {
        #expect(try repaired(Array("To: a\r\rb\r".utf8)) == "To: a\n\nb\n")
        let late = "To: a\r" + String(repeating: "b\r", count: 5_000) + "c\nd\r"
        #expect(try repaired(Array(late.utf8)) == late.replacing("\r", with: "\n"))
    }

    @Test(
        "all other bytes are unchanged",
        arguments: ["To: a\r\n\r\nb\r", "To: a\n", "", "\u{FEFF}To: a"])
    func others(text: String) {
        #expect(MailRepair.repaired(Array(text.utf8).span) == nil)
    }

    private func repaired(_ bytes: [UInt8]) throws -> String {
        #expect(MailRepair.repaired(bytes.span) != nil)
        let octets = try MailRepair.repaired(ByteSource(SpooledBytes(bytes)), SpoolPolicy())
        return String(decoding: try octets.array(), as: UTF8.self)
    }
}
