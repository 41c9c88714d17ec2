import Bytes
import Foundation
import Testing

@testable import PassDelivery

@Suite("Import is started for every message in which it would find something, and for few others")
struct CandidateSearchTests {
    private func mayHoldPass(_ bytes: [UInt8]) throws -> Bool {
        let source = ByteSource(stream: NoMore(), prefix: bytes)
        return try CandidateSearch.mayHoldPass(source, spool: SpoolPolicy())
    }

    @Test(
        "plain mail without a pass starts nothing",
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
        "a pass, and what is not plain mail, starts it",
        arguments: [
            "From: a@b.example\nContent-Type: application/vnd.apple.pkpass\n\nPK",
            "From: a@b.example\nContent-Disposition: attachment; filename=x.pkpass\n\n",
            "From: a@b.example\n\nSee below.\n\nbegin 644 x.pkpass\nM4$L#!!0\n",
            "From a@b.example Tue May  7 10:00:00 2024\nFrom: a@b.example\n"
                + "Content-Type: application/pkpass\n\nPK\n",
            // Not mail, or not yet.
            "hello\n", "PK\u{3}\u{4}", "\u{1F}", "From: a\rSubject: x\r\rHello.\r",
            "12\nFrom: a\n\nHello\n",
        ])
    func something(mail: String) throws {
        #expect(try mayHoldPass(Array(mail.utf8)))
    }

    @Test("UTF-16 starts it")
    func utf16() throws {
        let mail = Array("From: a@b.example\nSubject: x\n\nHello.\n".utf16)
        #expect(
            try mayHoldPass([0xFF, 0xFE] + mail.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }))
    }

    @Test("a tar archive starts it, also one that begins as a header does")
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

    @Test("what is found ends the search, however much follows")
    func early() throws {
        let header = "From: a@b.example\nContent-Type: application/pkpass\n\n"
        let source = ByteSource(stream: Endless(), prefix: Array(header.utf8))
        #expect(try CandidateSearch.mayHoldPass(source, spool: SpoolPolicy()))
    }

    @Test("each sample of which anything is expected starts it", arguments: ["mail", "mailbox"])
    func samples(kind: String) throws {
        let samples = try MailSample.all(of: kind).filter { !$0.records.isEmpty }
        #expect(samples.count > 50)
        for sample in samples {
            #expect(try mayHoldPass(sample.bytes), "\(sample.name)")
        }
    }

    @Test("mail without a pass starts it only for what has to be unpacked to see that")
    func ordinaryMail() throws {
        let needless = try MailSample.all(of: "mail")
            .filter { try $0.records.isEmpty && mayHoldPass($0.bytes) }
        #expect(
            needless.map(\.name) == [
                "none-base64-in-text.eml", "none-external-body-text.eml", "none-gzip-of-text.eml",
                // A picture of 22 bytes, shorter than what tells.
                "none-jpeg-named-pkpass-jpg.eml",
                "none-mac-applesingle-document.eml", "none-mac-binhex-document.eml",
                "none-office-file-as-octet-stream.eml", "none-office-file.eml",
                "none-smime-certificates.eml", "none-smime-enveloped.eml", "none-tnef-document.eml",
                "none-tnef-text-only.eml",
            ])
    }
}

/// A message, and the records that `scan` must give for it.
private struct MailSample {
    let name: String
    let bytes: [UInt8]
    let records: String

    static func all(of kind: String) throws -> [MailSample] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Samples/\(kind)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".expected") }.sorted()
            .compactMap { expected in
                let name = String(expected.dropLast(9))
                // A folder is no message.
                guard let bytes = try? Data(contentsOf: folder.appendingPathComponent(name)) else {
                    return nil
                }
                let records = try Data(contentsOf: folder.appendingPathComponent(expected))
                return MailSample(
                    name: name, bytes: Array(bytes),
                    records: String(decoding: records, as: UTF8.self))
            }
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
