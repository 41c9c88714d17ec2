import Bytes
import MIME
import Platform
import Testing

@testable import MailContainers

@Suite("The RTF of Outlook's messages is decompressed and converted")
struct RichTextTests {
    /// The examples of [MS-OXRTFCP], 3.1.1 and 3.1.2, and one that is not compressed.
    @Test(
        arguments: [
            (
                """
                2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232 0af32068656c
                090020627705b06c647d0a800fa0
                """, #"{\rtf1\ansi\ansicpg1252\pard hello world}"# + "\r\n"
            ),
            (
                "1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0",
                #"{\rtf1 WXYZWXYZWXYZWXYZWXYZ}"#
            ),
            ("0f000000030000004d454c4100000000616263", "abc"),
        ])
    func decompressed(digits: String, expected: String) throws {
        let octets = SpooledBytes(octets(digits))
        let (text, reason) = try read(octets)
        #expect(text == Array(expected.utf8))
        #expect(reason == nil)
        for count in 16..<octets.count - 2 {
            let (text, reason) = try read(octets.slice(0..<count))
            #expect(Array(expected.utf8).starts(with: text))
            #expect(reason == .truncated, "\(count)")
        }
        for place in 16..<octets.count where octets.count > 20 && digits.contains("4675") {
            var changed = try octets.array()
            changed[place] ^= 0x80
            #expect(try read(SpooledBytes(changed)).reason != nil, "\(place)")
        }
    }

    @Test("text beyond the declared size is reported, and dropped")
    func tooLong() throws {
        var bytes = octets("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")
        bytes[4] = 20
        let (text, reason) = try read(SpooledBytes(bytes))
        #expect(text.count == 20)
        #expect(reason == .damaged)
    }

    @Test(
        "a page is taken out of the RTF around it, other RTF becomes a page",
        arguments: [
            (
                #"{\rtf1\fromhtml1 {\fonttbl{\f0 Arial;}}{\*\htmltag64 <a href="x">}"#
                    + #"\htmlrtf {\b \htmlrtf0 hello\htmlrtf }\htmlrtf0 {\*\htmltag72 </a>\par}{\*\mhtmltag a}}"#,
                "<a href=\"x\">hello</a>\r\n"
            ),
            (#"{\rtf1\ansicpg1252\fromhtml1 a\'e9b\u233?c\{\\\}}"#, "aébéc{\\}"),
            (#"{\rtf1\fromhtml1\uc2 \u8364??x{\uc0\u8364}y\u-10179??\u-8704??z}"#, "€x€y😀z"),
            (#"{\rtf1\ansicpg932\fromhtml1 \'97\'5c\'96\'f1\'95\'5c\'83Ax}"#, "予約表アx"),
            (#"{\rtf1\fromtext a<b\par c}"#, "a<b\r\nc"),
            (#"{\rtf1 a<b&c\par}"#, "a&lt;b&amp;c<br>\r\n"),
            (
                #"{\rtf1{\field{\*\fldinst{HYPERLINK "https://a.example/?a&b" \\o "tip"}}"#
                    + #"{\fldrslt{\ul Add}}}.}"#,
                "<a href=\"https://a.example/?a&amp;b\">Add</a>."
            ),
            (#"{\rtf1{\field{\fldinst HYPERLINK x://y }{\fldrslt z}}}"#, "<a href=\"x://y\">z</a>"),
            (#"{\rtf1{\field{\*\fldinst{HYPERLINK \\l "place"}}{\fldrslt z}}}"#, "z"),
            (#"{\rtf1{\*\unknown a{b}c}d{\pict 00ff}\bin3 }}}e}"#, "de"),
            (#"{\rtf1 a}}}{b"#, "ab"),
        ])
    func converted(rtf: String, expected: String) throws {
        for size in [1, 3, 1 << 20] {
            var reader = RichText(SpoolPolicy())
            let bytes = Array(rtf.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = Array(bytes[start..<min(start + size, bytes.count)])
                try reader.feed(piece.span)
            }
            let text = try reader.finish()
            #expect(String(decoding: try text.array(), as: UTF8.self) == expected, "\(size)")
        }
    }

    @Test("nested groups are limited")
    func deep() throws {
        for (depth, isTooDeep) in [(RichText.depthLimit - 1, false), (RichText.depthLimit, true)] {
            var reader = RichText(SpoolPolicy())
            let bytes = Array(
                (String(repeating: "{", count: depth) + "a" + String(repeating: "}", count: depth)
                    + "b").utf8)
            try reader.feed(bytes.span)
            #expect(reader.isTooDeep == isTooDeep)
            let text = try reader.finish()
            #expect(try text.array().last == UInt8(ascii: "b"))
        }
    }

    @Test("a file in an object is found even if the RTF ends in the object")
    func unclosedObject() throws {
        // [MS-OLEDS], 2.2.5: version, kind, class, two empty names, length; and the package.
        let data =
            "01050000 02000000 08000000 5061636B61676500 00000000 00000000 1F000000"
            + "0200 742E706B7061737300 7800 00000300 02000000 7800 03000000 616263"
        for (digits, isWhole) in [(data, true), (String(data.dropLast(2)), false)] {
            for ending in ["", "}}", "}}}"] {
                var reader = RichText(SpoolPolicy())
                let bytes = Array(("{\\rtf1{\\object{\\*\\objdata " + digits + ending).utf8)
                try reader.feed(bytes.span)
                try reader.end()
                let names = reader.packages.map(\.header.names)
                let files = try reader.packages.map { try $0.file.array() }
                #expect(names == (isWhole ? [["t.pkpass", "x"]] : []))
                #expect(files == (isWhole ? [Array("abc".utf8)] : []))
                #expect(reader.hasDamagedPackage == !isWhole)
            }
        }
    }

    private func octets(_ digits: String) -> [UInt8] {
        let values = digits.utf8.compactMap(\.hexadecimalValue)
        return stride(from: 0, to: values.count - 1, by: 2).map {
            values[$0] << 4 | values[$0 + 1]
        }
    }

    private func read(
        _ octets: SpooledBytes
    ) throws -> (text: [UInt8], reason: BodyProblem.Reason?) {
        var text: [UInt8] = []
        let rtf = try #require(try CompressedRTF(octets))
        let reason = try rtf.read { piece throws(FileError) in
            for index in piece.indices { text.append(piece[index]) }
        }
        return (text, reason)
    }
}
