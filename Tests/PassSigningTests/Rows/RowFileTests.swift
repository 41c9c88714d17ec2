import Foundation
import Glibc
import PassSigning
import Platform
import Testing

@Suite("A file of data is recognised and can be read more than once")
struct RowFileTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test(
        "the ending shows the format, or else the first byte does",
        arguments: [
            ("a.csv", "{", RowFileFormat.csv), ("a.CSV", "a", .csv), ("a.jsonl", "a", .jsonl),
            ("a.ndjson", "a", .jsonl), ("a.txt", "a,b", .csv), ("a.txt", " \n {\"a\": 1}", .jsonl),
            ("a", "\u{FEFF}{", .jsonl), ("a", "", .csv),
        ])
    func format(name: String, text: String, format: RowFileFormat) throws {
        #expect(try RowFile(contentsOf: folder.write(text.utf8, to: name)).format == format)
    }

    @Test("a folder, a FIFO and a missing file are no files of data")
    func others() throws {
        #expect(throws: RowFileError.notAFile) { try RowFile(contentsOf: folder.url) }
        let fifo = folder.url.appendingPathComponent("fifo.csv")
        try #require(unsafe mkfifo(fifo.path, 0o600) == 0)
        #expect(throws: RowFileError.notAFile) { try RowFile(contentsOf: fifo) }
        #expect(throws: RowFileError.unreadable(FolderFault(FileError(.open, ENOENT)))) {
            try RowFile(contentsOf: folder.url.appendingPathComponent("missing.csv"))
        }
    }

    @Test("readers of one file are independent")
    func readers() throws {
        let file = try RowFile(contentsOf: folder.write("a\n1\n2\n".utf8, to: "a.csv"))
        var first = try file.reader()
        _ = try first.next()
        #expect(try file.entries() == [.row(2, ["a": "1"]), .row(3, ["a": "2"])])
        guard case .row(let row)? = try first.next() else { throw CancellationError() }
        #expect(row["a"] == "2" && row["b"] == nil && first.columns?.names == ["a"])
        guard try first.next() == nil else { throw CancellationError() }
    }

    @Test("a pipe is copied, so that it can be read twice")
    func pipe() throws {
        let (reading, writing) = try FileDescriptor.pipe()
        try writing.writeAll(Array("a\nx\n".utf8).span)
        writing.close()
        let file = try RowFile(copyOf: reading, inOneOf: [folder.url.path])
        reading.close()
        for _ in 1...2 { #expect(try file.entries() == [.row(2, ["a": "x"])]) }
    }
}
