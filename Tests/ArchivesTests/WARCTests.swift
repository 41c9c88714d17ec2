import Bytes
import Testing

@testable import Archives

@Suite("Files and responses are read from WARC files")
struct WARCTests {
    private static let records = [
        record("warcinfo", "", "software: x\r\n"), record("request", "https://a/", "GET /"),
        record("response", "https://a/b.pkpass", "HTTP/1.1 200 OK\r\n\r\nbody"),
        record("resource", "https://a/c/d.pkpass?e=f#g", "file"),
        record("resource", "<https://a/e>", ""), record("conversion", "", "text"),
        record("revisit", "https://a/", "HTTP/1.1 304 Not Modified\r\n\r\n"),
    ]
    private static let files = [
        File("3", "HTTP/1.1 200 OK\r\n\r\nbody"), File("https://a/c/d.pkpass", "file"),
        File("https://a/e", ""), File("6", "text"),
    ]

    @Test("whatever the size of the pieces", arguments: [1, 7, 100, 1 << 20])
    func pieces(step: Int) throws {
        let bytes = Array(WARCTests.records.joined().utf8)
        let read = try Read(ByteSource(stream: Dribble(bytes, step: step)))
        #expect(read.files == WARCTests.files && read.problems == [])
        #expect(try Read(ByteSource(SpooledBytes(bytes))) == read)
    }

    @Test("with line feeds only, and without blank lines between records")
    func lineEnds() throws {
        let text = WARCTests.records.joined().replacing("\r\n\r\nWARC", with: "\nWARC")
        #expect(try Read(text).files == WARCTests.files)
        let record = "WARC/0.18\nwarc-type:RESOURCE\ncontent-length:4\n\nfile\n\n"
        #expect(try Read(record + record).files == [File("1", "file"), File("2", "file")])
    }

    @Test("the records after damage are read")
    func damage() throws {
        let good = WARCTests.record("resource", "x", "file")
        for bad in ["junk\r\n", "WARC/1.0\r\nContent-Length: x\r\n\r\n", "a\nb\nc\n"] {
            let read = try Read(good + bad + good)
            #expect(read.files == [File("x", "file"), File("x", "file")], "\(bad)")
            #expect(read.problems == [.damagedHeader(offset: good.utf8.count)], "\(bad)")
        }
    }

    @Test("a truncated file ends with a problem, wherever it is cut")
    func truncated() throws {
        let text = WARCTests.record("resource", "x", "0123456789")
        for count in 1..<text.utf8.count - 4 {
            let read = try Read(String(text.utf8.prefix(count)) ?? "")
            #expect(read.problems.count == 1, "\(count)")
        }
        #expect(try Read(text).problems == [])
    }

    @Test("a long header is refused, and takes linear time")
    func longHeader() throws {
        var limits = ArchiveLimits()
        limits.attributes = 1000
        let text = "WARC/1.0\r\n" + String(repeating: "a: b\r\n", count: 100_000)
        #expect(
            try Read(ByteSource(SpooledBytes(Array(text.utf8))), limits).problems == [
                .attributesTooLarge(offset: 0, limit: 1000)
            ])
    }

    private static func record(_ type: String, _ target: String, _ block: String) -> String {
        "WARC/1.0\r\nWARC-Type: \(type)\r\nWARC-Target-URI: \(target)\r\n"
            + "Content-Length: \(block.utf8.count)\r\n\r\n\(block)\r\n\r\n"
    }

    private struct File: Equatable {
        let name: String
        let text: String

        init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }
    }

    private struct Read: Equatable {
        var files: [File] = []
        var problems: [ArchiveError] = []

        init(_ text: String) throws { try self.init(ByteSource(SpooledBytes(Array(text.utf8)))) }

        init(_ source: ByteSource, _ limits: ArchiveLimits = ArchiveLimits()) throws {
            let reader = try ArchiveReader(source, .warc, limits: limits)
            while let entry = try reader.next() {
                switch entry {
                case .file(let file):
                    let bytes = try ByteSource(stream: file.body).prefix(1 << 20)
                    files.append(File(file.name, String(decoding: bytes, as: UTF8.self)))
                case .problem(let error): problems.append(error)
                case .encrypted, .links: break
                }
            }
        }
    }
}
