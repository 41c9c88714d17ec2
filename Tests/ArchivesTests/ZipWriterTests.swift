import Archives
import Bytes
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
        let writer = try ZipWriter()
        for file in files { try writer.add(file.name, file.bytes, level: file.level) }
        return try writer.finish()
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
            let method = file.level == nil || file.bytes.isEmpty ? 0 : 8
            return "\(file.name) \(file.bytes.count) \(sum) \(method) 1980 1 1 0 0 0"
        }
        #expect(output.split(separator: "\n").map(String.init) == expected)
    }

    @Test("the same files give the same bytes")
    func deterministic() throws {
        #expect(try Self.archive() == Self.archive())
    }

    @Test("files that were compressed once are added with their bytes, except those left out")
    func packed() throws {
        let packed = try PackedFiles(Self.archive(), names: Self.files.map(\.name))
        for _ in 0..<2 {
            let writer = try ZipWriter()
            try writer.add("first", [1, 2, 3], level: nil)
            writer.add(packed) { $0 != "icon.png" }
            let script = """
                import io, sys, zipfile
                sys.stdout.reconfigure(encoding="utf-8")
                archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
                assert archive.testzip() is None
                print(*[f"{entry.filename}:{entry.file_size}" for entry in archive.infolist()])
                """
            let output = try piped(["python3", "-c", script], writer.finish())
            #expect(
                output == "first:3 pass.json:20 ko.lproj/pass.strings:5000 leer:0 Größe.txt:1\n")
        }
    }

    @Test("a name that occurs twice is an error")
    func double() throws {
        let writer = try ZipWriter()
        try writer.add("a", [1], level: nil)
        #expect(throws: ZipError.duplicateName("a")) { try writer.add("a", [2], level: nil) }
    }
}

private func piped(_ command: [String], _ input: [UInt8]) throws -> String {
    String(decoding: try run(command, input: input), as: UTF8.self)
}
