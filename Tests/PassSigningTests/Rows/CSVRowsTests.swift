import Foundation
import PassSigning
import Testing

@Suite("CSV is read as RFC 4180 describes it")
struct CSVRowsTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test(
        "rows and what they hold",
        arguments: [
            // RFC 4180, section 2: rules 1 to 7.
            ("a,b\r\n1,2\r\n", [.row(2, ["a": "1", "b": "2"])]),
            ("a,b\n1,2", [.row(2, ["a": "1", "b": "2"])]),
            ("a,b\n\"1\",\"2\"", [.row(2, ["a": "1", "b": "2"])]),
            ("a,b\n\"1\r\n,\",2", [.row(2, ["a": "1\r\n,", "b": "2"])]),
            ("a,b\n\"say \"\"hi\"\"\",2", [.row(2, ["a": "say \"hi\"", "b": "2"])]),
            // Spaces are part of a value, but not of a name.
            (" a , \"b\" \n 1 ,2", [.row(2, ["a": " 1 ", "\"b\"": "2"])]),
            // Missing values.
            ("a,b\n,\"\"\n", [.row(2, [:])]),
            ("a,b\n1,\n", [.row(2, ["a": "1"])]),
            // Blank lines.
            (
                "\n\r\na,b\n\n1,2\n\r\n\n3,4",
                [
                    .row(5, ["a": "1", "b": "2"]), .row(8, ["a": "3", "b": "4"]),
                ]
            ),
            ("a\n\"\"\nx\n", [.row(2, [:]), .row(3, ["a": "x"])]),
            // Quotes within a text.
            ("a,b\n5\" disk,2", [.row(2, ["a": "5\" disk", "b": "2"])]),
            // Other separators.
            ("a;b\n\"1;\";2,5", [.row(2, ["a": "1;", "b": "2,5"])]),
            ("a\tb\n1\t2", [.row(2, ["a": "1", "b": "2"])]),
            ("\"a\";\"b\"\n1;2", [.row(2, ["a": "1", "b": "2"])]),
            ("a;b,c\n1,2", [.row(2, ["a;b": "1", "c": "2"])]),
            ("\"a;b\"\n1", [.row(2, ["a;b": "1"])]),
            // A byte order mark.
            ("\u{FEFF}a\nx", [.row(2, ["a": "x"])]),
            ("a,b\n", []), ("a,b", []),
        ] as [(String, [TestEntry])])
    func form(text: String, entries: [TestEntry]) throws {
        #expect(try folder.entries(text.utf8) == entries)
    }

    @Test(
        "a bad row is reported, and the next one is read",
        arguments: [
            ("1", .fieldCount(expected: 2, found: 1)),
            ("1,2,3", .fieldCount(expected: 2, found: 3)),
            ("\"1\"x,2", .textAfterQuote), ("\"1\" ,2", .textAfterQuote),
            ("1\r2,3", .loneCarriageReturn), ("\"1\"\r,3", .loneCarriageReturn),
            // The lines of the second value are no rows.
            ("\"1\"x,\"2\n5,6\n7,8\"", .textAfterQuote),
        ] as [(String, RowFault)])
    func bad(row: String, fault: RowFault) throws {
        let entries = try folder.entries("a,b\n\(row)\n3,4\n".utf8)
        #expect(entries.first == .bad(2, fault))
        #expect(entries.last?.values == ["a": "3", "b": "4"])
        #expect(entries.count == 2)
    }

    @Test("a quote that is not closed makes no rows of the text after it")
    func unclosedQuote() throws {
        #expect(
            try folder.entries("a,b\n1,2\n\"3,4\n5,6\n".utf8) == [
                .row(2, ["a": "1", "b": "2"]), .bad(3, .unclosedQuote),
            ])
    }

    @Test(
        "bytes that are not UTF-8 are a fault of their row",
        arguments: [[0xFF], [0xC3, 0x2C], [0xC3, 0x2C, 0xA9], [0xED, 0xA0, 0x80], [0xC0, 0x80]])
    func encoding(bytes: [UInt8]) throws {
        let row = bytes + (bytes.contains(0x2C) ? [] : Array(",".utf8))
        let entries = try folder.entries(Array("a,b\n".utf8) + row + Array("\n3,4".utf8))
        #expect(entries == [.bad(2, .notUTF8), .row(3, ["a": "3", "b": "4"])])
    }

    @Test(
        "a header that cannot be used is an error",
        arguments: [
            ("", .noHeader), ("\n\r\n", .noHeader), ("a,,c", .namelessColumn(number: 2)),
            ("a, ,c", .namelessColumn(number: 2)), ("a,b,a", .repeatedColumn("a")),
            ("a,b, a", .repeatedColumn("a")),
            ("a,\"b\"c", .badHeader(line: 1, .textAfterQuote)),
            ("\na,\"b\n1,2", .badHeader(line: 2, .unclosedQuote)),
        ] as [(String, RowFileError)])
    func header(text: String, error: RowFileError) throws {
        #expect(throws: error) { try folder.entries(text.utf8) }
    }

    @Test("UTF-16 is an error, as is a header that is not UTF-8")
    func otherEncodings() throws {
        for mark: [UInt8] in [[0xFF, 0xFE], [0xFE, 0xFF]] {
            #expect(throws: RowFileError.utf16) { try folder.entries(mark + [0x61, 0]) }
        }
        #expect(throws: RowFileError.badHeader(line: 1, .notUTF8)) {
            try folder.entries([0x61, 0x2C, 0xFF])
        }
    }

    @Test("limits are named, and hold at their edge", arguments: [3, 1 << 10])
    func limits(buffer: Int) throws {
        var limits = RowLimits()
        limits.buffer = buffer
        limits.row = 100
        let (fits, exceeds) = (String(repeating: "x", count: 98), String(repeating: "x", count: 99))
        #expect(
            try folder.entries("a,b\n\(fits),1\n\(exceeds),1\n2,3".utf8, limits: limits) == [
                .row(2, ["a": fits, "b": "1"]), .bad(3, .tooLong(limit: 100)),
                .row(4, ["a": "2", "b": "3"]),
            ])
        let lines = String(repeating: "x\n", count: 500)
        #expect(
            try folder.entries("a,b\n\"\(lines)\",1\n2,3".utf8, limits: limits) == [
                .bad(2, .tooLong(limit: 100)), .row(503, ["a": "2", "b": "3"]),
            ])
        limits.columns = 2
        #expect(try folder.entries("a,b\n1,2".utf8, limits: limits).count == 1)
        #expect(throws: RowFileError.tooManyColumns(limit: 2)) {
            try folder.entries("a,b,c\n1,2,3".utf8, limits: limits)
        }
    }
}
