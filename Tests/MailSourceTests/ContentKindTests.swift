import Bytes
import Foundation
import Platform
import Testing

@testable import MailSource

@Suite("The first bytes determine what a source is")
struct ContentKindTests {
    private static let separator = "From a Mon Jan  1 00:00:00 2024\n"

    @Test(
        "each kind",
        arguments: [
            ("", ContentKind.empty),
            ("From a Mon Jan  1 00:00:00 2024\nSubject: x\n", .mail(.mbox)),
            ("\n\r\n\nFrom a Mon Jan  1 00:00:00 2024\n", .mail(.mbox)),
            (" From a Mon Jan  1 00:00:00 2024\n", .other),
            ("From nobody knows\nSubject: x\n\n", .mail(.mbox)),
            ("From nobody knows\nX: y\nSubject: x\n\n", .mail(.mbox)),
            ("From nobody knows\nX: y\n\nSubject: x\n", .other),
            ("From here on\nwe: go\n", .other),
            ("From MAILER-DAEMON\nReceived: x\n", .mail(.mbox)),
            ("From ???@??? Mon Jan 01 00:00:00 2024\r\nX-Persona: <a>\r\n", .mail(.mbox)),
            ("From a@b Mon, 1 Jan 2024 00:00:00 +0000\nX: y\n", .mail(.mbox)),
            ("From a@b 1 Jan 2024 00:00:00 +0000\nX: y\n", .mail(.mbox)),
            ("\u{FEFF}From a Mon Jan  1 00:00:00 2024\n", .mail(.mbox)),
            ("Subject: x\n\nFrom a Mon Jan  1 00:00:00 2024\n", .mail(.message)),
            ("\nReceived: x\n", .mail(.message)), ("\u{FEFF}Subject: x\n", .mail(.message)),
            (">From a Mon Jan  1 00:00:00 2024\nReceived: x\n", .mail(.message)),
            ("Odd: x\n folded\nSubject: y\n", .mail(.message)), ("Odd: x\nodd\n", .other),
            ("X-Odd: x\n", .mail(.message)), ("Foo: bar\nTo: x\n", .mail(.message)),
            ("Foo: bar\n\n", .other),
            ("PK\u{3}\u{4}xx", .file(.zip)), ("\nPK\u{3}\u{4}", .other), ("hello\n", .other),
            ("the end of it\n\nFrom a Mon Jan  1 00:00:00 2024\n", .mail(.mbox)),
            ("hello\nFrom now on\n", .other),
            ("{\"a\": 1}", .text(.json)), ("\n [ {", .text(.json)), ("[\"", .text(.json)),
            ("{1}", .other), ("{a: \"b\"}", .other), ("[1]", .other), ("{", .other),
            ("\"UEsDBBQAAAAIAAAAIVgAAAAAAAAAAAAAAAAB\"", .text(.json)), ("\"hello\"", .other),
            ("\"H4sIAAAAAAAAA\\/8AA_--\"", .text(.json)), ("\"UEsDBBQA 1\"", .other),
            ("\"data:a/b;base64,UEsDBBQAAAAI\"", .text(.json)), ("\"data:a/b", .other),
            ("\u{FEFF}begin:vcalendar\r\n", .text(.calendar)), ("BEGIN:VCARD\n", .text(.calendar)),
            ("HTTP/1.1 200 OK\r\n", .text(.httpResponse)), ("HTTP/1.1 OK\r\n", .other),
            ("2 M1e C65\n\u{1}\u{2}N", .mail(.framed(.dbox))), ("2 M1e\nN", .other),
            ("*mbx*\r\n65", .mail(.framed(.mbx))), ("bplist00", .file(.propertyList)),
            (".pfile\u{2}", .unread(.protectedByMicrosoft)), (".profile", .other),
            ("CRYPTED\u{3}\u{7}", .unread(.dovecotEncrypted)), ("CRYPTED: x\n", .other),
            ("\u{1A}\u{0}\u{0}\u{4}\u{0}\u{0}", .unread(.notes)),
            (" \u{6}y\u{19}", .unread(.theBat)), ("vCard\n", .other),
            ("!BDN", .unread(.outlookFolders)), ("<html>", .webPage), ("\n\n", .other),
            ("\u{1}\u{1}\u{1}\u{1}\nSubject: x\n", .mail(.framed(.mmdf))),
            ("\u{1}\u{1}\u{1}\u{1}\r\nFrom a Mon Jan  1 00:00:00 2024\r\n", .mail(.framed(.mmdf))),
            ("\u{1}\u{1}\u{1}\u{1}\n\u{2}\u{3}", .other),
            ("\u{1}\u{1}\u{1}\u{1}\u{1}\nTo: x\n", .other),
            ("BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n", .mail(.framed(.babyl))),
            ("BABYL\n", .other),
            ("HELO a\nMAIL FROM:<b>\nRCPT TO:<c>\nDATA\nSubject: x\n", .mail(.framed(.batchSMTP))),
            (
                "220 a ESMTP\nEHLO a\n250-a\n250 b\nMail From: <b>\nDATA\n",
                .mail(.framed(.batchSMTP))
            ),
            ("HELO a\nRCPT TO:<c>\nDATA\n", .other), ("MAIL FROM:<b>\nhello\nDATA\n", .other),
            ("MAIL FROM:<b>\nRCPT TO:<c>\n", .other), ("DATA\n", .other),
        ])
    func kinds(text: String, kind: ContentKind) {
        let bytes = Array(text.utf8)
        #expect(ContentKind(bytes.span) == kind)
    }

    @Test("a PDF file, which is not opened in mail")
    func document() {
        for text in ["%PDF-1.4\n", "junk\n%%\n%PDF-2.0"] {
            let bytes = Array(text.utf8)
            #expect(ContentKind(bytes.span, .isFile) == .pdf)
            #expect(ContentKind(bytes.span) != .pdf)
        }
        let late = [UInt8](repeating: 0x20, count: 1024) + Array("%PDF-1.4".utf8)
        #expect(ContentKind(late.span, .isFile) == .other)
    }

    @Test("Microsoft's protected mail")
    func protectedMessage() {
        let bytes: [UInt8] = [0x76, 0xE8, 0x04, 0x60, 0xC4, 0x11, 0xE3, 0x86, 0]
        #expect(ContentKind(bytes.span) == .unread(.protectedByMicrosoft))
    }

    @Test(
        "a text in UTF-16, with a byte order mark or without",
        arguments: [
            ("{\"contentBytes\": \"\"}", ContentKind.damagedMail),
            ("From: a\nTo: b\n\nhello\n", .damagedMail),
            ("<?xml version=\"1.0\"?><plist version=\"1.0\"/>", .damagedMail),
            (String(repeating: "UEsDBBQACAAI", count: 8), .mail(.message)),
            ("hello to all of you\n", .other),
        ])
    func wide(text: String, kind: ContentKind) {
        for isLittle in [true, false] {
            let bytes = text.utf16.flatMap { unit -> [UInt8] in
                let (low, high) = (UInt8(unit & 0xFF), UInt8(unit >> 8))
                return isLittle ? [low, high] : [high, low]
            }
            let marked = (isLittle ? [0xFF, 0xFE] : [0xFE, 0xFF]) + bytes
            #expect(ContentKind(bytes.span, .isFile) == kind)
            #expect(ContentKind(marked.span, .isFile) == kind)
        }
    }

    @Test("messages that Dovecot encrypted are named like others")
    func encryptedMessage() {
        let bytes = Array("CRYPTED\u{3}\u{7}\u{2}".utf8)
        #expect(ContentKind(bytes.span, .isMessage) == .unread(.dovecotEncrypted))
    }

    @Test(
        "the name decides if the content is neither text nor in another format",
        arguments: [
            (.isPegasus, "Inbox\u{0}\u{0}From: a\n", .unread(.pegasus)),
            (.isPegasus, "From: a\n\nb\n", .mail(.message)), (.isPegasus, "hello\n", .other),
            (.isPegasus, "PK\u{3}\u{4}\u{0}", .file(.zip)),
            (.isJSON, "garbage\n{\"a\": 1}\n", .text(.json)), (.isJSON, "a\n{b}\n", .other),
            (.isNotes, "x\u{0}", .unread(.notes)), (.isNotes, "NESM\u{1A}\u{0}", .other),
            (.isTheBat, "x\u{0}", .unread(.theBat)),
            (.isProtected, "x\u{0}", .unread(.protectedByMicrosoft)),
            (.isPlaceholder, "bplist00", .unread(.iCloudPlaceholder)),
            (.isPlaceholder, "", .unread(.iCloudPlaceholder)),
        ] as [(ContentKind.Hint, String, ContentKind)])
    func names(hint: ContentKind.Hint, text: String, kind: ContentKind) {
        let bytes = Array(text.utf8)
        #expect(ContentKind(bytes.span, hint) == kind)
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
        if case .mail(.emlx(let emlx)) = ContentKind(bytes.span) { found = emlx.start }
        #expect(found == start)
    }

    /// Each row: the text before the separator, and its repetitions.
    @Test(
        "a separator after other text is found, up to a limit",
        arguments: [
            ("\n", 5_000, true), ("\r\n", 20_000, true), ("\n", 70_000, false),
            ("the end of it\n", 400, false), ("the end of it\n\n", 400, true),
            ("the end of it\n\n", 5_000, false),
            ("words without end ", 400, false),
        ])
    func far(before: String, count: Int, isSeen: Bool) throws {
        let text = String(repeating: before, count: count) + ContentKindTests.separator
        #expect(try kind(text) == (isSeen ? .mail(.mbox) : .other))
    }

    @Test(
        "files of other kinds",
        arguments: [
            ("<!DOCTYPE html>\n<title>x</title>", ContentKind.webPage),
            (" \n<BODY>", .webPage), ("<p>", .other),
            ("(This file must be converted with BinHex 4.0)\n\n:", .binHex),
            ("text\r(This file must be converted\r:", .binHex),
            ("(This file must be converte\n", .other), ("x (This file must be converted\n", .other),
            ("\u{0}\u{1}x", .other), ("Subject: x\rTo: y\r\rtext\r", .damagedMail),
            ("hello\rworld\r", .other),
            ("#! rnews 120\nPath: a!b\nFrom: a\n", .mail(.message)), ("#! rnews 120\nx\n", .other),
            ("Article 3 of a.b:\nPath: c\n", .mail(.message)), ("Article 3 says\nthat\n", .other),
        ])
    func files(text: String, kind: ContentKind) {
        let bytes = Array(text.utf8)
        #expect(ContentKind(bytes.span) == kind)
    }

    @Test("a web page as the server declares it, unless it is something else")
    func declaredPage() {
        for (text, kind) in [
            ("hello", ContentKind.webPage), ("", .webPage), ("PK\u{3}\u{4}", .file(.zip)),
            ("Subject: x\n\n", .mail(.message)),
        ] {
            let bytes = Array(text.utf8)
            #expect(ContentKind(bytes.span, .isWebPage) == kind)
        }
    }

    @Test("a first field of any length is recognised")
    func longField() throws {
        let long = String(repeating: "word\n ", count: 1_000)
        #expect(try kind("Foo: \(long)end\nSubject: x\n") == .mail(.message))
        #expect(
            try kind("Foo: \(String(repeating: "x", count: 9_000))\nSubject: x\n")
                == .mail(.message))
        #expect(try kind("Foo: \(long)end\nfoo\nSubject: x\n") == .other)
    }

    @Test("binary data is recognised by its first bytes only")
    func binary() throws {
        let junk = String(repeating: "x\n\u{0}", count: 2_000)
        let source = ByteSource(SpooledBytes(Array((junk + ContentKindTests.separator).utf8)))
        #expect(try ContentHead(of: source).bytes.count == ContentHead.length)
        #expect(try kind(junk + ContentKindTests.separator) == .other)
    }

    @Test("a stream is recognised in the same way")
    func stream() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let text = String(repeating: "\n", count: 5_000) + ContentKindTests.separator
        let descriptor = try FileDescriptor.open(try folder.write(text, to: "mbox"), 0)
        defer { descriptor.close() }
        let head = try ContentHead(of: ByteSource(stream: descriptor, prefix: []))
        #expect(head.bytes == Array(text.utf8))
    }

    @Test("where every file is a message, only compressed files are not")
    func message() {
        for text in ["", "hello", "From a Mon Jan  1 00:00:00 2024\n", "PK\u{3}\u{4}", "12\nTo: x"]
        {
            let bytes = Array(text.utf8)
            #expect(ContentKind(bytes.span, .isMessage) == .mail(.message))
        }
        let compressed: [[UInt8]] = [
            [0x1F, 0x8B, 0x08, 0], [0x28, 0xB5, 0x2F, 0xFD], Array("BZh91AY&SY".utf8),
            [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00],
        ]
        for bytes in compressed {
            let signature = FileSignature(bytes.span)
            #expect(signature?.isCompression == true)
            #expect(ContentKind(bytes.span, .isMessage) == signature.map { .file($0) })
        }
    }

    private func kind(_ text: String) throws -> ContentKind {
        try ContentHead(of: ByteSource(SpooledBytes(Array(text.utf8)))).kind
    }
}
