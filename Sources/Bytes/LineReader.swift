import Glibc

/// Reads a source once, through one reused buffer, and hands out runs of whole lines.
///
/// What is read ahead of a line's end is kept for the next run, so that no state has to cross the
/// edge of a read. Only a line that the buffer cannot hold is handed out in pieces.
@safe package struct LineReader: ~Copyable {
    /// Where the next run begins, in bytes from the start of the source.
    package private(set) var offset: Int
    /// Whether the next run begins a line.
    package private(set) var startsLine = true

    private var source: ByteSource
    private var buffer: UnsafeMutableRawBufferPointer
    /// How many bytes at the front of the buffer were read and not taken.
    private var held = 0
    /// How many of them the last run's body took.
    private var taken = 0
    /// Whether the source has given its last byte.
    private var isAtEnd = false

    package init(bufferSize: Int = 256 << 10) {
        source = ByteSource(SpooledBytes([]))
        offset = 0
        isAtEnd = true
        unsafe buffer = .allocate(byteCount: max(bufferSize, 64), alignment: 64)
    }

    /// Begins to read a source, at `offset`, with the same buffer.
    package mutating func open(
        _ source: ByteSource, from offset: Int = 0, startsLine: Bool = true
    ) {
        self.source = source
        self.offset = offset
        self.startsLine = startsLine
        held = 0
        taken = 0
        isAtEnd = false
    }

    deinit { unsafe buffer.deallocate() }

    /// Hands the next whole lines to `body`, with whether the source ends behind them. `body`
    /// returns how many bytes it took; the rest comes again, at the front of a full buffer.
    /// Returns false, without calling `body`, when nothing is left.
    package mutating func next(_ body: (Span<UInt8>, Bool) -> Int) throws(FileError) -> Bool {
        try unsafe fill(to: buffer.count)
        let run = runLength()
        guard run > 0 else { return false }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<run])
        taken = unsafe min(max(body(Span(_unsafeBytes: bytes), isAtEnd && run == held), 0), run)
        if taken > 0 { startsLine = unsafe buffer[taken - 1] == UInt8(ascii: "\n") }
        offset += taken
        return true
    }

    /// Hands the bytes ahead to `body` without taking them: at least `count` of them where the source
    /// and the buffer hold so many.
    package mutating func look<Result>(
        ahead count: Int, _ body: (Span<UInt8>) -> Result
    ) throws(FileError) -> Result {
        try unsafe fill(to: min(count, buffer.count))
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<held])
        return unsafe body(Span(_unsafeBytes: bytes))
    }

    /// The bytes at a place ahead, fewer than `count` at the end; nil when the place is behind, or
    /// further ahead in a stream than `limit` bytes.
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

    /// Drops what was taken and fills the buffer.
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

    /// Up to the last line feed; everything where there is none, or nothing follows.
    private func runLength() -> Int {
        if isAtEnd { return held }
        var end = held
        // Eight bytes at a time while none of them is a line feed: a line may fill the buffer.
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
