import Bytes
import Foundation
import MIME
import Testing

@testable import MailContainers

/// A ZIP archive with one small file, in base64.
private let zip: [UInt8] = {
    let text =
        "UEsDBBQAAAAAAAAAIVgAAAAAAAAAAAAAAAABAAAAYVBLAQIUAxQAAAAAAAAAIVgAAAAAAAAAAAAAAAABAAAA"
        + "AAAAAAAAAAAApIEAAAAAYVBLBQYAAAAAAQABAC8AAAAfAAAAAAA="
    return Array(text.utf8)
}()
private let content = Base64.decode(zip.span, zip.indices)
private let digits = String(decoding: zip, as: UTF8.self)

/// A line for each file: its names, its types, and whether it is the archive.
private func lines(_ files: [EncodedFile]) throws -> [String] {
    try files.map { file in
        let isArchive = try file.body(SpoolPolicy()).array() == content
        return
            ([file.header.names.joined(separator: " "), file.header.mediaTypes.first ?? ""]
            + (isArchive ? [] : ["other"])).joined(separator: "|")
    }
}

private func json(_ text: String) throws -> [String] {
    var export = JSONExport(SpooledBytes(Array(text.utf8))) { header in
        header.names.contains { $0.hasSuffix(".pkpass") }
    }
    var files: [EncodedFile] = []
    while !export.isOver { files += [try export.takeNext()].compactMap(\.self) }
    return try lines(files)
}

private func calendar(_ text: String) throws -> [String] {
    var file = CalendarFile(SpooledBytes(Array(text.utf8))) { _, _ in true }
    var files: [EncodedFile] = []
    while !file.isOver { files += [try file.takeNext()].compactMap(\.self) }
    return try lines(files)
}

private func propertyList(_ bytes: [UInt8]) throws -> [EncodedFile] {
    var list = try PropertyListFile(SpooledBytes(bytes)) { _, _ in true }
    var files: [EncodedFile] = []
    while !list.isOver { files += [try list.takeNext()].compactMap(\.self) }
    return files
}

@Suite("Files are found in the strings of JSON, with names from any place in the object")
struct JSONExportTests {
    @Test(
        "names before and after, in the same or the enclosing object",
        arguments: [
            (#"{"name":"a","data":"ZIP"}"#, ["a|"]), (#"{"data":"ZIP","name":"a"}"#, ["a|"]),
            (#"{"filename":"a","body":{"data":"ZIP"},"mimeType":"b/c"}"#, ["a|b/c"]),
            (#"{"x":{"body":{"data":"ZIP"}},"name":"a"}"#, ["data|"]),
            (#"{"name":"a","x":[{"data":"ZIP"}]}"#, ["data|"]),
            (#"{"request":{"url":"x:/y/a?b"},"r":{"content":{"text":"ZIP"}}}"#, ["a|"]),
            (#"["ZIP","ZIP"]"#, ["|", "|"]),
            (#"{"a":"ZIP"}\n{"b":"ZIP"}"#, ["a|", "b|"]),
            (#"{"Content-Type":"B/c; name=d","x":"data:e/f;base64,ZIP"}"#, ["d|b/c"]),
            // Not a file, unless it claims to be a pass.
            (#"{"name":"a.pdf","data":"JVBERi0xLjQKJcOkw7zDtsOfCjIgMCBvYmoK"}"#, []),
            (
                #"{"name":"a.pkpass","data":"JVBERi0xLjQKJcOkw7zDtsOfCjIgMCBvYmoK"}"#,
                ["a.pkpass||other"]
            ),
            (#"{"name":"a.pkpass","id":"JVBERi0xLjQKJcOkw7zDtsOfCjIgMCBvYmoK"}"#, []),
            // Damaged texts.
            (#"{"data":"ZIP"#, ["data|"]), (#"{"data":"ZIP","name":"a"#, ["a|"]),
            (#"}]]{"data":"ZIP"}"#, ["data|"]), (#"["#, []), (#"{"data":"#, []),
            // Lines that are cut within a string.
            (#"{"x":"12345\#n{"data":"ZIP"}"#, ["data|"]),
            (#"{"y":{"x\#r\#n{"data":"ZIP","name":"a"}"#, ["a|"]),
            (#"{"data":"ZIP\#n{"data":"ZIP","name":"a"}"#, ["data|", "a|"]),
            (#"{"x":"a {"#, []),
        ])
    func names(text: String, files: [String]) throws {
        let text = text.replacing("ZIP", with: digits)
        #expect(try json(text) == files)
        // Pieces of any length.
        for size in 1..<20 {
            var scanner = JSONScanner(JSONLimits())
            var found: [JSONScanner.Found] = []
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = Array(bytes[start..<min(start + size, bytes.count)])
                scanner.scan(piece.span, at: start)
                found += scanner.takeFound()
            }
            scanner.finish(at: bytes.count)
            found += scanner.takeFound()
            #expect(
                found.filter(\.isRecognised).count == files.filter { !$0.contains("other") }.count)
        }
    }

    @Test(
        "texts that are cut are known",
        arguments: [
            (#"[{"data":"ZIP"}]"#, false), (#"[{"data":"ZIP"}"#, true),
            (#"[{"data":"ZIP"},"#, true), (#"{"data":"ZIP"#, true),
            (#"{"a":"b\#n{"data":"ZIP"}"#, true), (#"{"a":1}\#n{"data":"ZIP"}\#n"#, false),
        ])
    func cut(text: String, isCut: Bool) throws {
        let text = text.replacing("ZIP", with: digits)
        var export = JSONExport(SpooledBytes(Array(text.utf8))) { _ in false }
        while !export.isOver { _ = try export.takeNext() }
        #expect(export.isCut == isCut)
    }

    @Test(
        "JSON texts in the envelopes of queues",
        arguments: [
            (#"{"Message":"{\"content\":\"12345678901234567890\"}"}"#, ["message||other"]),
            (#"{"Records":[{"body":" { \"a\": \"12345678901234567890\"}"}]}"#, ["body||other"]),
            (#"{"text":"{\"content\":\"12345678901234567890\"}"}"#, []),
            (#"{"Message":"{content: \"12345678901234567890\", x: 1}"}"#, []),
        ])
    func envelopes(text: String, files: [String]) throws {
        #expect(try json(text) == files)
    }

    @Test("escapes within base64 and text")
    func escapes() throws {
        let odd = digits.replacing("U", with: "\\u0055").replacing("/", with: "\\/")
            .replacing("=", with: "\\u003d").replacing("A", with: "A\\r\\n", maxReplacements: 3)
        #expect(try json(#"{"data":"\#(odd)"}"#) == ["data|"])
        let urlSafe = digits.replacing("+", with: "-").replacing("/", with: "_")
        #expect(try json(#"{"data":"\#(urlSafe)"}"#) == ["data|"])
        var string = JSONString()
        var text: [UInt8] = []
        string.decode(Array(#"a\"\\\/\n\u00e9\ud83d\ude00\ud800x"#.utf8).span, into: &text)
        #expect(String(decoding: text, as: UTF8.self) == "a\"\\/\n\u{e9}\u{1F600}x")
    }

    @Test("deep nesting, many files and many escapes take linear time and bounded memory")
    func traps() throws {
        let deep = String(repeating: "[", count: 500_000) + "\"\(digits)\""
        #expect(try json(deep) == ["|"])
        let object = String(repeating: "{\"a\":", count: 200_000) + "\"\(digits)\""
        #expect(try json(object).count == 1)
        let many = "[" + String(repeating: "\"\(digits)\",", count: 11_000) + "]"
        #expect(try json(many).count == 11_000)
        let map = "{" + String(repeating: "\"a\":{\"data\":\"\(digits)\"},", count: 5_000) + "}"
        #expect(try json(map).count == 5_000)
        let escapes = "{\"a\":\"" + String(repeating: "\\n", count: 1_000_000) + "\"}"
        #expect(try json(escapes).isEmpty)
        #expect(try json(String(repeating: "\"", count: 1_000_000)).isEmpty)
    }
}

@Suite("Files are found in the properties of calendars and cards")
struct CalendarFileTests {
    @Test(
        "encodings, parameters, folding",
        arguments: [
            ("ATTACH;ENCODING=BASE64;VALUE=BINARY:ZIP", ["|"]),
            ("attach;fmttype=a/b;encoding=base64;filename=\"c;d:e\":ZIP", ["c;d:e|a/b"]),
            ("KEY;ENCODING=b:ZIP\nX:Y", ["|"]), ("PHOTO;BASE64:\n ZIP\n\nX:Y", ["|"]),
            ("ATTACH:data:a/b;base64,ZIP", ["|a/b"]), ("X:y\nATTACH:DATA:;base64,ZIP", ["|"]),
            ("ATTACH:https://a.example/b.pkpass", []), ("ATTACH;ENCODING=8BIT:ZIP", []),
            ("ATTACH:data:a/b,ZIP", []), ("ATTACH;ENCODING=BASE64", []),
            ("ATTACH;ENCODING=BASE64:", []),
            ("KEY;ENCODING=b:ZIP\nKEY;ENCODING=b:ZIP", ["|", "|"]),
        ])
    func properties(text: String, files: [String]) throws {
        let text = "BEGIN:VCARD\n" + text.replacing("ZIP", with: digits) + "\nEND:VCARD\n"
        #expect(try calendar(text) == files)
        #expect(try calendar(text.replacing("\n", with: "\r\n")) == files)
        // Folded after each octet.
        let folded = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.map(String.init).joined(separator: "\r\n ") }.joined(separator: "\r\n")
        #expect(try calendar(folded) == files)
    }

    @Test("near misses take linear time")
    func traps() throws {
        for line in ["A;ENCODING=B", ":", "KEY;ENCODING=b:UEsDB\n", "A:data:", "\"", " "] {
            let text = "BEGIN:VCARD\n" + String(repeating: line, count: (1 << 20) / line.utf8.count)
            _ = try calendar(text)
        }
    }
}

@Suite("The body of an HTTP response is found, and its transfer coding is undone")
struct HTTPResponseTests {
    @Test(
        "chunks, lengths and content codings",
        arguments: [
            ("", "x", "x", nil), ("Content-Length: 3\r\n", "abcdef", "abc", nil),
            ("Content-Length: 9\r\n", "abc", "abc", nil),
            (
                "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", "abcde",
                nil
            ),
            ("transfer-encoding: Chunked\n", "3\nabc\n0\n\n", "abc", nil),
            ("Transfer-Encoding: chunked\r\n", "3\r\nab", "ab", nil),
            ("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\nzz", "abc", nil),
            ("Transfer-Encoding: chunked\r\n", "not chunked", "not chunked", nil),
            ("Transfer-Encoding: chunked\r\n", "fffffffffffffff\r\nabc", "", nil),
            ("Content-Encoding: br\r\n", "abc", "abc", HTTPResponse.Coding.brotli),
            ("Content-Encoding: deflate\r\n", "x\u{1}abc", "x\u{1}abc", .zlib),
            ("Content-Encoding: deflate\r\n", "abc", "abc", .deflate),
            ("Content-Encoding: br\r\n", "PK\u{3}\u{4}", "PK\u{3}\u{4}", nil),
        ] as [(String, String, String, HTTPResponse.Coding?)])
    func bodies(fields: String, body: String, text: String, coding: HTTPResponse.Coding?) throws {
        let bytes = Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\(body)".utf8)
        let response = try #require(try HTTPResponse(SpooledBytes(bytes)))
        #expect(try response.body.body(SpoolPolicy()).array() == Array(text.utf8))
        #expect(response.coding == coding)
        for end in bytes.indices {
            _ = try HTTPResponse(SpooledBytes(Array(bytes[..<end])))?.body.body(SpoolPolicy())
        }
    }

    @Test(
        "a section of a shortcut is not JSON",
        arguments: [
            ("[{\"a\":1}]", true), ("[ { \"a\"", true), ("[\"a\"]", true), ("{\"a\":1}", true),
            ("[{000214A0-0000-0000-C000-000000000046}]\r\nProp3=19,2", false), ("[{", true),
            ("[InternetShortcut]", false),
        ])
    func json(text: String, isJSON: Bool) {
        #expect((TextSignature(Array(text.utf8).span) == .json) == isJSON)
    }

    @Test("the status line", arguments: ["HTTP/1.1 200 OK", "HTTP/2 204", "HTTP/1.0 200"])
    func statusLine(line: String) throws {
        #expect(TextSignature(Array((line + "\r\n").utf8).span) == .httpResponse)
        #expect(TextSignature(Array(line.dropLast(5).utf8).span) == nil)
    }
}

@Suite("Resources, data and texts are found in binary property lists")
struct PropertyListFileTests {
    @Test("all texts of a shortcut to a web page, each on a line")
    func texts() throws {
        let url = "https://x.example/a.pkpass?a=1&b=2"
        let list = try PropertyListSerialization.data(
            fromPropertyList: ["A": "x", "URL": url, "Z": "Gew\u{F6}hnlich \u{65E5}"],
            format: .binary, options: 0)
        var lines: [UInt8] = []
        try PropertyListFile.readTexts(SpooledBytes(Array(list))) { text in
            for index in text.indices { lines.append(text[index]) }
        }
        let texts = String(decoding: lines, as: UTF8.self).split(separator: "\n")
        #expect(
            texts.sorted()
                == ["A", "Gew\u{F6}hnlich \u{65E5}", "URL", "Z", url, "x"].sorted().map { $0[...] })
        for end in list.indices {
            try PropertyListFile.readTexts(SpooledBytes(Array(list[..<end]))) { _ in }
        }
    }

    private static let sample = Result {
        try Data(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../Samples/mailbox/export-page.webarchive"))
    }

    @Test("truncated or damaged anywhere, and with objects that refer to one another")
    func damage() throws {
        let bytes = try Array(PropertyListFileTests.sample.get())
        let files = try propertyList(bytes)
        #expect(files.count == 3)
        for end in stride(from: 0, to: bytes.count, by: 7) {
            _ = try propertyList(Array(bytes[..<end]))
        }
        for index in bytes.indices.suffix(300) {
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var damaged = bytes
                damaged[index] = value
                _ = try propertyList(damaged)
            }
        }
    }

    @Test("a table of a million dictionaries takes linear time")
    func overlapping() throws {
        var bytes = Array("bplist00".utf8) + [0xDF, 0x10, 16] + Array(repeating: 0, count: 64)
        let table = bytes.count
        bytes += Array(repeating: 8, count: 1_000_000)
        bytes += [0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0x0F, 0x42, 0x40]
        bytes += Array(repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0, 0, UInt8(table)]
        #expect(try propertyList(bytes).isEmpty)
    }
}
