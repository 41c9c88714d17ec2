import Archives
import Compression
import PassFixtures
import Testing

@Suite("Files are compressed for archives, and others decompress them")
struct DeflaterTests {
    private static let files: [[UInt8]] = [
        [], [1], Array(repeating: 0x61, count: 100_000), Array("{\"formatVersion\": 1}".utf8),
        noise(70_000), noise(300) + Array(repeating: 0, count: 300),
    ]

    /// The same bytes in each run, without repetitions.
    private static func noise(_ count: Int) -> [UInt8] {
        var state: UInt32 = 1
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 24)
        }
    }

    @Test("Python reads files of one compressor, and stores what compression would enlarge")
    func python() throws {
        let deflater = try #require(Deflater(level: 1))
        var writer = ZipWriter()
        for (index, bytes) in Self.files.enumerated() {
            try writer.add(deflater.packed("\(index)", bytes))
        }
        let script = """
            import io, sys, zipfile
            archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
            assert archive.testzip() is None
            for entry in archive.infolist():
                print(entry.file_size, sum(archive.read(entry)), entry.compress_type,
                      entry.compress_size <= entry.file_size)
            """
        let output = try run(["python3", "-c", script], input: writer.finish())
        let methods = [0, 0, 8, 0, 0, 8]
        let expected = zip(Self.files, methods).map { bytes, method in
            "\(bytes.count) \(bytes.reduce(0) { $0 + Int($1) }) \(method) True\n"
        }
        #expect(output.elementsEqual(expected.joined().utf8))
    }

    @Test("one compressor makes the same bytes as a new one for each file")
    func reused() throws {
        let deflater = try #require(Deflater(level: 1))
        for bytes in Self.files + Self.files.reversed() {
            var (one, other) = (ZipWriter(), ZipWriter())
            try one.add(deflater.packed("file", bytes))
            try other.add(#require(Deflater(level: 1)).packed("file", bytes))
            #expect(try one.finish() == other.finish())
        }
    }
}
