import PassFixtures
import Testing

@testable import Compression

@Suite("All mail before damage is read, and the damage is reported")
struct DamageTests {
    private static let commands: [(CompressionFormat, String)] = [
        (.gzip, "gzip -6"), (.xz, "xz --block-size=100000"), (.zstd, "zstd"), (.bzip2, "bzip2 -1"),
    ]

    @Test("truncated at many offsets", .tags(.repeats), arguments: commands)
    func truncated(format: CompressionFormat, command: String) throws {
        let mail = mail(350_000)
        let compressed = try shell(command, mail)
        for place in places(in: compressed) {
            let read = try Decompressed(Array(compressed[..<place]), format)
            #expect(read.failure == .truncated(format), "at \(place)")
            #expect(read.isBeginning(of: mail), "at \(place)")
        }
    }

    @Test("one bit flipped at many offsets", .tags(.repeats), arguments: commands)
    func flipped(format: CompressionFormat, command: String) throws {
        let mail = mail(350_000)
        let compressed = try shell(command, mail)
        for place in places(in: compressed) {
            var damaged = compressed
            damaged[place] ^= 1 << UInt8(place % 8)
            let read = try Decompressed(damaged, format)
            // Only gzip has bytes that do not matter: the time and the operating system.
            #expect(read.failure != nil || read == Decompressed(mail), "at \(place)")
            #expect(read.bytes.count <= 2 * mail.count, "at \(place)")
        }
    }

    @Test("the reference program recovers no more of a damaged file", arguments: commands)
    func againstPrograms(format: CompressionFormat, command: String) throws {
        let mail = mail(350_000)
        let compressed = try shell(command, mail)
        for tenths in [1, 3, 5, 7, 9] {
            let place = compressed.count * tenths / 10
            let cut = Array(compressed[..<place])
            let program = try shell("\(format.rawValue) -dc", cut, fails: true)
            #expect(try Decompressed(cut, format).bytes.count >= program.count, "cut at \(place)")

            var damaged = compressed
            for index in place..<place + 20 { damaged[index] ^= 0xFF }
            let remains = try shell("\(format.rawValue) -dc", damaged, fails: true)
            let read = try Decompressed(damaged, format)
            #expect(read.bytes.count >= remains.count, "damaged at \(place)")
            guard case .damaged(format, let offset, _) = read.failure else {
                Issue.record("\(read) for damage at \(place)")
                continue
            }
            #expect(offset > place)
        }
    }

    @Test("a wrong checksum is reported after everything is read", arguments: commands)
    func checksum(format: CompressionFormat, command: String) throws {
        let mail = mail(90_000)
        var compressed = try shell(command, mail)
        // The offsets from the end: gzip has its size there. xz has its index, whose size is in the
        // footer of 12 bytes, in units of four, less one. A zstd frame ends there. bzip2 pads its
        // last byte.
        let index = 4 * (Int(compressed[compressed.count - 8]) + 1)
        let distance = [.gzip: 8, .xz: 12 + index + 4, .zstd: 4, .bzip2: 3][format] ?? 0
        compressed[compressed.count - distance] ^= 0x10
        let read = try Decompressed(compressed, format)
        #expect(read == Decompressed(mail, read.failure))
        guard case .damaged(format, _, _) = read.failure else {
            Issue.record("\(read)")
            return
        }
    }

    @Test("zstd blocks before a damaged one are read", arguments: 0..<5)
    func blocks(index: Int) throws {
        let mail = mail(5 << 17)
        // Written to a pipe: the header of six bytes contains no size, and there is no checksum.
        var compressed = try shell("zstd --no-check", mail)
        var place = 6
        for _ in 0..<index {
            let header = Int(compressed[place]) | Int(compressed[place + 1]) << 8
            place += 3 + (header | Int(compressed[place + 2]) << 16) >> 3
        }
        // Set a reserved block type (RFC 8878, 3.1.1.2.2).
        compressed[place] |= 0b110
        let read = try Decompressed(compressed, .zstd)
        #expect(read == Decompressed(Array(mail[..<(index << 17)]), read.failure))
        #expect(read.failure != nil)
    }

    @Test("data without a header of the format is damaged", arguments: CompressionFormat.ofFiles)
    func noHeader(format: CompressionFormat) throws {
        let read = try Decompressed(Array("From a@example.com Mon Jan  1".utf8), format)
        #expect(read.bytes.isEmpty)
        guard case .damaged(format, _, _) = read.failure else {
            Issue.record("\(read)")
            return
        }
        #expect(try Decompressed([], format) == Decompressed([], .truncated(format)))
    }

    /// The first and last offsets, and some in between.
    private func places(in bytes: [UInt8]) -> [Int] {
        let step = bytes.count / rounds(500)
        return Array(0..<40) + stride(from: 40, to: bytes.count - 40, by: step)
            + Array(bytes.count - 40..<bytes.count)
    }
}
