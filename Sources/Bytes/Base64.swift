/// RFC 4648, with the tolerance of RFC 2045, 6.8: what is not in the alphabet is passed over.
package struct Base64: Sendable {
    private var bits: UInt32 = 0
    private var digits = 0
    /// Whether padding was seen: behind it nothing belongs to the encoded bytes any more.
    package private(set) var isPadded = false

    package init() {}

    /// Decodes on, appending to `output`, and returns where it stopped: at the end of the range or
    /// behind the first character of padding.
    @discardableResult
    package mutating func decode(
        _ source: Span<UInt8>, _ range: Range<Int>, into output: inout [UInt8]
    ) -> Int {
        var index = range.lowerBound
        let values = Base64.values.span
        while index < range.upperBound, !isPadded {
            // Whole groups of four, the rule within a line.
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

    /// Decodes groups of four digits up to the first that is not one, and returns where that is.
    private static func decodeGroups(
        _ source: Span<UInt8>, _ range: Range<Int>, into output: inout [UInt8]
    ) -> Int {
        let bits = bitsAtPlaces.span
        var index = range.lowerBound
        var isGroup = true
        while isGroup, index + 4 <= range.upperBound {
            // A long line in pieces, so that what they decode to fits on the stack.
            let groups = min((range.upperBound - index) / 4, 256)
            unsafe withUnsafeTemporaryAllocation(byteCount: groups * 3 + 1, alignment: 1) { room in
                var count = 0
                let end = index + groups * 4
                while index < end {
                    // A byte is an index of each of the four tables, and the room holds all groups.
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

    /// How many digits of base64, padding among them, there are beside white space; nil where there is
    /// anything else.
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

    /// Ends a group that is not whole; senders leave the padding out.
    package mutating func finish(into output: inout [UInt8]) {
        if digits == 2 { output.append(UInt8(truncatingIfNeeded: bits >> 4)) }
        if digits == 3 {
            output.append(UInt8(truncatingIfNeeded: bits >> 10))
            output.append(UInt8(truncatingIfNeeded: bits >> 2))
        }
        bits = 0
        digits = 0
    }

    /// Begins again behind padding, for bodies that were encoded in pieces.
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

    /// The first byte that a range would decode to.
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
    package static func isDigit(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "=") || values[Int(byte)] < 64
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

    /// The bits of each digit at each of the four places of a group, one table behind the other.
    private static let bitsAtPlaces: [UInt32] = (0..<4).flatMap { place in
        values.map { value in value < 64 ? UInt32(value) << UInt32(18 - 6 * place) : notADigit }
    }
    private static let notADigit: UInt32 = 1 << 31
}
