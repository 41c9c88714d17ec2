import NIOCore

/// An endless sequence of bytes that look random and can be computed from any offset, so that a
/// test can check a file without keeping a copy of it.
package struct GeneratedBody: Sendable {
    /// A prime, so that misplaced bytes do not match by chance.
    private static let period = 1_048_573
    private let block: ByteBuffer

    package init(seed: UInt64 = 1) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.period + 8)
        while bytes.count < Self.period {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: state >> shift))
            }
        }
        block = ByteBuffer(bytes: bytes.prefix(Self.period))
    }

    package func bytes(in range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        while bytes.count < range.count {
            let offset = range.lowerBound + bytes.count
            bytes += piece(from: offset, atMost: range.upperBound - offset).readableBytesView
        }
        return bytes
    }

    /// At least one byte from an offset, without a copy.
    func piece(from offset: Int, atMost count: Int) -> ByteBuffer {
        let start = offset % Self.period
        let length = min(count, Self.period - start)
        return block.getSlice(at: start, length: length) ?? ByteBuffer()
    }
}
