/// Lines at which something may begin: a boundary (`--`), a message (`From `), an encoded file in
/// text (`begin `, `begin-base64 `, `=ybegin `, also as quoted-printable: `=3Dybegin `), or a field
/// that describes a body (`Content-Length:`, `Content-Type:`). `From ` is also marked after a NUL
/// (VIOLATIONS.md, B19).
///
/// One SIMD pass finds the marks for all stages at once; no stage looks at the bytes between them.
package struct LineMarks {
    /// The offsets of the marked lines, ascending.
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

    /// Compares each line feed and the byte after it, 64 pairs at a time.
    ///
    /// Blocks that contain a candidate pair are recorded without a branch and examined afterwards:
    /// one line in eight begins with a byte that may begin a mark, which branch predictors cannot
    /// foresee.
    private mutating func scan(_ base: UnsafeRawPointer, count: Int, _ bytes: Span<UInt8>) {
        var noted = InlineArray<256, Block>(repeating: Block())
        var offset = 0
        // The last load of a block reads one byte past its 64; the first word of a mark reads
        // eight.
        while offset + 72 <= count {
            let end = min(offset + noted.count * 64, offset + (count - offset - 8) / 64 * 64)
            var found = 0
            while offset < end {
                let pairs = unsafe pairs64(base + offset)
                unsafe noted[unchecked: found] = Block(offset: offset, pairs: pairs)
                found &+= pairs == SIMD16(repeating: 0) ? 0 : 1
                offset &+= 64
            }
            for index in 0..<found { unsafe mark(noted[unchecked: index], base, bytes) }
        }
        while offset + 1 < count {
            if bytes[offset] == UInt8(ascii: "\n") || bytes[offset] == 0 {
                markLine(at: offset + 1, bytes)
            }
            offset += 1
        }
    }

    /// The results for 64 pairs: each byte holds the bits of the four pairs that are 16 apart.
    private struct Block {
        var offset = 0
        var pairs = SIMD16<UInt8>(repeating: 0)
    }

    @inline(__always)
    private func pairs64(_ pointer: UnsafeRawPointer) -> SIMD16<UInt8> {
        let first = unsafe pairs(pointer) & SIMD16<UInt8>(repeating: 1)
        let second = unsafe pairs(pointer + 16) & SIMD16<UInt8>(repeating: 2)
        let third = unsafe pairs(pointer + 32) & SIMD16<UInt8>(repeating: 4)
        let fourth = unsafe pairs(pointer + 48) & SIMD16<UInt8>(repeating: 8)
        return (first | second) | (third | fourth)
    }

    /// Sets the bytes in which a line feed or NUL is followed by `-` or `=`, or by one of `B`, `C`,
    /// `F` and, at no cost, `G` in either case. Two other control characters pass for NUL.
    /// The vectors have an explicit type, and the masks are integers: for scalars, and for the
    /// operators of mask types, the compiler emits a loop over the lanes.
    @inline(__always)
    private func pairs(_ pointer: UnsafeRawPointer) -> SIMD16<UInt8> {
        let here = unsafe pointer.loadUnaligned(as: SIMD16<UInt8>.self)
        let next = unsafe (pointer + 1).loadUnaligned(as: SIMD16<UInt8>.self)
        // Characters that differ in a few bits are compared together, with those bits set.
        let dashes = equal(next | SIMD16<UInt8>(repeating: 0x10), 0x3D)
        let letters = equal(next | SIMD16<UInt8>(repeating: 0x25), 0x67)
        return equal(here & SIMD16<UInt8>(repeating: 0xF5), 0) & (dashes | letters)
    }

    @inline(__always)
    private func equal(_ block: SIMD16<UInt8>, _ byte: UInt8) -> SIMD16<UInt8> {
        unsafe unsafeBitCast(block .== SIMD16<UInt8>(repeating: byte), to: SIMD16<UInt8>.self)
    }

    /// Marks the lines of a block that begin with a prefix listed above.
    @inline(__always)
    private mutating func mark(
        _ block: Block, _ base: UnsafeRawPointer, _ bytes: Span<UInt8>
    ) {
        let pairs = unsafe unsafeBitCast(block.pairs, to: SIMD2<UInt64>.self)
        // Most blocks have one pair.
        let only = pairs.x | pairs.y
        if pairs.x & pairs.y == 0, only & (only &- 1) == 0 {
            let bit = only.trailingZeroBitCount
            let pair = (bit & 7) &* 16 &+ (bit >> 3) &+ (pairs.x == 0 ? 8 : 0)
            unsafe markLine(startingWithWordAt: block.offset &+ pair &+ 1, base, bytes)
            return
        }
        var starts: UInt64 = 0
        for part: UInt64 in 0..<4 {
            starts |= gathered(pairs.x >> part) << (part * 16)
            starts |= gathered(pairs.y >> part) << (part * 16 + 8)
        }
        while starts != 0 {
            let offset = block.offset + starts.trailingZeroBitCount + 1
            unsafe markLine(startingWithWordAt: offset, base, bytes)
            starts &= starts &- 1
        }
    }

    @inline(__always)
    private mutating func markLine(
        startingWithWordAt offset: Int, _ base: UnsafeRawPointer, _ bytes: Span<UInt8>
    ) {
        let word = unsafe (base + offset).loadUnaligned(as: UInt64.self).littleEndian
        if mayMark(word) { markLine(at: offset, bytes) }
    }

    /// Gathers the lowest bits of the eight bytes into one byte.
    @inline(__always)
    private func gathered(_ word: UInt64) -> UInt64 {
        ((word & 0x0101_0101_0101_0101) &* 0x0102_0408_1020_4080) >> 56
    }

    /// Whether a line that begins with these eight bytes may begin with a prefix listed above.
    /// Branch-free, since few of the lines examined do.
    @inline(__always)
    private func mayMark(_ word: UInt64) -> Bool {
        let lowercased = word | 0x2020_2020_2020_2020
        // `--`, `From`, `=ybe`, `begin`, `content-`, `=3Dy`.
        let dashes: UInt64 = (word & 0xFFFF) ^ 0x2D2D
        let from: UInt64 = (word & 0xFFFF_FFFF) ^ 0x6D6F_7246
        let yEnc: UInt64 = (word & 0xFFFF_FFFF) ^ 0x6562_793D
        let begin: UInt64 = (lowercased & 0xFF_FFFF_FFFF) ^ 0x6E_6967_6562
        let content: UInt64 = lowercased ^ 0x2D74_6E65_746E_6F63
        let quoted: UInt64 = (word & 0xFFFF_FFFF) ^ 0x7944_333D
        let kinds =
            (dashes == 0 ? 1 : 0) | (from == 0 ? 1 : 0) | (yEnc == 0 ? 1 : 0)
            | (quoted == 0 ? 1 : 0) | (begin == 0 ? 1 : 0) | (content == 0 ? 1 : 0)
        return kinds != 0
    }

    /// Marks the line that starts at `offset` if it begins with a prefix listed above.
    private mutating func markLine(at offset: Int, _ bytes: Span<UInt8>) {
        guard offset < bytes.count else { return }
        if offset > 0, bytes[offset - 1] != UInt8(ascii: "\n") {
            guard bytes[offset - 1] == 0, bytes.hasPrefix("From ", at: offset) else { return }
        }
        let matches =
            switch bytes[offset] {
            case UInt8(ascii: "-"): bytes.hasPrefix("--", at: offset)
            case UInt8(ascii: "F"): bytes.hasPrefix("From ", at: offset)
            case UInt8(ascii: "b"), UInt8(ascii: "B"): isBeginning(bytes, offset)
            case UInt8(ascii: "="):
                bytes.hasPrefix("=ybegin ", at: offset)
                    || bytes.hasPrefix("=3Dybegin ", at: offset)
            case UInt8(ascii: "C"), UInt8(ascii: "c"):
                bytes.hasPrefix(caseInsensitive: "content-", at: offset)
            default: false
            }
        if matches { offsets.append(UInt32(truncatingIfNeeded: offset)) }
    }

    /// Whether a line begins with the word `begin`, in either case.
    private func isBeginning(_ bytes: Span<UInt8>, _ offset: Int) -> Bool {
        guard bytes.hasPrefix(caseInsensitive: "begin", at: offset), offset + 5 < bytes.count else {
            return false
        }
        let next = bytes[offset + 5]
        return next == 0x20 || next == 0x09 || next == UInt8(ascii: "-")
    }
}
