import Bytes
import Platform

/// Bytes read from a source and not consumed yet, in one buffer.
@safe struct InputBuffer: ~Copyable {
    /// The source offset of the first unconsumed byte.
    private(set) var offset = 0
    private var isAtEnd = false

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

    /// Skips leading zeros in the buffer, with a hole of a sparse file after them; whether there were
    /// any.
    mutating func takeZeros() -> Bool {
        let start = offset
        take(unsafe bytes.firstIndex { $0 != 0 } ?? unused.count)
        if unused.isEmpty { offset = source.data(from: offset) }
        return offset > start
    }

    /// Reads until `count` bytes are available, or up to the end of the source or a long hole in a
    /// sparse file: to some formats, zeros are blocks without contents.
    mutating func fill(atLeast count: Int) throws(FileError) {
        if unused.count < count, unused.lowerBound > 0 {
            unsafe buffer.copyMemory(from: bytes)
            unused = 0..<unused.count
        }
        while !isAtEnd, unused.count < count {
            guard !source.isLongHole(at: offset + unused.count) else { return }
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[unused.upperBound...])
            let got = try unsafe source.read(at: offset + unused.count, into: room)
            isAtEnd = got == 0
            unused = unused.lowerBound..<unused.upperBound + got
        }
    }
}
