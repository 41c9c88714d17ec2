import Bytes
import Foundation
import MIME
import MailContainers
import PassFixtures
import Platform
import Testing

@Suite("Attachments are extracted from Outlook messages")
struct OutlookMessageTests {
    struct Found: Equatable {
        let name: String?
        let messages: [String]
        let body: [UInt8]

        init(_ name: String?, _ pass: MailSample.Pass, in messages: [String] = []) throws {
            self.name = name
            self.messages = messages
            body = try pass.bytes()
        }

        init(_ attachment: OutlookMessage.Attachment) throws {
            name = attachment.header.names.first
            messages = attachment.messages
            body = try attachment.body(SpoolPolicy()).array()
        }
    }

    /// Files written from the specification by a Python program. extract-msg reads them.
    @Test(
        arguments: [
            ("outlook", [("ticket.pkpass", [])]),
            ("outlook-as-octet-stream", [("ticket.pkpass", [])]),
            ("outlook-large-sectors", [("ticket.pkpass", [])]),
            ("outlook-name-cyrillic-in-code-page", [("билет.pkpass", [])]),
            ("outlook-message", [("ticket.pkpass", ["Fwd: your ticket 1/2"])]),
            (
                "outlook-message-in-message",
                [("ticket.pkpass", ["outer", "Fwd: your ticket 1/2"]), ("ticket.pkpass", [])]
            ),
            ("none-outlook-text-only", []),
        ] as [(String, [(String, [String])])])
    func sample(name: String, expected: [(String, [String])]) throws {
        let message = try #require(try OutlookMessage(SpooledBytes(try MailSample.part(name))))
        #expect(message.problems.isEmpty)
        let found = try message.attachments.map(Found.init)
        #expect(found == (try expected.map { try Found($0.0, .small, in: $0.1) }))
    }

    @Test("an Office document is not a message")
    func document() throws {
        let octets = SpooledBytes(try MailSample.part("none-outlook-document"))
        #expect(try OutlookMessage(octets) == nil)
        #expect(try OutlookMessage(SpooledBytes([])) == nil)
        // The first sector alone does not distinguish the two.
        let cut = try #require(try OutlookMessage(octets.slice(0..<512)))
        #expect(cut.problems.map(\.code) == ["truncated"])
    }

    /// The header's sectors have 512 bytes, or 4096 in version 4 ([MS-CFB], 2.2).
    @Test("a compound file above the limit is not read", arguments: [(9, 8 << 30), (12, 64 << 30)])
    func tooLarge(shift: UInt8, limit: Int) throws {
        let file = try FileDescriptor.temporary(inOneOf: ["/var/tmp", "/tmp"])
        var header = [UInt8](repeating: 0, count: 512)
        header.replaceSubrange(0..<8, with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])
        header[30] = shift
        try file.writeAll(header.span)
        let octets = SpooledBytes(lookingInto: file, size: limit + 1 << shift)
        let message = try #require(try OutlookMessage(octets))
        #expect(message.problems == [.tooLarge(limit: limit)])
        #expect(message.attachments.isEmpty)
        let shorter = try #require(try OutlookMessage(octets.slice(0..<limit)))
        #expect(!shorter.problems.contains(.tooLarge(limit: limit)))
    }

    @Test("sectors may be in any order, and in a file on disk")
    func scattered() throws {
        let bytes = try MailSample.part("outlook-scattered")
        var writer = OctetsWriter(SpoolPolicy(memory: 0, directories: ["/tmp"]))
        try writer.append(bytes)
        for octets in [SpooledBytes(bytes), try writer.finish()] {
            let message = try #require(try OutlookMessage(octets))
            #expect(
                message.attachments.map(\.header.names.first)
                    == ["data.bin", "ticket.pkpass", "photo.png", "film.pkpass"])
            let tall = try message.attachments[0].body(SpoolPolicy()).array()
            #expect(tall == (0..<40).flatMap { _ in (0...255).map(UInt8.init) })
        }
    }

    @Test("truncation is reported, and the other attachments are read")
    func cut() throws {
        let bytes = try MailSample.part("outlook-scattered")
        // The tables and the directory are at the end of the file.
        for count in stride(from: 512, to: bytes.count, by: 512) {
            let message = try #require(try OutlookMessage(SpooledBytes(Array(bytes.prefix(count)))))
            #expect(message.problems.contains { $0.code == "truncated" }, "\(count)")
        }
        // The number of the first sector of the missing stream.
        let entry = try #require(place(of: "__substg1.0_37010102", in: bytes).first)
        var astray = bytes
        astray.replaceSubrange(entry + 116..<entry + 120, with: [0xF0, 0xFF, 0, 0])
        let message = try #require(try OutlookMessage(SpooledBytes(astray)))
        #expect(message.attachments.count == 3)
        #expect(message.problems.map(\.code) == ["truncated"])
    }

    @Test("circular chains and folders end, and nothing is returned twice")
    func circles() throws {
        let bytes = try MailSample.part("outlook-scattered")
        for place in stride(from: 0, to: bytes.count, by: 20) {
            for value: [UInt8] in [[0, 0, 0, 0], [1, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF]] {
                var changed = bytes
                changed.replaceSubrange(place..<place + 4, with: value)
                let message = try OutlookMessage(SpooledBytes(changed))
                let sizes = message?.attachments.map(\.size) ?? []
                #expect(sizes.reduce(0, +) <= bytes.count)
            }
        }
    }

    @Test("a wrong length affects no other attachment")
    func length() throws {
        var bytes = try MailSample.part("outlook-scattered")
        let entry = try #require(place(of: "__substg1.0_37010102", in: bytes).first)
        let size = UInt32(bytes.count - 1000)
        bytes.replaceSubrange(
            entry + 120..<entry + 124,
            with: (0..<4).map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) })
        let message = try #require(try OutlookMessage(SpooledBytes(bytes)))
        #expect(message.attachments.count == 3)
        #expect(message.problems.map(\.code) == ["truncated"])
    }

    @Test("a directory above the limit of entries is reported")
    func manyEntries() throws {
        let script = """
            import sys
            sys.path.insert(0, sys.argv[1])
            from tool import outlook
            message = outlook.message(outlook.attachment(b"x", "ticket.pkpass"))
            for number in range(11000):
                message[f"__recip_version1.0_#{number:08X}"] = {
                    f"__substg1.0_30{field:02X}001F": b"" for field in range(9)}
            sys.stdout.buffer.write(outlook.compound(message))
            """
        let message = try made(by: script)
        #expect(message.problems.map(\.code) == ["limit-entries"])
    }

    @Test("thousands of attachments in the same sectors are limited")
    func sharedSectors() throws {
        // Each directory entry with an attachment's data claims the whole file.
        var bytes = try MailSample.part("outlook-scattered")
        for entry in place(of: "__substg1.0_37010102", in: bytes) {
            let size = UInt32(bytes.count - 4096)
            let number = (0..<4).map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) }
            bytes.replaceSubrange(entry + 120..<entry + 124, with: number)
        }
        let message = try #require(try OutlookMessage(SpooledBytes(bytes)))
        #expect(message.attachments.reduce(0) { $0 + $1.size } <= bytes.count)
        #expect(message.problems.contains { $0.code == "truncated" })
    }

    @Test("names are limited in length, each and in total")
    func names() throws {
        let script = """
            import sys
            sys.path.insert(0, sys.argv[1])
            from tool import outlook
            message = outlook.message(*[outlook.attachment(b"x", "n" * 2000)] * 5000, top=False)
            for _ in range(15): message = outlook.message(outlook.attached(message, "s" * 2000), top=False)
            sys.stdout.buffer.write(outlook.compound(outlook.message(outlook.attached(message, "s" * 2000))))
            """
        let message = try made(by: script)
        #expect(message.problems.map(\.code) == ["limit-names"])
        let names = message.attachments.flatMap { $0.messages + $0.header.names }
        #expect(message.attachments.count > 1000)
        #expect(names.reduce(0) { $0 + $1.utf8.count } <= 8 << 20)
        #expect(
            message.attachments.first?.messages.map(\.count) == Array(repeating: 255, count: 16))
    }

    @Test(
        "a file in an object of the class Package is read, and a damaged one is reported",
        arguments: ["package", "outlook.message(outlook.attached(package))"], [0, 13])
    func packages(tree: String, missing: Int) throws {
        let message = try made(
            by: """
                import struct, sys
                sys.path.insert(0, sys.argv[1])
                from tool import outlook, rtf
                data = rtf.native(b"abc", "ticket.pkpass")
                data = struct.pack("<I", len(data)) + data[:len(data) - \(missing)]
                package = {"\\1Ole10Native": data}
                sys.stdout.buffer.write(outlook.compound(\(tree)))
                """)
        let files = try message.attachments.map { try $0.body(SpoolPolicy()).array() }
        #expect(files.contains(Array("abc".utf8)) == (missing == 0))
        #expect(message.problems.map(\.code) == (missing == 0 ? [] : ["truncated"]))
    }

    /// A message written by a Python program. Its argument is the folder of the writer.
    private func made(by script: String) throws -> OutlookMessage {
        let bytes = try run(["python3", "-B", "-c", script, Sample.folder.path], input: [])
        return try #require(try OutlookMessage(SpooledBytes(bytes)))
    }

    /// The offsets of directory entries with this name.
    private func place(of name: String, in bytes: [UInt8]) -> [Int] {
        let text = Array(name.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        return stride(from: 0, to: bytes.count - 128, by: 128).filter {
            bytes[$0..<$0 + text.count].elementsEqual(text)
        }
    }
}
