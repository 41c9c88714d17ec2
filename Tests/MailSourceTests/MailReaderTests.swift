import Bytes
import Foundation
import Platform
import Testing

@testable import MailSource

private let separator = "From a@b Mon Jan  1 00:00:00 2024\n"

@Suite("Messages of an mbox are separated as its writer intended")
struct MailReaderTests {
    @Test(
        "a turn that ends at a separator after NULs does not lose its message",
        arguments: [1, 500, 9000])
    func turns(zeros: Int) throws {
        let mailbox = [UInt8](repeating: 0, count: zeros) + Array("\(separator)a:\n\nb\n".utf8)
        let source = ByteSource(SpooledBytes(mailbox))
        var reader = MailReader()
        var offsets: [Int] = []
        func take(_ event: MailEvent) {
            if case .began(let offset) = event { offsets.append(offset) }
        }
        var ends = try reader.readMbox(source, range: 0..<1) { event, _, _ in take(event) }
        while ends.stop != nil {
            ends = try reader.readOn(source, upTo: reader.offset + 1) { event, _, _ in take(event) }
        }
        #expect(offsets == [zeros])
    }

    @Test("a turn that ends at the separator after a byte order mark goes on behind the mark")
    func turnAfterMark() throws {
        let source = ByteSource(SpooledBytes(Array("\u{FEFF}\(separator)a:\n\nb\n".utf8)))
        var reader = MailReader()
        var offsets: [Int] = []
        var turns = 0
        var ends = try reader.readMbox(source, range: 0..<1) { event, _, _ in
            if case .began(let offset) = event { offsets.append(offset) }
        }
        while ends.stop != nil, turns < 100 {
            turns += 1
            ends = try reader.readOn(source, upTo: reader.offset + 1) { event, _, _ in
                if case .began(let offset) = event { offsets.append(offset) }
            }
        }
        #expect(offsets == [3])
    }

    @Test(
        "each kind of mailbox",
        arguments: [
            // The writers of mboxo and mboxrd quote these lines. The parser removes the quotes when
            // it reads the bytes of a part.
            (
                "\(separator)Subject: 1\n\n>From x\n\n\(separator)\nb\n",
                ["Subject: 1\n\n>From x\n\n", "\nb\n"]
            ),
            // No blank line before a separator, and no final newline.
            ("\(separator)a:\n\(separator)b:", ["a:\n", "b:"]),
            ("\n\r\n\n\(separator)a:\n", ["a:\n"]),
            // After a UTF-8 byte order mark.
            ("\u{FEFF}\(separator)a:\n\(separator)b:\n", ["a:\n", "b:\n"]),
            ("\u{FEFF}\n\(separator)a:\n", ["a:\n"]), ("\u{FEFF}x\n", ["x\n"]),
            ("\u{FEFF}", []),
            // A first message written by a program, and a separator that is recognised only by the
            // header after it.
            (
                "From MAILER-DAEMON Fri Jul  8 12:08:34 2011\nX-IMAP: 1\n\n\(separator)a:\n",
                ["X-IMAP: 1\n\n", "a:\n"]
            ),
            (
                "From nobody\nFoo: x\nTo: y\n\n\(separator)a:\n",
                ["From nobody\nFoo: x\nTo: y\n\n", "a:\n"]
            ),
            (
                "From a Mon Jan  1 00:00:00 2024\r\na:\r\n\r\nFrom \r\nb:\r\n",
                ["a:\r\n\r\n", "b:\r\n"]
            ),
            ("From \nSubject: x\n\nFrom \n", ["Subject: x\n\n", ""]),
            // Without its first separator.
            ("Subject: x\n\na\n\n\(separator)b:\n", ["Subject: x\n\na\n\n", "b:\n"]),
            ("\n\nSubject: x\n", ["Subject: x\n"]),
            (" \(separator)Subject: x\n", [" \(separator)Subject: x\n"]),
            ("From now on\nwe\n", ["From now on\nwe\n"]),
            ("From now on", ["From now on"]),
            ("From ", [""]), ("", []), ("\n", []), ("\r\n\r\n", []), ("x", ["x"]),
            (separator, [""]), (separator + separator, [separator]),
            (separator + "\n" + separator, ["\n", ""]),
            (
                "\(separator)From now on we\n\nFrom here on:\nnothing: x\n",
                ["From now on we\n\nFrom here on:\nnothing: x\n"]
            ),
        ] as [(String, [String])])
    func kinds(mailbox: String, messages: [String]) throws {
        let mail = try ReadMail(mailbox)
        #expect(mail.texts == messages)
        #expect(mail.isInOrder)
        #expect(mail.ends == MboxRangeEnds(first: mail.offsets.first, stop: nil))
    }

    /// Each row: the text after the separator, the number of messages, and the reason.
    @Test(
        "a Content-Length is used if a separator or the end of the file follows",
        arguments: [
            ("Content-Length: 37\n\n\(separator)a:\n\n\(separator)b:\n", 2, "mboxcl2"),
            ("Content-Length: 37\r\n\r\n\(separator)a:\n\(separator)b:\n", 2, "CRLF in the header"),
            ("content-length:\t37\n\n\(separator)a:\n", 1, "the end follows"),
            ("Content-Length: 36\n\n\(separator)a:", 1, "the end without newline"),
            ("Content-Length: 37\n\n\(separator)a:\n\n\n\n", 1, "blank lines and the end"),
            (
                "Content-Length: 36\n\n\(separator)a:\n\(separator)b:\n", 2,
                "one less than the line end"
            ),
            ("Content-Length: 35\n\n\(separator)a:\n\(separator)b:\n", 3, "too small"),
            ("Content-Length: 38\n\n\(separator)a:\n\(separator)b:\n", 3, "too large"),
            ("Content-Length: 999\n\n\(separator)a:\n\(separator)b:\n", 3, "behind the end"),
            ("Content-Length: 74\n\n\(separator)a:\n\(separator)b:\n", 1, "over two separators"),
            ("Content-Length: 75\n\n\(separator)a:\n\(separator)b:\n", 3, "one behind the end"),
            ("Content-Length: 999999999999999999\n\n\(separator)a:\n", 2, "absurd"),
            ("Content-Length: -37\n\n\(separator)a:\n\n\(separator)b:\n", 3, "negative"),
            ("Content-Length: x\n\n\(separator)a:\n\n\(separator)b:\n", 3, "no number"),
            ("Subject: x\n\nContent-Length: 41\n\n\(separator)a:\n", 2, "in the body"),
            // The claimed end is within a line: `xFrom ...` is not a separator.
            ("Content-Length: 38\n\n\(separator)a:\nxFrom \nb:\n", 2, "inside a line"),
        ])
    func contentLength(rest: String, count: Int, reason: Comment) throws {
        let text = separator + rest
        #expect(try ReadMail(text).messages.count == count, reason)
        let folder = try Folder()
        defer { folder.remove() }
        let path = try folder.write(text, to: "mbox")
        // A stream cannot seek. The result must be the same.
        for size in [64 << 10, 2048] {
            let stream = try FileDescriptor.open(path, 0)
            defer { stream.close() }
            let mail = try ReadMail(ByteSource(stream: stream, prefix: []), bufferSize: size)
            #expect(mail.messages.count == count, reason)
        }
    }

    @Test("a stream is read ahead up to a claimed length")
    func readAhead() throws {
        let body = "\(separator)\(String(repeating: "0123456\n", count: 500_000))"
        let text =
            "\(separator)Content-Length: \(body.utf8.count)\n\n\(body)\(separator)b:\n"
        let folder = try Folder()
        defer { folder.remove() }
        let path = try folder.write(text, to: "mbox")
        let stream = try FileDescriptor.open(path, 0)
        defer { stream.close() }
        let prefix = Array(text.utf8.prefix(4096))
        var skipped = [UInt8](repeating: 0, count: 4096)
        _ = try unsafe skipped.withUnsafeMutableBytes { try unsafe stream.read(into: $0) }
        let mail = try ReadMail(ByteSource(stream: stream, prefix: prefix))
        #expect(mail.messages.count == 2)
        #expect(mail == (try ReadMail(text)))
    }

    @Test("false lengths in a stream cost only a few reads ahead", .timeLimit(.minutes(1)))
    func falseClaims() throws {
        let text = String(
            repeating: "From \nContent-Length: 1000001\n\n", count: 60_000)
        let folder = try Folder()
        defer { folder.remove() }
        let stream = try FileDescriptor.open(try folder.write(text, to: "mbox"), 0)
        defer { stream.close() }
        #expect(try ReadMail(ByteSource(stream: stream, prefix: [])).offsets.count == 60_000)
    }

    @Test(
        "a single message is read as a whole",
        arguments: ["", "x", "a\nb\n\(separator)c"])
    func message(text: String) throws {
        var mail = ReadMail()
        var reader = MailReader(bufferSize: 2048)
        try reader.read(ByteSource(SpooledBytes(Array(text.utf8))), as: .message) {
            event, bytes, _ in
            mail.take(event, bytes)
        }
        #expect(mail.texts == [text])
        #expect(mail.isInOrder)
    }

    @Test(
        "a UTF-8 byte order mark is not part of a message",
        arguments: [("\u{FEFF}To: a\n\n\u{FEFF}b", "To: a\n\n\u{FEFF}b"), ("\u{FEFF}", "")])
    func mark(text: String, message: String) throws {
        var mail = ReadMail()
        var reader = MailReader(bufferSize: 2048)
        try reader.read(ByteSource(SpooledBytes(Array(text.utf8))), as: .message) {
            event, bytes, _ in
            mail.take(event, bytes)
        }
        #expect(mail.texts == [message])
        #expect(mail.isInOrder)
    }

    @Test("Python's mailbox finds the same messages if the mailbox does not rely on Content-Length")
    func python() throws {
        let folder = try Folder()
        defer { folder.remove() }
        var text = ""
        for index in 0..<200 {
            text += "From a\(index)@b Mon Jan  1 00:00:00 2024\nSubject: \(index)\n\n"
            text += String(repeating: ">From x\nFrom\n From y\n", count: index % 7) + "\n"
        }
        let path = try folder.write(text, to: "mbox")
        let program = """
            import mailbox, sys
            box = mailbox.mbox(sys.argv[1])
            box._generate_toc()
            print(*[start for start, stop in box._toc.values()])
            """
        let offsets = try MailSourceTests.python(program, [path]).split { $0 == " " || $0 == "\n" }
        #expect(try ReadMail(text).offsets == offsets.compactMap { Int($0) })
    }
}

@Suite("The result does not depend on how a mailbox is read")
struct MailReaderEdgeTests {
    static let handmade = [
        "\n\n\(separator)a\n\(separator)b",
        String(repeating: "\n", count: 5_000) + "From x\nSubject: y\n\na\nFrom \nb",
        String(repeating: "\r\n", count: 3_000) + "Subject: y\n\na\nFrom \nb",
        // Lines longer than small buffers, after separators that are recognised only by those
        // lines.
        "From x\nX-Long: \(String(repeating: "y", count: 5_000))\n\na\nFrom z\nX-Long: "
            + String(repeating: "y", count: 5_000) + "\n\nb\n",
        "From x\n\(String(repeating: "y", count: 5_000)): z\n\na\nFrom z\n",
        "\(separator)X-A: \(String(repeating: "y", count: 2_043))\nContent-Length: 36\n\n\(separator)a\n",
        String(repeating: "z", count: 6_000) + "\n\(separator)a",
        "From \(String(repeating: "x", count: 5_000))\nSubject: x\n\n\(separator)a",
    ]

    @Test("for every size of the buffer", arguments: handmade.indices)
    func handmadeBuffers(index: Int) throws {
        let text = MailReaderEdgeTests.handmade[index]
        let expected = try ReadMail(text)
        for size in 2048..<2300 { #expect(try ReadMail(text, bufferSize: size) == expected) }
    }

    @Test("for random mailboxes with known messages", arguments: 1..<25 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var maker = MailboxMaker(seed: seed)
        let lineEnd = seed % 3 == 0 ? "\r\n" : "\n"
        maker.addMessages(60, lineEnd: lineEnd, lengths: seed % 2 == 0)
        let expected = try ReadMail(maker.text)
        #expect(expected.offsets == maker.offsets)
        #expect(expected.isInOrder)
        for size in stride(from: 2048, to: 2048 + 700, by: 7) {
            #expect(try ReadMail(maker.text, bufferSize: size) == expected)
        }
        let folder = try Folder()
        defer { folder.remove() }
        let path = try folder.write(maker.text, to: "mbox")
        for size in [2048, 2049, 5000] {
            let stream = try FileDescriptor.open(path, 0)
            defer { stream.close() }
            #expect(
                try ReadMail(ByteSource(stream: stream, prefix: []), bufferSize: size) == expected)
        }
    }

    @Test("for ranges that end or begin inside the UTF-8 byte order mark")
    func mark() throws {
        let text = "\u{FEFF}\(separator)a\n\(separator)b\n"
        for place in 1...3 {
            #expect(try ReadMail(text, range: 0..<place).ends.stop == 3)
        }
        #expect(try ReadMail(text, range: 3..<99) == (try ReadMail(text)))
    }

    @Test("for ranges, each with the messages that begin in it", arguments: 1..<5 as Range<UInt64>)
    func ranges(seed: UInt64) throws {
        var maker = MailboxMaker(seed: seed)
        maker.addMessages(12, lineEnd: "\n", lengths: false)
        // A UTF-8 byte order mark before them changes nothing.
        #expect(
            try ReadMail("\u{FEFF}\(maker.text)").offsets == maker.offsets.map { $0 + 3 })
        let all = try ReadMail(maker.text)
        let count = maker.text.utf8.count
        for place in 1..<count {
            let first = try ReadMail(maker.text, range: 0..<place)
            let second = try ReadMail(maker.text, range: place..<count)
            #expect(first.messages + second.messages == all.messages)
            #expect(first.offsets + second.offsets == all.offsets)
            #expect(first.ends.stop == second.ends.first)
        }
    }
}
