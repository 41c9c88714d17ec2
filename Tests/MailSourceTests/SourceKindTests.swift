import Bytes
import Foundation
import Platform
import Testing

@testable import MailSource

@Suite("The first bytes determine the kind of a source")
struct SourceKindTests {
    private static let separator = "From a Mon Jan  1 00:00:00 2024\n"

    @Test(
        "each kind",
        arguments: [
            ("", SourceKind.empty),
            ("From a Mon Jan  1 00:00:00 2024\nSubject: x\n", .mbox),
            ("\n\r\n\nFrom a Mon Jan  1 00:00:00 2024\n", .mbox),
            (" From a Mon Jan  1 00:00:00 2024\n", .other),
            ("From nobody knows\nSubject: x\n\n", .mbox),
            ("From nobody knows\nX: y\nSubject: x\n\n", .mbox),
            ("From nobody knows\nX: y\n\nSubject: x\n", .other),
            ("From here on\nwe: go\n", .other),
            ("From MAILER-DAEMON\nReceived: x\n", .mbox),
            ("From ???@??? Mon Jan 01 00:00:00 2024\r\nX-Persona: <a>\r\n", .mbox),
            ("From a@b Mon, 1 Jan 2024 00:00:00 +0000\nX: y\n", .mbox),
            ("From a@b 1 Jan 2024 00:00:00 +0000\nX: y\n", .mbox),
            ("\u{FEFF}From a Mon Jan  1 00:00:00 2024\n", .mbox),
            ("Subject: x\n\nFrom a Mon Jan  1 00:00:00 2024\n", .message),
            ("\nReceived: x\n", .message), ("\u{FEFF}Subject: x\n", .message),
            (">From a Mon Jan  1 00:00:00 2024\nReceived: x\n", .message),
            ("Odd: x\n folded\nSubject: y\n", .message), ("Odd: x\nodd\n", .other),
            ("X-Odd: x\n", .message), ("Foo: bar\nTo: x\n", .message), ("Foo: bar\n\n", .other),
            ("PK\u{3}\u{4}xx", .archive), ("\nPK\u{3}\u{4}", .other), ("hello\n", .other),
            ("the end of it\n\nFrom a Mon Jan  1 00:00:00 2024\n", .mbox),
            ("hello\nFrom now on\n", .other),
            ("{\"a\": 1}", .other), ("<html>", .other), ("\n\n", .other),
            ("\u{1}\u{1}\u{1}\u{1}\nSubject: x\n", .framed(.mmdf)),
            ("\u{1}\u{1}\u{1}\u{1}\r\nFrom a Mon Jan  1 00:00:00 2024\r\n", .framed(.mmdf)),
            ("\u{1}\u{1}\u{1}\u{1}\n\u{2}\u{3}", .other),
            ("\u{1}\u{1}\u{1}\u{1}\u{1}\nTo: x\n", .other),
            ("BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n", .framed(.babyl)),
            ("BABYL\n", .other),
            ("HELO a\nMAIL FROM:<b>\nRCPT TO:<c>\nDATA\nSubject: x\n", .framed(.batchSMTP)),
            ("220 a ESMTP\nEHLO a\n250-a\n250 b\nMail From: <b>\nDATA\n", .framed(.batchSMTP)),
            ("HELO a\nRCPT TO:<c>\nDATA\n", .other), ("MAIL FROM:<b>\nhello\nDATA\n", .other),
            ("MAIL FROM:<b>\nRCPT TO:<c>\n", .other), ("DATA\n", .other),
        ])
    func kinds(text: String, kind: SourceKind) {
        let bytes = Array(text.utf8)
        #expect(SourceKind(bytes.span) == kind)
    }

    @Test(
        "Apple Mail's length, if a header follows",
        arguments: [
            ("1421      \nSubject: x\n", 11), ("9\nX-A: b\n", 2), ("9\r\nX-A: b\n", 3),
            ("9999999999\nReceived: x\n", 11), ("000\nTo: x\n", 4),
            ("\nSubject: x\n", nil), ("12 x\nSubject: x\n", nil), ("12\nhello\n", nil),
            (" 12\nSubject: x\n", nil), ("12\n\nSubject: x\n", nil), ("12", nil), ("12\n", nil),
            ("1234567890123456\nSubject: x\n", nil), ("-12\nSubject: x\n", nil),
        ] as [(String, Int?)])
    func emlx(text: String, start: Int?) {
        let bytes = Array(text.utf8)
        var found: Int?
        if case .emlx(let emlx) = SourceKind(bytes.span) { found = emlx.start }
        #expect(found == start)
    }

    /// Each row: the text before the separator, and its repetitions.
    @Test(
        "a separator after other text is found, up to a limit",
        arguments: [
            ("\n", 5_000, true), ("\r\n", 20_000, true), ("\n", 70_000, false),
            ("the end of it\n", 400, true), ("the end of it\n", 5_000, false),
            ("words without end ", 400, false),
        ])
    func far(before: String, count: Int, isSeen: Bool) throws {
        let text = String(repeating: before, count: count) + SourceKindTests.separator
        #expect(try kind(text) == (isSeen ? .mbox : .other))
    }

    @Test("a first field of any length is recognised")
    func longField() throws {
        let long = String(repeating: "word\n ", count: 1_000)
        #expect(try kind("Foo: \(long)end\nSubject: x\n") == .message)
        #expect(
            try kind("Foo: \(String(repeating: "x", count: 9_000))\nSubject: x\n") == .message)
        #expect(try kind("Foo: \(long)end\nfoo\nSubject: x\n") == .other)
    }

    @Test("binary data is recognised by its first bytes only")
    func binary() throws {
        let junk = String(repeating: "x\n\u{0}", count: 2_000)
        let source = ByteSource(SpooledBytes(Array((junk + SourceKindTests.separator).utf8)))
        #expect(try SourceKind.prefix(of: source).count == SourceKind.prefixLength)
        #expect(try kind(junk + SourceKindTests.separator) == .other)
    }

    @Test("a stream is recognised in the same way")
    func stream() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let text = String(repeating: "\n", count: 5_000) + SourceKindTests.separator
        let descriptor = try FileDescriptor.open(try folder.write(text, to: "mbox"), 0)
        defer { descriptor.close() }
        let prefix = try SourceKind.prefix(of: ByteSource(stream: descriptor, prefix: []))
        #expect(prefix == Array(text.utf8))
    }

    @Test("where every file is a message, only compressed files are not")
    func message() {
        for text in ["", "hello", "From a Mon Jan  1 00:00:00 2024\n", "PK\u{3}\u{4}", "12\nTo: x"]
        {
            let bytes = Array(text.utf8)
            #expect(SourceKind(bytes.span, isMessage: true) == .message)
        }
        let compressed: [[UInt8]] = [
            [0x1F, 0x8B, 0x08, 0], [0x28, 0xB5, 0x2F, 0xFD], Array("BZh91AY&SY".utf8),
            [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00],
        ]
        for bytes in compressed {
            #expect(SourceKind(bytes.span, isMessage: true) == .other)
        }
    }

    private func kind(_ text: String) throws -> SourceKind {
        let prefix = try SourceKind.prefix(of: ByteSource(SpooledBytes(Array(text.utf8))))
        return SourceKind(prefix.span)
    }
}
