import Bytes
import Foundation
import Testing

@testable import Compression

/// Serialized: they measure time and memory.
@Suite("Reading a compressed file stays within its limits", .serialized)
struct CompressionLimitsTests {
    @Test(
        "two gigabytes of zeros stop at the default limits, quickly and in little memory",
        arguments: [(.gzip, "gzip -9"), (.zstd, "zstd -1")] as [(CompressionFormat, String)])
    func bomb(format: CompressionFormat, command: String) throws {
        let compressed = try shell(
            """
            head -c 64M /dev/zero | \(command) > one
            for _ in $(seq 32); do cat one; done
            """)
        let decompressor = Decompressor(ByteSource(SpooledBytes(compressed)), format)
        var piece = [UInt8](repeating: 1, count: 256 << 10)
        var count = 0
        let before = try memory(resettingPeak: true)
        let seconds = try ContinuousClock().measure {
            while true {
                let got = try read(decompressor, into: &piece)
                if got == 0 { break }
                count += got
            }
        }
        #expect(decompressor.failure == .ratioTooHigh(limit: 500))
        #expect((1 << 30..<1 << 30 + 300_000).contains(count))
        #expect(seconds < .seconds(20))
        #expect(try memory() - before < 20 << 20)
    }

    @Test("bombs of every format stop at a lower floor", arguments: CompressionFormat.ofFiles)
    func smallBomb(format: CompressionFormat) throws {
        let compressed = try shell("head -c 40M /dev/zero | \(format.rawValue)")
        var limits = CompressionLimits()
        limits.ratioFloor = 1 << 20
        let read = try Decompressed(compressed, format, limits: limits)
        #expect(read.failure == .ratioTooHigh(limit: 500))
        #expect((1 << 20..<2 << 20).contains(read.bytes.count))
    }

    @Test("the ratio is checked only above its floor", arguments: CompressionFormat.ofFiles)
    func floor(format: CompressionFormat) throws {
        let zeros = [UInt8](repeating: 0, count: 500_000)
        let compressed = try shell(format.rawValue, zeros)
        var limits = CompressionLimits()
        limits.ratio = 2
        limits.ratioFloor = zeros.count
        #expect(try Decompressed(compressed, format, limits: limits) == Decompressed(zeros))
        limits.ratioFloor -= 1
        #expect(
            try Decompressed(compressed, format, limits: limits).failure == .ratioTooHigh(limit: 2))
    }

    @Test("one byte above the ratio is refused")
    func ratio() throws {
        let zeros = [UInt8](repeating: 0, count: 100_000)
        let compressed = try shell("gzip", zeros)
        let members = 4 * compressed.count
        let ratio = 4 * zeros.count / members
        // Checked at the end, since the last byte of the last member is read only then.
        var limits = CompressionLimits()
        limits.ratioFloor = 4 * zeros.count - 1
        limits.ratio = ratio + 1
        let four = Array(repeatElement(compressed, count: 4).joined())
        #expect(try Decompressed(four, .gzip, limits: limits).failure == nil)
        limits.ratio = ratio
        #expect(
            try Decompressed(four, .gzip, limits: limits).failure == .ratioTooHigh(limit: ratio))
    }

    @Test(
        "the total is allowed, and one byte more is refused", arguments: CompressionFormat.ofFiles)
    func total(format: CompressionFormat) throws {
        let mail = mail(100_000)
        let compressed = try shell(format.rawValue, mail)
        var limits = CompressionLimits()
        limits.total = mail.count
        for pieces in [7, 1000, 256 << 10] {
            #expect(
                try Decompressed(compressed, format, limits: limits, pieces: pieces)
                    == Decompressed(mail))
        }
        limits.total -= 1
        for pieces in [7, 1000, 256 << 10] {
            #expect(
                try Decompressed(compressed, format, limits: limits, pieces: pieces)
                    == Decompressed(mail.dropLast(), .totalTooLarge(limit: limits.total)))
        }
    }

    @Test(
        "the limit on a decoder's memory",
        arguments: [
            (.xz, "xz -9", 64 << 20, false), (.xz, "xz -9", 66 << 20, true),
            (.xz, "xz -0", 1 << 18, false), (.xz, "xz -0", 1 << 19, true),
            (.zstd, "zstd --long=27", (1 << 27) - 1, false),
            (.zstd, "zstd --long=27", 1 << 27, true), (.zstd, "zstd --long=28", 1 << 27, false),
            (.zstd, "zstd --long=28", 1 << 28, true),
        ] as [(CompressionFormat, String, Int, Bool)])
    func memory(format: CompressionFormat, command: String, limit: Int, isEnough: Bool) throws {
        let mail = mail(5000)
        let compressed = try shell(command, mail)
        var limits = CompressionLimits()
        limits.memory = limit
        let expected =
            isEnough ? Decompressed(mail) : Decompressed([], .memoryTooLarge(limit: limit))
        #expect(try Decompressed(compressed, format, limits: limits) == expected)
    }

    @Test("a second member may exceed the memory limit if the first was read")
    func memoryOfSecond() throws {
        let mail = mail(5000)
        let compressed = try shell("xz -0; xz -9 -c in", mail)
        var limits = CompressionLimits()
        limits.memory = 8 << 20
        #expect(
            try Decompressed(compressed, .xz, limits: limits)
                == Decompressed(mail, .memoryTooLarge(limit: 8 << 20)))
    }

    /// The memory of this process in bytes: the current value, or the peak since it was last reset.
    private func memory(resettingPeak: Bool = false) throws -> Int {
        if resettingPeak { try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs")) }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        let words = line.split { $0 == " " || $0 == "\t" }
        return try #require(Int(words[1])) << 10
    }
}
