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
                while index + 4 <= range.upperBound {
                    let first = values[Int(source[index])]
                    let second = values[Int(source[index + 1])]
                    let third = values[Int(source[index + 2])]
                    let fourth = values[Int(source[index + 3])]
                    guard (first | second | third | fourth) & 0xC0 == 0 else { break }
                    output.append(first << 2 | second >> 4)
                    output.append(second << 4 | third >> 2)
                    output.append(third << 6 | fourth)
                    index += 4
                }
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
}
