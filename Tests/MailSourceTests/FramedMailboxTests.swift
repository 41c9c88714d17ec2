import Bytes
import Foundation
import Platform
import Testing

@testable import MailSource

private let one = "\u{1}\u{1}\u{1}\u{1}\n"
private let separator = "From a@b Mon Jan  1 00:00:00 2024\n"

@Suite("The messages of MMDF, Babyl and batch SMTP files are read without the framing")
struct FramedMailboxTests {
    @Test(
        "MMDF: between lines of four 0x01 bytes",
        arguments: [
            (
                "\(one)Subject: a\n\nb\n\(one)\(one)Subject: c\n\(one)",
                ["Subject: a\n\nb\n", "Subject: c\n"]
            ),
            ("\(one)\(separator)To: a\n\n\(separator)b\n\(one)", ["To: a\n\n\(separator)b\n"]),
            // Without an end, without a beginning, empty.
            ("\(one)To: a\n\(one)To: b\n\(one)\(one)To: c", ["To: a\n", "To: b\n", "To: c"]),
            ("\n\(one)To: a\n\(one)\(one)\n\n\(one)\(one)To: b\n", ["To: a\n", "To: b\n"]),
            (
                "\(one)To: a\n\n \(one)\u{1}\u{1}\u{1}\n\(one)",
                ["To: a\n\n \(one)\u{1}\u{1}\u{1}\n"]
            ),
            (
                "\u{1}\u{1}\u{1}\u{1}\r\nTo: a\r\n\u{1}\u{1}\u{1}\u{1}\r\n", ["To: a\r\n"]
            ),
        ])
    func mmdf(mailbox: String, messages: [String]) throws {
        try check(mailbox, messages)
    }

    @Test(
        "Babyl: a header before or after the end-of-header line",
        arguments: [
            (
                "\u{1F}\u{C}\n0, unseen,,\n*** EOOH ***\nTo: a\n\nb\n\u{1F}", ["To: a\n\nb\n"]
            ),
            (
                "\u{1F}\u{C}\n1,,\nSummary-line: x\nTo: a\nContent-Type: b\n\n*** EOOH ***\nTo: a\n\nb\n\u{1F}\n",
                ["Summary-line: x\nTo: a\nContent-Type: b\n\nb\n"]
            ),
            // Without the blank line after the full header.
            (
                "\u{1F}\u{C}\n1,,\nTo: a\n*** EOOH ***\nshown: a\n\nb\n\u{1F}", ["To: a\n\nb\n"]
            ),
            (
                "\u{1F}\u{C}\n0,,\n*** EOOH ***\nTo: a\n\n*** EOOH ***\n\u{1F}\u{C}x\n"
                    + "\u{1F}\u{C}\n0,,\n*** EOOH ***\nTo: b\n",
                ["To: a\n\n*** EOOH ***\n\u{1F}\u{C}x\n", "To: b\n"]
            ),
            ("\u{1F}", []), ("", []), ("\u{1F}\u{C}\n", []),
        ])
    func babyl(rest: String, messages: [String]) throws {
        try check("BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels:\n" + rest, messages)
        let crlf = "BABYL OPTIONS:\n" + rest
        try check(
            crlf.replacing("\n", with: "\r\n"), messages.map { $0.replacing("\n", with: "\r\n") })
    }

    @Test(
        "batch SMTP: between DATA and a dot, with dot-stuffing removed",
        arguments: [
            (
                "MAIL FROM:<a>\nRCPT TO:<b>\nDATA\nTo: b\n\n..\n...x\n.y\nz\n.\nQUIT\n",
                ["To: b\n\n.\n..x\ny\nz\n"]
            ),
            (
                "mail from:<a>\ndata\nTo: b\n.\nrset\nmail from:<a>\ndata\nTo: c\n.\n",
                ["To: b\n", "To: c\n"]
            ),
            (
                "250 ok\nMAIL FROM:<a>\n250 ok\nDATA\n354 go on\nTo: b\n\n354 x\n.\n250 queued\n",
                ["To: b\n\n354 x\n"]
            ),
            ("MAIL FROM:<a>\nDATA\nTo: b\n\nc", ["To: b\n\nc"]),
            ("MAIL FROM:<a>\nDATA\n.\nMAIL FROM:<a>\nDATA\n", []),
        ])
    func batchSMTP(rest: String, messages: [String]) throws {
        try check("HELO x\n" + rest, messages)
        let crlf = "HELO x\n" + rest
        try check(
            crlf.replacing("\n", with: "\r\n"), messages.map { $0.replacing("\n", with: "\r\n") })
    }

    @Test(
        "dbox: by sizes, or up to the metadata or the next message if they are wrong",
        arguments: [
            ("000000000000000a", "To: a\n\nbc\n", ["To: a\n\nbc\n"]),
            // No final line end, too large, too small, no number.
            ("0000000000000009", "To: a\n\nbc", ["To: a\n\nbc"]),
            ("00000000000000ff", "To: a\n\nbc\n", ["To: a\n\nbc\n\n"]),
            ("ffffffffffffffff", "To: a\n\nbc\n", ["To: a\n\nbc\n\n"]),
            ("0000000000000003", "To: a\n\nbc\n", ["To: a\nbc\n"]),
            ("???????????????0", "To: a\n\nbc\n", ["To: a\n\nbc\n\n"]),
            ("0000000000000000", "", []),
        ])
    func dbox(size: String, text: String, messages: [String]) throws {
        let other = "To: b\n\n\u{1}\u{2}N x\n"
        let header = "\u{1}\u{2}N          0000000000000fff\n"
        for (text, messages) in [
            (dboxMessage(size, text) + dboxMessage("000000000000000d", other), messages + [other]),
            // Without its metadata, a message ends before the next one.
            ("\(header)To: a\n\n\(header)To: b\n", ["To: a\n\n", "To: b\n"]),
        ] {
            for size in 64..<200 {
                let mail = try ReadMail(kindOf: "2 M1e C65a1b2c3\n\(text)", bufferSize: size)
                #expect(mail.texts == messages && mail.isInOrder)
            }
        }
    }

    private func dboxMessage(_ size: String, _ text: String) -> String {
        "\u{1}\u{2}N          \(size)\n\(text)\n\u{1}\u{3}\nR1\nGab\n\n"
    }

    @Test(
        "MBX: by sizes, or up to the next message if they are wrong",
        arguments: [
            ("12", ["To: a\r\n\r\nb\r\n", "To: c\r\n"]),
            ("0", ["To: a\r\n\r\nb\r\n", "To: c\r\n"]),
            ("999", ["To: a\r\n\r\nb\r\n", "To: c\r\n"]),
            ("11", ["To: a\r\n\r\nb\r\n", "To: c\r\n"]),
        ])
    func mbx(size: String, messages: [String]) throws {
        let start = "*mbx*\r\n65a1b2c300000003\r\n"
        let padding = String(repeating: "\0", count: 2048 - start.utf8.count)
        func line(_ size: String) -> String {
            " 1-Jan-2024 00:00:00 +0000,\(size);000000000000-00000001\r\n"
        }
        let text = start + padding + line(size) + "To: a\r\n\r\nb\r\n" + line("7") + "To: c\r\n"
        for size in 2200..<2300 {
            let mail = try ReadMail(kindOf: text, bufferSize: size)
            #expect(mail.texts == messages && mail.isInOrder)
        }
    }

    @Test("a message's offset is that of its first line")
    func offsets() throws {
        let mmdf = try ReadMail(kindOf: "\n\(one)To: a\n\(one)\(one)\(separator)To: b\n")
        #expect(mmdf.offsets == [6, 22])
        let batch = try ReadMail(kindOf: "HELO x\nMAIL FROM:<a>\nDATA\n354 go\nTo: a\n.\n")
        #expect(batch.offsets == [33])
        let babyl = try ReadMail(
            kindOf: "BABYL OPTIONS:\n\u{1F}\u{C}\n0,,\n*** EOOH ***\nTo: a\n\u{1F}")
        #expect(babyl.offsets == [35])
    }

    @Test("random lines, split anywhere", arguments: 1..<40 as Range<UInt64>)
    func random(seed: UInt64) throws {
        let lines = [
            one, "\u{1F}\u{C}\n", "\u{1F}\n", "*** EOOH ***\n", "\n", "\r\n", "DATA\n", ".\n",
            "..x\n",
            "MAIL FROM:<a>\n", "354 x\n", separator, "To: a\n", "0,,\n", "x\u{1F}\u{C}\n",
            String(repeating: "y", count: 150) + "\n",
            "." + String(repeating: "z", count: 99) + "\n",
            "\u{1}\u{1}\u{1}", "\u{1F}", ".",
        ]
        var maker = MailboxMaker(seed: seed)
        let beginnings = [
            "\(one)To: a\n", "BABYL OPTIONS:\n\u{1F}\u{C}\n0,,\n", "MAIL FROM:<a>\nDATA\n",
        ]
        let text = maker.pick(beginnings) + (0..<60).map { _ in maker.pick(lines) }.joined()
        let whole = try ReadMail(kindOf: text)
        #expect(whole.isInOrder && !whole.offsets.isEmpty)
        for size in 64..<200 { #expect(try ReadMail(kindOf: text, bufferSize: size) == whole) }
    }

    /// Reads the same bytes with every buffer size, also with lines longer than the buffer.
    private func check(_ mailbox: String, _ messages: [String]) throws {
        let mail = try ReadMail(kindOf: mailbox)
        #expect(mail.texts == messages)
        #expect(mail.isInOrder)
        let long = String(repeating: "0123456789", count: 500)
        let stretched = mailbox.replacing("To: ", with: "To: \(long)")
        let expected = messages.map { $0.replacing("To: ", with: "To: \(long)") }
        for size in stride(from: 2048, to: 2150, by: 17) {
            let mail = try ReadMail(kindOf: stretched, bufferSize: size)
            #expect(mail.texts == expected)
            #expect(mail.isInOrder)
        }
    }

    @Test(
        "mailboxes written by Python's mailbox are read as Python reads them",
        arguments: ["MMDF", "Babyl"])
    func python(form: String) throws {
        let folder = try Folder()
        defer { folder.remove() }
        let path = folder.path("mailbox")
        let program = """
            import mailbox, sys
            box = getattr(mailbox, sys.argv[1])(sys.argv[2])
            for index in range(50):
                head = f'From: a@b\\nSubject: {index}\\nContent-Type: text/plain\\n\\n'
                box.add((head + 'From x\\n.\\n\\x1f\\x0cx\\n>From y\\n\\n' * (index % 5)).encode())
            box.flush()
            for key in box.keys():
                print(box.get_bytes(key).rstrip().hex())
            """
        let lines = try MailSourceTests.python(program, [form, path]).split(separator: "\n")
        let descriptor = try FileDescriptor.open(path, 0)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        defer { descriptor.close() }
        let mail = try ReadMail(kindOf: ByteSource(file: descriptor, size: data.count))
        let found = mail.texts.map { text in
            let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) }
            return text[..<(end ?? text.startIndex)].utf8.map { String(format: "%02x", $0) }
                .joined()
        }
        #expect(found.count == 50)
        #expect(found == lines.map(String.init))
    }
}
