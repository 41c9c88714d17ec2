import Bytes
import Foundation
import Platform
import Synchronization
import Testing

@testable import Compression

/// The bytes and the final result of a decompressor.
struct Decompressed: Equatable, CustomStringConvertible {
    var bytes: [UInt8] = []
    var failure: CompressionError?

    init(_ bytes: [UInt8], _ failure: CompressionError? = nil) {
        self.bytes = bytes
        self.failure = failure
    }

    /// Reads all of a source, in chunks.
    init(
        _ source: ByteSource, _ format: CompressionFormat,
        limits: CompressionLimits = CompressionLimits(), pieces: Int = 256 << 10
    ) throws {
        let decompressor = Decompressor(source, format, limits: limits)
        var piece = [UInt8](repeating: 0, count: pieces)
        while true {
            let got = try read(decompressor, into: &piece)
            if got == 0 { break }
            bytes += piece[..<got]
        }
        #expect(try read(decompressor, into: &piece) == 0, "the end is the end")
        failure = decompressor.failure
    }

    init(
        _ compressed: [UInt8], _ format: CompressionFormat,
        limits: CompressionLimits = CompressionLimits(), pieces: Int = 256 << 10
    ) throws {
        try self.init(
            ByteSource(SpooledBytes(compressed)), format, limits: limits, pieces: pieces)
    }

    var description: String {
        "\(bytes.count) bytes, " + (failure.map { "\($0)" } ?? "and all is well")
    }

    /// Whether the output is a prefix of these bytes.
    func isBeginning(of whole: [UInt8]) -> Bool {
        unsafe bytes.count <= whole.count && memcmp(bytes, whole, bytes.count) == 0
    }
}

extension CompressionFormat {
    /// The formats of files, each with a program of its name.
    static let ofFiles: [CompressionFormat] = [.gzip, .xz, .zstd, .bzip2]
}

func read(_ stream: any ByteStream, into piece: inout [UInt8]) throws -> Int {
    try unsafe piece.withUnsafeMutableBytes { try unsafe stream.read(into: $0) }
}

/// A stream that returns `step` bytes at a time, and fails at the end on request.
final class Dribble: ByteStream {
    private let bytes: SpooledBytes
    private let step: Int
    private let failure: FileError?
    private let position = Mutex(0)

    init(_ bytes: [UInt8], step: Int, failure: FileError? = nil) {
        self.bytes = SpooledBytes(bytes)
        self.step = step
        self.failure = failure
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        let start = position.withLock { $0 }
        if start == bytes.count, let failure { throw failure }
        let room = unsafe UnsafeMutableRawBufferPointer(
            rebasing: buffer[..<min(step, buffer.count)])
        let got = try unsafe bytes.read(at: start, into: room)
        position.withLock { $0 = start + got }
        return got
    }
}
