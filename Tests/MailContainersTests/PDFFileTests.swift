import Bytes
import MIME
import Testing

@testable import MailContainers

@Suite("The files in a PDF document are found, without its other objects (ISO 32000-1, 7.11.4)")
struct PDFFileTests {
    struct Row: Sendable {
        let dictionary: String
        var after = "\nendstream"
        var isDeflated = false
        var data = "file"
        var types: [String] = []
    }

    private static let rows = [
        Row(dictionary: "/Type /EmbeddedFile /Length 4"),
        Row(dictionary: "/Length 4/Type/EmbeddedFile"),
        Row(dictionary: "/Type/EmbeddedFile/Length 4", after: "\r\nendstream"),
        Row(dictionary: "/Type/EmbeddedFile/Length 4", after: "endstream"),
        Row(dictionary: "/Type/EmbeddedFile/Length 12 0 R"),
        Row(dictionary: "/Type/EmbeddedFile/Length 12 0 R", after: "\r\nendstream"),
        Row(dictionary: "/Type/EmbeddedFile"),
        Row(dictionary: "/Type/EmbeddedFile/Length 9999999"),
        Row(dictionary: "/Type/EmbeddedFile/Length 99999999999999999999"),
        Row(dictionary: "/Type/EmbeddedFile/Length 2", data: "file"),
        Row(dictionary: "/Type/EmbeddedFile", after: ""),
        Row(dictionary: "/Type\n/EmbeddedFile\n/Params << /Size 4 /CheckSum <00> >>\n/Length 4"),
        Row(dictionary: "/Type/EmbeddedFile/Params<</Size 4/CheckSum<00ff>>>/Length 4"),
        Row(dictionary: "/Type/EmbeddedFile/Params<</CheckSum(\\)<<(()>))>>/Length 4"),
        Row(dictionary: "/Type/EmbeddedFile/Length 9", data: "endstream"),
        Row(dictionary: "/Type/EmbeddedFile/Filter/FlateDecode/Length 4", isDeflated: true),
        Row(dictionary: "/Type/EmbeddedFile/Filter /Fl /Length 4", isDeflated: true),
        Row(dictionary: "/Type/EmbeddedFile/Filter [ /FlateDecode ] /Length 4", isDeflated: true),
        Row(
            dictionary: "/Type/EmbeddedFile/Subtype/Application#2Fvnd.apple.pkpass/Length 4",
            types: ["application/vnd.apple.pkpass"]),
    ]

    @Test("however the dictionary is written", arguments: rows)
    func found(row: Row) throws {
        let object = "7 0 obj\n<<\(row.dictionary)>>\nstream\n\(row.data)\(row.after)\nendobj\n"
        for before in ["%PDF-1.7\n", "%PDF-1.7\n" + String(repeating: "obj << o\n", count: 20_000)]
        {
            // A truncated file ends with the document.
            let files = try PDFFileTests.read(
                before + (row.after.isEmpty ? object.replacing("\nendobj\n", with: "") : object))
            #expect(files.map(\.text) == [row.data])
            #expect(files.map(\.isDeflated) == [row.isDeflated])
            #expect(files.map(\.types) == [row.types])
        }
    }

    @Test(
        "other streams and filters are left out",
        arguments: [
            "/Type/EmbeddedFiles/Length 4", "/Type/XObject/Length 4", "/Length 4",
            "/Type/EmbeddedFile/Filter/ASCIIHexDecode/Length 4",
            "/Type/EmbeddedFile/Filter[/ASCII85Decode/FlateDecode]/Length 4",
            "/Type/EmbeddedFile/Filter[/FlateDecode/FlateDecode]/Length 4",
        ])
    func others(dictionary: String) throws {
        let object = "7 0 obj <<\(dictionary)>> stream\nfile\nendstream endobj "
        let file = "8 0 obj <</Type/EmbeddedFile>> stream\nx\nendstream endobj "
        #expect(try PDFFileTests.read(object + file).map(\.text) == ["x"])
        #expect(try PDFFileTests.read("7 0 obj <<\(dictionary)>> endobj \(file)").count == 1)
    }

    @Test("each byte is read once, whatever the number of files", .timeLimit(.minutes(1)))
    func many() throws {
        let file = "obj<</Type/EmbeddedFile>>stream\n1\nendstream "
        // 13 MB: moving what is left after each file would take minutes.
        #expect(try PDFFileTests.read(String(repeating: file, count: 300_000)).count == 300_000)
        for text in ["obj<<", "obj<</Type/EmbeddedFile", "obj<</Type/EmbeddedFile>>stream\n", ">>"]
        {
            let bytes = String(repeating: text, count: 4 << 20 / text.utf8.count)
            #expect(try PDFFileTests.read(bytes).count < 2)
        }
    }

    @Test("the line end before the end of a file is not part of it, wherever it is")
    func pieces() throws {
        for lineEnd in ["\n", "\r\n"] {
            for shift in 0..<24 {
                let dictionary = "<</Type/EmbeddedFile/Length 8 0 R>>"
                let object = "7 0 obj \(dictionary) stream\nfile\(lineEnd)endstream"
                let room = 65_536 - object.utf8.count + shift
                let before = "%PDF-1.7" + String(repeating: " ", count: room - 8)
                #expect(try PDFFileTests.read(before + object).map(\.text) == ["file"])
            }
        }
    }

    private static func read(_ text: String) throws -> [(
        text: String, isDeflated: Bool, types: [String]
    )] {
        var file = PDFFile(SpooledBytes(Array(text.utf8)))
        var found: [(text: String, isDeflated: Bool, types: [String])] = []
        while !file.isOver {
            guard let next = try file.takeNext() else { continue }
            let text = String(decoding: try next.octets.array(), as: UTF8.self)
            found.append((text, next.isDeflated, next.header.mediaTypes))
        }
        return found
    }
}
