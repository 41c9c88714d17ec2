import Bytes
import Platform
import Testing

@testable import Compression

@Suite("Files compressed by the reference programs are decompressed")
struct DecompressorTests {
    @Test(
        "each program, with the options that change its output",
        arguments: [
            (.gzip, "gzip -1"), (.gzip, "gzip -9"), (.gzip, "gzip -c in"),
            (.gzip, "pigz -b 128 -p 4"), (.gzip, "pigz --independent -b 128"), (.gzip, "bgzip"),
            (.xz, "xz -0"), (.xz, "xz -9e"), (.xz, "xz --check=none"), (.xz, "xz --check=crc32"),
            (.xz, "xz --check=sha256"), (.xz, "xz -T2 --block-size=50000"),
            (.xz, "xz --x86 --lzma2=preset=1"),
            (.zstd, "zstd -1"), (.zstd, "zstd -c in"), (.zstd, "zstd -19"),
            (.zstd, "zstd --no-check"), (.zstd, "zstd --no-check --no-content-size -c in"),
            (.zstd, "zstd --long=27"), (.zstd, "zstd -T2 -B100000"), (.zstd, "pzstd -p 4 -q -c in"),
            (.bzip2, "bzip2 -1"), (.bzip2, "bzip2 -9"), (.bzip2, "pbzip2 -c -b1 -p2"),
        ] as [(CompressionFormat, String)])
    func roundTrip(format: CompressionFormat, command: String) throws {
        let mail = mail(700_000)
        let compressed = try shell(command, mail)
        let signature = FileSignature(compressed.span)
        #expect(signature.flatMap { CompressionFormat($0) } == format)
        #expect(try Decompressed(compressed, format) == Decompressed(mail))
    }

    @Test("a zlib stream, which has no signature")
    func zlib() throws {
        let mail = mail(150_000)
        #expect(try Decompressed(shell("pigz -z", mail), .zlib) == Decompressed(mail))
    }

    @Test("in chunks of any size", arguments: CompressionFormat.ofFiles, [1, 7, 4096])
    func pieces(format: CompressionFormat, size: Int) throws {
        let mail = mail(150_000)
        let compressed = try shell(format.rawValue, mail)
        #expect(try Decompressed(compressed, format, pieces: size) == Decompressed(mail))
    }

    @Test(
        "from a source that returns few bytes at a time", arguments: CompressionFormat.ofFiles,
        [1, 7, 4096])
    func dribble(format: CompressionFormat, step: Int) throws {
        let mail = mail(150_000)
        let command = format.rawValue
        let compressed = try shell("\(command); \(command) </dev/null; \(command) -c in", mail)
        let source = ByteSource(stream: Dribble(compressed, step: step))
        #expect(try Decompressed(source, format) == Decompressed(mail + mail))
    }

    @Test("a prefix can be read before the rest")
    func prefix() throws {
        let mail = mail(20_000)
        let decompressor = Decompressor(ByteSource(SpooledBytes(try shell("gzip", mail))), .gzip)
        let prefix = try ByteSource(stream: decompressor).prefix(4096)
        #expect(prefix == Array(mail[..<4096]))
        let source = ByteSource(stream: decompressor, prefix: prefix)
        #expect(source.size == nil)
        #expect(try source.prefix(4096) == prefix)
        #expect(try source.octets(limit: 20_000, SpoolPolicy())?.array() == mail)
    }

    @Test("empty data decompresses to nothing", arguments: CompressionFormat.ofFiles)
    func empty(format: CompressionFormat) throws {
        #expect(try Decompressed(try shell(format.rawValue), format) == Decompressed([]))
    }

    @Test("a read error is reported after the bytes that precede it")
    func unreadable() throws {
        let mail = mail(20_000)
        let half = Array(try shell("gzip", mail).prefix(8000))
        let failure = FileError(.read, 5)
        let decompressor = Decompressor(
            ByteSource(stream: Dribble(half, step: 500, failure: failure)), .gzip)
        var piece = [UInt8](repeating: 0, count: 4096)
        var bytes: [UInt8] = []
        #expect(throws: failure) {
            while true { bytes += piece[..<(try read(decompressor, into: &piece))] }
        }
        #expect(Decompressed(bytes).isBeginning(of: mail))
        #expect(bytes.count > 9000)
        #expect(decompressor.failure == nil)
    }
}
