import Testing

@testable import Compression

@Suite("Concatenated compressed files are read as one, and anything after them is reported")
struct MembersTests {
    private let first = mail(60_000, seed: 1)
    private let second = mail(60_000, seed: 2)

    @Test("with an empty one between them", arguments: CompressionFormat.ofFiles)
    func row(format: CompressionFormat) throws {
        let compressed = try members(format)
        #expect(
            try Decompressed(compressed.joined() + compressed[1], format)
                == Decompressed(first + second))
    }

    @Test(
        "zeros between and after them are skipped", arguments: CompressionFormat.ofFiles,
        [1, 4, 511, 300_000])
    func padding(format: CompressionFormat, count: Int) throws {
        let zeros = [UInt8](repeating: 0, count: count)
        let padded = try members(format).flatMap { $0 + zeros }
        #expect(try Decompressed(padded, format) == Decompressed(first + second))
    }

    @Test(
        "anything else after them is reported", arguments: CompressionFormat.ofFiles,
        ["x", "From a@example.com\n", "\0\0\0x", "\u{1F}x"])
    func garbage(format: CompressionFormat, text: String) throws {
        let compressed = Array(try members(format).joined())
        let zeros = text.utf8.prefix { $0 == 0 }.count
        let failure = CompressionError.trailingGarbage(format, offset: compressed.count + zeros)
        #expect(
            try Decompressed(compressed + Array(text.utf8), format)
                == Decompressed(first + second, failure))
    }

    @Test(
        "a member that ends within its header is reported as truncated",
        arguments: CompressionFormat.ofFiles)
    func begun(format: CompressionFormat) throws {
        let compressed = try members(format)
        for count in 1..<12 {
            #expect(
                try Decompressed(compressed[0] + compressed[2].prefix(count), format)
                    == Decompressed(first, .truncated(format)))
        }
    }

    @Test("skippable zstd frames may be anywhere")
    func skippable() throws {
        let skipped: [UInt8] = [0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
        let compressed = try members(.zstd)
        #expect(
            try Decompressed(skipped + compressed.flatMap { $0 + skipped }, .zstd)
                == Decompressed(first + second))
        #expect(
            try Decompressed(compressed[0] + skipped.prefix(9), .zstd)
                == Decompressed(first, .truncated(.zstd)))
    }

    @Test(
        "many empty ones take time in proportion to their bytes", .timeLimit(.minutes(1)),
        arguments: CompressionFormat.ofFiles)
    func many(format: CompressionFormat) throws {
        let empty = try shell(format.rawValue)
        let many = Array(repeatElement(empty, count: 20_000).joined())
        #expect(try Decompressed(many, format) == Decompressed([]))
    }

    private func members(_ format: CompressionFormat) throws -> [[UInt8]] {
        try [first, [], second].map { try shell(format.rawValue, $0) }
    }
}
