import Foundation
import PassSigning
import Testing

@Suite("JSONL has an object on each line")
struct JSONLRowsTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test(
        "values of every type",
        arguments: [
            (#"{"a": "x"}"#, ["a": "x"]),
            (#"{"a": 1.50, "b": -0e+1}"#, ["a": "1.50", "b": "-0e+1"]),
            (#"{"a": 123456789012345678901234567890}"#, ["a": "123456789012345678901234567890"]),
            (#"{"a": true, "b": false, "c": null}"#, ["a": "true", "b": "false"]),
            (#"{"a": "", "b": "\u00e9\ud83d\ude00\n\/\"\\"}"#, ["b": "é😀\n/\"\\"]),
            (#"{"\u0061": "x"}"#, ["a": "x"]), ("{}", [:]), (" \t{ } \r", [:]),
        ])
    func values(line: String, values: [String: String]) throws {
        #expect(try folder.entries(line.utf8, named: "data.jsonl") == [.row(1, values)])
    }

    @Test(
        "a bad line is reported, and the next one is read",
        arguments: [
            ("x", .notJSON(byte: 1)), (#"{"a" 1}"#, .notJSON(byte: 6)),
            (#"{"a": 01}"#, .notJSON(byte: 8)), (#"{"a": 1"#, .notJSON(byte: 8)),
            (#"{"a": 1,}"#, .notJSON(byte: 9)), (#"{"a": 1} x"#, .notJSON(byte: 10)),
            (#"{"a": "\x"}"#, .notJSON(byte: 8)), (#"{"a": "\ud800"}"#, .notJSON(byte: 8)),
            (#"{"a": "\udc00\ud800"}"#, .notJSON(byte: 8)), ("{\"a\": \"\t\"}", .notJSON(byte: 8)),
            (#"{'a': 1}"#, .notJSON(byte: 2)), (#"{"a": NaN}"#, .notJSON(byte: 7)),
            ("[1]", .notAnObject), ("\"x\"", .notAnObject), ("null", .notAnObject),
            (#"{"a": {"b": 1}}"#, .nested(column: "a")), (#"{"a": []}"#, .nested(column: "a")),
            (#"{"a": 1, "\u0061": 2}"#, .repeatedColumn("a")),
        ] as [(String, RowFault)])
    func bad(line: String, fault: RowFault) throws {
        let entries = try folder.entries("\n\(line)\n{\"a\": 1}".utf8, named: "data.ndjson")
        #expect(entries == [.bad(2, fault), .row(3, ["a": "1"])])
    }

    @Test("a file without an object is refused", arguments: ["", "\n", " \t\r\n\n "])
    func empty(text: String) throws {
        #expect(throws: RowFileError.noObject) {
            try folder.entries(text.utf8, named: "data.jsonl")
        }
    }

    @Test("rows may have different columns")
    func columns() throws {
        let text = "{\"a\": 1}\n{\"b\": 2}\n{\"b\": 3}\n{\"bc\": 4}\n{\"b\": 5, \"c\": 6}"
        #expect(
            try folder.entries(text.utf8, named: "data.jsonl") == [
                .row(1, ["a": "1"]), .row(2, ["b": "2"]), .row(3, ["b": "3"]),
                .row(4, ["bc": "4"]), .row(5, ["b": "5", "c": "6"]),
            ])
    }

    @Test("limits are named, and hold at their edge", arguments: [3, 1 << 10])
    func limits(buffer: Int) throws {
        var limits = RowLimits()
        limits.buffer = buffer
        limits.row = 40
        let (fits, exceeds) = (String(repeating: "x", count: 32), String(repeating: "x", count: 33))
        let text = "{\"a\":\"\(fits)\"}\n{\"a\":\"\(exceeds)\"}\n\(fits)\(exceeds)\n{}"
        #expect(
            try folder.entries(text.utf8, named: "data.jsonl", limits: limits) == [
                .row(1, ["a": fits]), .bad(2, .tooLong(limit: 40)), .bad(3, .tooLong(limit: 40)),
                .row(4, [:]),
            ])
        limits.columns = 2
        #expect(
            try folder.entries(
                "{\"a\":1,\"b\":2}\n{\"a\":1,\"b\":2,\"c\":3}".utf8,
                named: "data.jsonl", limits: limits) == [
                    .row(1, ["a": "1", "b": "2"]), .bad(2, .tooManyColumns(limit: 2)),
                ])
    }
}
