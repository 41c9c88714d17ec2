import Bytes

/// What was read of a source and not used yet, in a buffer that is allocated once.
@safe struct InputBuffer: ~Copyable {
    /// Of the first byte that is not used yet, in bytes from the start of the source.
    private(set) var offset = 0
    /// Whether the source has given its last byte.
    private(set) var isAtEnd = false

    private let source: ByteSource
    private let buffer: UnsafeMutableRawBufferPointer
    private var unused = 0..<0

    init(_ source: ByteSource) {
        self.source = source
        unsafe buffer = .allocate(byteCount: 256 << 10, alignment: 64)
    }

    deinit { unsafe buffer.deallocate() }

    var isEmpty: Bool { unused.isEmpty }

    @unsafe var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: buffer[unused])
    }

    mutating func take(_ count: Int) {
        let count = min(max(count, 0), unused.count)
        unused = unused.lowerBound + count..<unused.upperBound
        offset += count
    }

    /// Drops the zeros that come next in the buffer, and returns how many there were.
    mutating func takeZeros() -> Int {
        let count = unsafe bytes.firstIndex { $0 != 0 } ?? unused.count
        take(count)
        return count
    }

    /// Reads until there are `count` bytes, or the source ends.
    mutating func fill(atLeast count: Int) throws(FileError) {
        if unused.count < count, unused.lowerBound > 0 {
            unsafe buffer.copyMemory(from: bytes)
            unused = 0..<unused.count
        }
        while !isAtEnd, unused.count < count {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[unused.upperBound...])
            let got = try unsafe source.read(at: offset + unused.count, into: room)
            isAtEnd = got == 0
            unused = unused.lowerBound..<unused.upperBound + got
        }
    }
}
