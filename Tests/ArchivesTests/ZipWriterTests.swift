import Archives
import Bytes
import Compression
import PassFixtures
import Testing

@Suite("A ZIP archive that is written is read by others, and is the same each time")
struct ZipWriterTests {
    private static let files: [(name: String, bytes: [UInt8], level: Int?)] = [
        ("pass.json", Array("{\"formatVersion\": 1}".utf8), 1),
        ("icon.png", [0x89, 0x50, 0x4E, 0x47] + (0..<2000).map { UInt8($0 % 251) }, nil),
        ("ko.lproj/pass.strings", Array(repeating: 0x61, count: 5000), 9),
        ("leer", [], nil),
        ("Größe.txt", [1], nil),
    ]

    private static func archive() throws -> [UInt8] {
        var writer = ZipWriter()
        for file in try packed() { try writer.add(file) }
        return try writer.finish()
    }

    private static func packed() throws -> [PackedFile] {
        try files.map { file in
            guard let level = file.level else { return PackedFile(file.name, storing: file.bytes) }
            return try #require(Deflater(level: level)).packed(file.name, file.bytes)
        }
    }

    @Test("Python reads the names in their order, the contents, and the fixed date")
    func python() throws {
        let script = """
            import io, sys, zipfile
            sys.stdout.reconfigure(encoding="utf-8")
            archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
            assert archive.testzip() is None
            for entry in archive.infolist():
                print(entry.filename, len(archive.read(entry)), sum(archive.read(entry)),
                      entry.compress_type, *entry.date_time)
            """
        let output = try piped(["python3", "-c", script], Self.archive())
        let expected = Self.files.map { file in
            let sum = file.bytes.reduce(0) { $0 + Int($1) }
            let method = file.name == "ko.lproj/pass.strings" ? 8 : 0
            return "\(file.name) \(file.bytes.count) \(sum) \(method) 1980 1 1 0 0 0"
        }
        #expect(output.split(separator: "\n").map(String.init) == expected)
    }

    @Test("the same files give the same bytes")
    func deterministic() throws {
        #expect(try Self.archive() == Self.archive())
    }

    @Test("an archive without files is an error")
    func empty() {
        #expect(throws: ZipError.self) {
            var writer = ZipWriter()
            _ = try writer.finish()
        }
    }

    @Test("a name that occurs twice is an error")
    func double() throws {
        var writer = ZipWriter()
        let file = PackedFile("a", storing: [1])
        try writer.add(file)
        #expect(throws: ZipError.duplicateName("a")) { try writer.add(file) }
    }
}

private func piped(_ command: [String], _ input: [UInt8]) throws -> String {
    String(decoding: try run(command, input: input), as: UTF8.self)
}
