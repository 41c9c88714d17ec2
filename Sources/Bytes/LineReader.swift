import Glibc
package import Platform

/// Reads a source once, through one reused buffer, and passes on runs of whole lines.
///
/// Bytes after the last line end are kept for the next run, so callers need no state between runs.
/// Only a line longer than the buffer is passed on in pieces.
@safe package struct LineReader: ~Copyable {
    /// The offset of the next run in the source, in bytes.
    package private(set) var offset: Int
    /// Whether the next run begins a line.
    package private(set) var startsLine = true

    private var source: ByteSource
    private var buffer: UnsafeMutableRawBufferPointer
    /// The number of bytes in the buffer that were read and not yet consumed.
    private var held = 0
    /// The number of those bytes that the last body consumed.
    private var taken = 0
    private var isAtEnd = false
    private var skipsHoles = false

    package init(bufferSize: Int = 256 << 10) {
        source = ByteSource(SpooledBytes([]))
        offset = 0
        isAtEnd = true
        unsafe buffer = .allocate(byteCount: max(bufferSize, 64), alignment: 64)
    }

    /// Starts to read `source` at `offset`, with the same buffer.
    ///
    /// - Parameter skipsHoles: Whether most of a long hole in a sparse file is not passed on.
    package mutating func open(
        _ source: ByteSource, from offset: Int = 0, startsLine: Bool = true,
        skipsHoles: Bool = true
    ) {
        self.skipsHoles = skipsHoles
        self.source = source
        self.offset = offset
        self.startsLine = startsLine
        held = 0
        taken = 0
        isAtEnd = false
    }

    deinit { unsafe buffer.deallocate() }

    /// Calls `body` with the next whole lines, and with whether the source ends after them. `body`
    /// returns the number of bytes it consumed; the next call passes the others again, at the start
    /// of a full buffer. Returns false, without calling `body`, at the end.
    package mutating func next(_ body: (Span<UInt8>, Bool) -> Int) throws(FileError) -> Bool {
        try unsafe fill(to: buffer.count)
        let run = runLength()
        guard run > 0 else { return false }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<run])
        taken = unsafe min(max(body(Span(_unsafeBytes: bytes), isAtEnd && run == held), 0), run)
        if taken > 0 { startsLine = unsafe buffer[taken - 1] == UInt8(ascii: "\n") }
        offset += taken
        if skipsHoles, taken == held, unsafe buffer[taken - 1] == 0 {
            let next = source.offset(pastHoleAt: offset)
            if next > offset { (offset, held, taken) = (next, 0, 0) }
        }
        return true
    }

    /// Calls `body` with the bytes ahead without consuming them: at least `count` bytes if the
    /// source and the buffer hold that many.
    package mutating func look<Result>(
        ahead count: Int, _ body: (Span<UInt8>) -> Result
    ) throws(FileError) -> Result {
        try unsafe fill(to: min(count, buffer.count))
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<held])
        return unsafe body(Span(_unsafeBytes: bytes))
    }

    /// Up to `count` bytes at offset `place`, fewer at the end; nil if `place` has been passed or,
    /// in a stream, is more than `limit` bytes ahead.
    package mutating func peek(
        at place: Int, count: Int, limit: Int = 32 << 20
    ) throws(FileError) -> [UInt8]? {
        let front = offset - taken
        guard place >= front, place <= Int.max - count else { return nil }
        let start = place - front
        if source.isSeekable, start + count > held {
            var bytes = [UInt8](repeating: 0, count: count)
            var got = 0
            var failure: FileError?
            unsafe bytes.withUnsafeMutableBytes { buffer in
                do throws(FileError) {
                    got = try unsafe source.read(at: place, into: buffer)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            return Array(bytes.prefix(got))
        }
        guard start <= limit else { return nil }
        if unsafe start + count > buffer.count { grow(to: start + count) }
        try readMore(to: start + count)
        return unsafe Array(buffer[min(start, held)..<min(start + count, held)])
    }

    /// Drops the consumed bytes and fills the buffer.
    private mutating func fill(to size: Int) throws(FileError) {
        if taken > 0 {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[taken..<held])
            unsafe buffer.copyMemory(from: rest)
            held -= taken
            taken = 0
        }
        try readMore(to: size)
    }

    private mutating func readMore(to size: Int) throws(FileError) {
        while !isAtEnd, held < size {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[held..<size])
            let got = try unsafe source.read(at: offset - taken + held, into: room)
            held += got
            isAtEnd = got == 0
        }
    }

    /// The length up to the last line feed; all bytes held if there is none, or if the source has
    /// ended.
    private func runLength() -> Int {
        if isAtEnd { return held }
        var end = held
        // Test eight bytes at a time for a line feed: one line may fill the buffer.
        while end >= 8 {
            let eight = unsafe buffer.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self)
            let zeros = eight ^ 0x0A0A_0A0A_0A0A_0A0A
            if (zeros &- 0x0101_0101_0101_0101) & ~zeros & 0x8080_8080_8080_8080 != 0 { break }
            end -= 8
        }
        while end > 0, unsafe buffer[end - 1] != UInt8(ascii: "\n") { end -= 1 }
        return end > 0 ? end : held
    }

    private mutating func grow(to size: Int) {
        let larger = unsafe UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(size, buffer.count), alignment: 64)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<held]))
        unsafe buffer.deallocate()
        unsafe buffer = larger
    }
}
