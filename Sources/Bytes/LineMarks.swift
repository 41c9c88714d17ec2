/// The places in a run of lines where something could begin: a boundary (`--`), a message
/// (`From `), an encoded file in text (`begin `, `begin-base64 `, `=ybegin `) or a field that tells of
/// a body (`Content-Length:`, `Content-Type:`).
///
/// One pass at SIMD speed finds them for every stage at once; between two marks nothing needs to be
/// looked at, and nothing is.
package struct LineMarks {
    /// The first bytes of the marked lines, as offsets into the bytes looked at, ascending.
    package private(set) var offsets: [UInt32] = []

    package init() {}

    /// Marks the lines of `bytes`; `startsLine` says whether its first byte begins one.
    package mutating func mark(_ bytes: Span<UInt8>, startsLine: Bool) {
        offsets.removeAll(keepingCapacity: true)
        if startsLine { markLine(at: 0, bytes) }
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            unsafe scan(UnsafeRawPointer(base), count: buffer.count, bytes)
        }
    }

    /// The index of the first mark that is not before `offset`.
    package func first(from offset: Int) -> Int {
        var low = 0
        var high = offsets.count
        while low < high {
            let middle = (low + high) / 2
            if Int(offsets[middle]) < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Looks at each pair of a line feed and the byte after it, 64 pairs at a time.
    private mutating func scan(_ base: UnsafeRawPointer, count: Int, _ bytes: Span<UInt8>) {
        var offset = 0
        // The last load of a block reads one byte past its 64.
        while offset + 65 <= count {
            let first = unsafe pairs(base + offset)
            let second = unsafe pairs(base + offset + 16)
            let third = unsafe pairs(base + offset + 32)
            let fourth = unsafe pairs(base + offset + 48)
            let any = first | second | third | fourth
            if any.x | any.y != 0 {
                markPairs(first, at: offset, bytes)
                markPairs(second, at: offset + 16, bytes)
                markPairs(third, at: offset + 32, bytes)
                markPairs(fourth, at: offset + 48, bytes)
            }
            offset += 64
        }
        while offset + 1 < count {
            if bytes[offset] == UInt8(ascii: "\n") { markLine(at: offset + 1, bytes) }
            offset += 1
        }
    }

    /// One bits in the bytes where a line feed stands before one of `-`, `=`, `F`, `B`, `C` in either
    /// case.
    ///
    /// The constants are vectors of a spelled-out type and the masks integers: with a scalar, or with
    /// an operator of the masks', the compiler goes through the lanes one by one.
    @inline(__always)
    private func pairs(_ pointer: UnsafeRawPointer) -> SIMD2<UInt64> {
        let here = unsafe pointer.loadUnaligned(as: SIMD16<UInt8>.self)
        let next = unsafe (pointer + 1).loadUnaligned(as: SIMD16<UInt8>.self)
        // Two letters that differ in one or two bits are compared at once, with those bits set.
        let dashes = equal(next | SIMD16<UInt8>(repeating: 0x10), 0x3D)
        let letters = equal(next | SIMD16<UInt8>(repeating: 0x24), 0x66)
        let lengths = equal(next | SIMD16<UInt8>(repeating: 0x20), 0x63)
        return equal(here, 0x0A) & (dashes | letters | lengths)
    }

    @inline(__always)
    private func equal(_ block: SIMD16<UInt8>, _ byte: UInt8) -> SIMD2<UInt64> {
        unsafe unsafeBitCast(block .== SIMD16<UInt8>(repeating: byte), to: SIMD2<UInt64>.self)
    }

    @inline(__always)
    private mutating func markPairs(
        _ mask: SIMD2<UInt64>, at offset: Int, _ bytes: Span<UInt8>
    ) {
        markPairs(mask.x, at: offset, bytes)
        markPairs(mask.y, at: offset + 8, bytes)
    }

    @inline(__always)
    private mutating func markPairs(_ word: UInt64, at offset: Int, _ bytes: Span<UInt8>) {
        var word = word
        while word != 0 {
            let lane = word.trailingZeroBitCount >> 3
            markLine(at: offset + lane + 1, bytes)
            word &= ~(0xFF << UInt64(lane * 8))
        }
    }

    /// Marks the line that starts at `offset` if it is of one of the kinds.
    private mutating func markLine(at offset: Int, _ bytes: Span<UInt8>) {
        guard offset < bytes.count else { return }
        let matches =
            switch bytes[offset] {
            case UInt8(ascii: "-"): bytes.hasPrefix("--", at: offset)
            case UInt8(ascii: "F"): bytes.hasPrefix("From ", at: offset)
            case UInt8(ascii: "b"), UInt8(ascii: "B"): isBeginning(bytes, offset)
            case UInt8(ascii: "="): bytes.hasPrefix("=ybegin ", at: offset)
            case UInt8(ascii: "C"), UInt8(ascii: "c"):
                bytes.hasPrefix(caseInsensitive: "content-", at: offset)
            default: false
            }
        if matches { offsets.append(UInt32(truncatingIfNeeded: offset)) }
    }

    /// Whether a line begins with `begin`, in either case, and does not go on as a word.
    private func isBeginning(_ bytes: Span<UInt8>, _ offset: Int) -> Bool {
        guard bytes.hasPrefix(caseInsensitive: "begin", at: offset), offset + 5 < bytes.count else {
            return false
        }
        let next = bytes[offset + 5]
        return next == 0x20 || next == 0x09 || next == UInt8(ascii: "-")
    }
}
