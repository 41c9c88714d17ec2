import Bytes
import Testing

@testable import Compression

@Suite("lz4, LZMA, lzip and compress are decompressed within the same limits")
struct OtherFormatsTests {
    private static let commands: [(CompressionFormat, String)] = [
        (.lz4, "lz4 -q -9"), (.lz4, "lz4 -q -l"), (.lzma, "lzma"), (.lzip, "lzip"),
        (.compress, "compress -f -c"), (.compress, "compress -f -c -b 12"),
    ]

    @Test("in chunks of any size, from a source that returns few bytes", arguments: commands)
    func whole(format: CompressionFormat, command: String) throws {
        for count in [20, 200_000] {
            let mail = mail(count)
            let compressed = try shell(command, mail)
            #expect(FileSignature(compressed.span).flatMap(CompressionFormat.init) == format)
            for pieces in [7, 4096] {
                #expect(try Decompressed(compressed, format, pieces: pieces) == Decompressed(mail))
            }
            let stream = ByteSource(stream: Dribble(compressed, step: 777))
            #expect(try Decompressed(stream, format) == Decompressed(mail))
        }
    }

    @Test("truncated anywhere, the data before is read", arguments: commands)
    func truncated(format: CompressionFormat, command: String) throws {
        let mail = mail(200_000)
        let compressed = try shell(command, mail)
        for place in stride(from: 20, to: compressed.count, by: compressed.count / 20) {
            let read = try Decompressed(Array(compressed[..<place]), format)
            // A file of compress has neither a size nor an end.
            #expect(read.failure != nil || format == .compress, "at \(place)")
            #expect(read.isBeginning(of: mail), "at \(place)")
        }
    }

    @Test("damage is reported, or gives other bytes within the limits", arguments: commands)
    func flipped(format: CompressionFormat, command: String) throws {
        let mail = mail(100_000)
        let compressed = try shell(command, mail)
        for place in stride(from: 0, to: compressed.count, by: compressed.count / 40) {
            var damaged = compressed
            damaged[place] ^= 1 << UInt8(place % 8)
            #expect(try Decompressed(damaged, format).bytes.count <= 100 * mail.count, "\(place)")
        }
    }

    @Test("the total and the ratio are limited", arguments: commands)
    func limits(format: CompressionFormat, command: String) throws {
        let zeros = [UInt8](repeating: 0, count: 3 << 20)
        let compressed = try shell(command, zeros)
        var limits = CompressionLimits()
        limits.total = 1 << 20
        let read = try Decompressed(compressed, format, limits: limits)
        #expect(read.failure == .totalTooLarge(limit: 1 << 20))
        #expect(read.bytes.count <= 1 << 20)
        limits = CompressionLimits()
        (limits.ratio, limits.ratioFloor) = (10, 1 << 20)
        let most = try Decompressed(compressed, format, limits: limits)
        #expect(most.failure == .ratioTooHigh(limit: 10))
        #expect(most.bytes.count <= 2 << 20)
    }

    @Test("empty data", arguments: ["lz4 -q", "lzma", "lzip", "compress -f -c"])
    func empty(command: String) throws {
        let compressed = try shell(command, [])
        let format = try #require(FileSignature(compressed.span).flatMap(CompressionFormat.init))
        #expect(try Decompressed(compressed, format) == Decompressed([]))
    }

    @Test("the limit on a decoder's memory", arguments: [.lzma, .lzip] as [CompressionFormat])
    func memory(format: CompressionFormat) throws {
        let mail = mail(5000)
        var compressed = try shell(format.rawValue, mail)
        // A dictionary of 64 MiB, in the form of each header.
        if format == .lzip { compressed[5] = 26 } else { compressed[1..<5] = [0, 0, 0, 4] }
        var limits = CompressionLimits()
        #expect(try Decompressed(compressed, format, limits: limits) == Decompressed(mail))
        limits.memory = 32 << 20
        #expect(
            try Decompressed(compressed, format, limits: limits)
                == Decompressed([], .memoryTooLarge(limit: 32 << 20)))
    }

    @Test("members after one another", arguments: ["lz4 -q", "lzip"])
    func members(command: String) throws {
        let mail = mail(5000)
        let compressed = try shell(command, mail)
        let format = try #require(FileSignature(compressed.span).flatMap(CompressionFormat.init))
        #expect(
            try Decompressed(compressed + compressed, format) == Decompressed(mail + mail))
    }
}
