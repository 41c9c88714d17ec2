import Bytes
import Foundation
import Platform
import Testing

@testable import PassDelivery

@Suite("The search reports every message in which an import would find something, and few others")
struct CandidateSearchTests {
    private func mayHoldPass(_ bytes: [UInt8]) throws -> Bool {
        let source = ByteSource(stream: NoMore(), prefix: bytes)
        return try CandidateSearch.mayHoldPass(source, spool: SpoolPolicy())
    }

    @Test(
        "plain mail without a pass is not reported",
        arguments: [
            "", "From: a@b.example\nSubject: x\n\nHello.\n",
            "From: a@b.example\r\nSubject: x\r\n\r\nHello.\r\n",
            "From a@b.example Tue May  7 10:00:00 2024\nFrom: a@b.example\nSubject: x\n\nHello.\n",
            "From: a@b.example\nSubject: cut off", "From: a@b.example\nSubject: \u{0}\n\nHello.\n",
            "From: a@b.example\nContent-Type: image/png; name=x.png\n"
                + "Content-Transfer-Encoding: base64\n\n"
                + "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmM\n",
            "From: a@b.example\n\nFrom now on, see ticket.pkpass.\n",
        ])
    func nothing(mail: String) throws {
        #expect(try !mayHoldPass(Array(mail.utf8)))
    }

    @Test(
        "a pass, and anything that is not plain mail, is reported",
        arguments: [
            "From: a@b.example\nContent-Type: application/vnd.apple.pkpass\n\nPK",
            "From: a@b.example\nContent-Disposition: attachment; filename=x.pkpass\n\n",
            "From: a@b.example\n\nSee below.\n\nbegin 644 x.pkpass\nM4$L#!!0\n",
            "From a@b.example Tue May  7 10:00:00 2024\nFrom: a@b.example\n"
                + "Content-Type: application/pkpass\n\nPK\n",
            // Not mail, or not recognisable as mail.
            "hello\n", "PK\u{3}\u{4}", "\u{1F}", "From: a\rSubject: x\r\rHello.\r",
            "12\nFrom: a\n\nHello\n",
        ])
    func something(mail: String) throws {
        #expect(try mayHoldPass(Array(mail.utf8)))
    }

    @Test(
        "a page with a file in a data: URL is reported, but none with a picture",
        arguments: [
            ("application/vnd.apple.pkpass;base64,UEsDBBQAAAAI", true),
            ("image/png;base64,iVBORw0KGgoAAAAN", false),
        ])
    func page(type: String, isReported: Bool) throws {
        let data = String(repeating: "UEsDBBQAAAAIAIMYIljP", count: 150)
        let text = String(repeating: "<p>Dear passenger, see below.</p>\n", count: 100)
        let page = "\(text)<a href=\"data:\(type)\(data)\">Ticket</a>\n\(text)"
        let header = "From: a@b.example\nContent-Type: text/html\n"
        #expect(try mayHoldPass(Array("\(header)\n\(page)".utf8)) == isReported)
        let encoded = Data(page.utf8).base64EncodedString(options: .lineLength76Characters)
        let field = "Content-Transfer-Encoding: base64\n"
        #expect(try mayHoldPass(Array("\(header)\(field)\n\(encoded)\n".utf8)) == isReported)
    }

    @Test("UTF-16 is reported")
    func utf16() throws {
        let mail = Array("From: a@b.example\nSubject: x\n\nHello.\n".utf16)
        #expect(
            try mayHoldPass([0xFF, 0xFE] + mail.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }))
    }

    @Test("a tar archive is reported, even if it begins like a header")
    func tar() throws {
        let tar = Process()
        tar.executableURL = URL(fileURLWithPath: "/bin/sh")
        tar.arguments = ["-c", "cd $(mktemp -d) && echo > 'From: a' && tar cf - 'From: a'"]
        let output = Pipe()
        tar.standardOutput = output
        try tar.run()
        let archive = output.fileHandleForReading.readDataToEndOfFile()
        #expect(archive.starts(with: "From: a\0".utf8))
        #expect(try mayHoldPass(Array(archive)))
    }

    @Test(
        "an undecodable name may be that of a pass",
        arguments: [
            ("=?utf-8?Q?Pl=C3=A4ne.pdf?=", false), ("=?iso-8859-1?Q?Pl=E4ne.pdf?=", false),
            ("=?utf-8?Q?Pl=E4=FFne.pdf?=", false), ("=?utf-8?Q?=EF=BF=BD?=", true),
            ("=?windows-1252?Q?Pl=81ne.pdf?=", true),
        ])
    func unread(name: String, isDoubtful: Bool) throws {
        let mail =
            "From: a@b.example\nContent-Type: image/png; name=\"\(name)\"\n\n\u{89}PNG and so on\n"
        #expect(try mayHoldPass(Array(mail.utf8)) == isDoubtful)
    }

    @Test("the search ends at the first result, however much follows")
    func early() throws {
        let header = "From: a@b.example\nContent-Type: application/pkpass\n\n"
        let source = ByteSource(stream: Endless(), prefix: Array(header.utf8))
        #expect(try CandidateSearch.mayHoldPass(source, spool: SpoolPolicy()))
    }
}

private struct NoMore: ByteStream {
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int { 0 }
}

/// Lines without an end.
private struct Endless: ByteStream {
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        unsafe buffer.copyBytes(from: repeatElement(0x0A, count: buffer.count))
        return buffer.count
    }
}
