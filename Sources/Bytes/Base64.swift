/// Decodes base64 (RFC 4648); ignores characters outside the alphabet, as RFC 2045, 6.8 requires.
/// VIOLATIONS.md, M50: lines of any length.
package struct Base64: Sendable {
    private var bits: UInt32 = 0
    private var digits = 0
    /// Whether padding was seen. Bytes after padding are not part of the encoded data.
    package private(set) var isPadded = false

    package init() {}

    /// Decodes `range` of `source`, appends to `output`, and returns where it stopped: the end of
    /// the range or the byte after the first padding character.
    @discardableResult
    package mutating func decode(
        _ source: Span<UInt8>, _ range: Range<Int>, into output: inout [UInt8]
    ) -> Int {
        var index = range.lowerBound
        let values = Base64.values.span
        while index < range.upperBound, !isPadded {
            // Fast path: whole groups of four, the usual case within a line.
            if digits == 0 {
                index = Base64.decodeGroups(source, index..<range.upperBound, into: &output)
                guard index < range.upperBound else { break }
            }
            let byte = source[index]
            index += 1
            let value = values[Int(byte)]
            if value < 64 {
                take(UInt32(value), &output)
            } else if byte == UInt8(ascii: "="), digits >= 2 {
                isPadded = true
            }
        }
        if isPadded { finish(into: &output) }
        return index
    }

    /// Decodes groups of four digits and returns the offset of the first byte that is not a digit.
    private static func decodeGroups(
        _ source: Span<UInt8>, _ range: Range<Int>, into output: inout [UInt8]
    ) -> Int {
        let bits = bitsAtPlaces.span
        var index = range.lowerBound
        var isGroup = true
        while isGroup, index + 4 <= range.upperBound {
            // Decode a long line in pieces, so that the output of one piece fits on the stack.
            let groups = min((range.upperBound - index) / 4, 256)
            unsafe withUnsafeTemporaryAllocation(byteCount: groups * 3 + 1, alignment: 1) { room in
                var count = 0
                let end = index + groups * 4
                while index < end {
                    // A byte is a valid index into each of the four tables, and `room` is large
                    // enough for all groups.
                    let group =
                        unsafe bits[unchecked: Int(source[unchecked: index])]
                        | bits[unchecked: 256 + Int(source[unchecked: index + 1])]
                        | bits[unchecked: 512 + Int(source[unchecked: index + 2])]
                        | bits[unchecked: 768 + Int(source[unchecked: index + 3])]
                    isGroup = group & notADigit == 0
                    guard isGroup else { break }
                    unsafe room.storeBytes(
                        of: (group << 8).bigEndian, toByteOffset: count, as: UInt32.self)
                    count += 3
                    index += 4
                }
                unsafe output.append(contentsOf: UnsafeRawBufferPointer(rebasing: room[..<count]))
            }
        }
        return index
    }

    /// The number of base64 digits, padding included; nil if there is anything except digits and
    /// white space.
    package static func digitCount(_ source: Span<UInt8>) -> Int? {
        let values = values.span
        var count = 0
        for index in source.indices {
            let byte = source[index]
            if unsafe values[unchecked: Int(byte)] < 64 || byte == UInt8(ascii: "=") {
                count += 1
            } else if !byte.isWhiteSpace {
                return nil
            }
        }
        return count
    }

    /// Decodes an incomplete last group (VIOLATIONS.md, M51).
    package mutating func finish(into output: inout [UInt8]) {
        if digits == 2 { output.append(UInt8(truncatingIfNeeded: bits >> 4)) }
        if digits == 3 {
            output.append(UInt8(truncatingIfNeeded: bits >> 10))
            output.append(UInt8(truncatingIfNeeded: bits >> 2))
        }
        bits = 0
        digits = 0
    }

    /// Starts over after padding, for bodies that were encoded in pieces.
    package mutating func restart() {
        self = Base64()
    }

    package static func decode(_ source: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var decoder = Base64()
        var output: [UInt8] = []
        output.reserveCapacity(range.count / 4 * 3 + 3)
        decoder.decode(source, range, into: &output)
        decoder.finish(into: &output)
        return output
    }

    /// The first byte that the range decodes to.
    package static func firstByte(_ source: Span<UInt8>, _ range: Range<Int>) -> UInt8? {
        let values = values.span
        var first: UInt8?
        for index in range {
            let value = values[Int(source[index])]
            guard value < 64 else { continue }
            guard let first else {
                first = value
                continue
            }
            return first << 2 | value >> 4
        }
        return nil
    }

    /// Whether a byte is a digit of base64 or its padding.
    @inlinable
    package static func isDigit(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
    }

    /// The digit of the first alphabet of RFC 4648 for one of the second, which is for URLs and file
    /// names; other bytes as they are.
    package static func digit(ofURL byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: byte
        }
    }

    private mutating func take(_ value: UInt32, _ output: inout [UInt8]) {
        bits = bits << 6 | value
        digits += 1
        guard digits == 4 else { return }
        output.append(UInt8(truncatingIfNeeded: bits >> 16))
        output.append(UInt8(truncatingIfNeeded: bits >> 8))
        output.append(UInt8(truncatingIfNeeded: bits))
        bits = 0
        digits = 0
    }

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, digit) in alphabet.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// The bits of each digit at each of the four positions of a group: four tables in a row.
    private static let bitsAtPlaces: [UInt32] = (0..<4).flatMap { place in
        values.map { value in value < 64 ? UInt32(value) << UInt32(18 - 6 * place) : notADigit }
    }
    private static let notADigit: UInt32 = 1 << 31
}
