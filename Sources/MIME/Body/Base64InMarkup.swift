import Bytes

/// Extracts base64 from surrounding syntax: tags, character references, string and URL escapes, and
/// the URL-safe alphabet of RFC 4648, 5 (VIOLATIONS.md, M54).
struct Base64InMarkup {
    private let spacesArePluses: Bool
    private var state = State.text
    /// The characters read so far of a tag, a reference or an escape.
    private var pending: [UInt8] = []

    private enum State { case text, tag, reference, backslash, percent }

    /// The longest tag that is skipped, in bytes. Tags within base64 have few attributes.
    private static let longestTag = 256

    init(spacesArePluses: Bool) {
        self.spacesArePluses = spacesArePluses
    }

    /// Appends the base64 digits of a range.
    mutating func digits(
        of source: Span<UInt8>, _ range: Range<Int>, into output: inout [UInt8]
    ) {
        for index in range { take(source[index], &output) }
    }

    private mutating func take(_ byte: UInt8, _ output: inout [UInt8]) {
        switch state {
        case .text: takeText(byte, &output)
        case .tag:
            pending.append(byte)
            if byte == UInt8(ascii: ">") || pending.count > Base64InMarkup.longestTag { end() }
        case .reference:
            if byte == UInt8(ascii: ";") {
                if let character = character(pending[...]) { takeText(character, &output) }
                end()
            } else {
                pending.append(byte)
                if pending.count > 8 { end() }
            }
        case .backslash: takeEscape(byte, &output)
        case .percent:
            pending.append(byte)
            guard pending.count == 2 else { return }
            if let high = pending[0].hexadecimalValue, let low = pending[1].hexadecimalValue {
                output.append(high << 4 | low)
            }
            end()
        }
    }

    private mutating func takeText(_ byte: UInt8, _ output: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "<"): state = .tag
        case UInt8(ascii: "&"): state = .reference
        case UInt8(ascii: "\\"): state = .backslash
        case UInt8(ascii: "%"): state = .percent
        case UInt8(ascii: " ") where spacesArePluses: output.append(UInt8(ascii: "+"))
        default: output.append(Base64.digit(ofURL: byte))
        }
    }

    /// `\n` and `\r`, `\/` of JSON, `\u002b` of JavaScript.
    private mutating func takeEscape(_ byte: UInt8, _ output: inout [UInt8]) {
        pending.append(byte)
        if pending.first == UInt8(ascii: "u") {
            guard pending.count == 5 else { return }
            if let character = number(pending.dropFirst(), radix: 16) { output.append(character) }
        } else if byte == UInt8(ascii: "/") {
            output.append(byte)
        }
        end()
    }

    /// The ASCII character of `#43` or `#x2B`.
    private func character(_ reference: ArraySlice<UInt8>) -> UInt8? {
        guard reference.first == UInt8(ascii: "#") else { return nil }
        let digits = reference.dropFirst()
        let isHexadecimal = digits.first?.asciiLowercased == UInt8(ascii: "x")
        return isHexadecimal ? number(digits.dropFirst(), radix: 16) : number(digits, radix: 10)
    }

    private func number(_ digits: ArraySlice<UInt8>, radix: UInt32) -> UInt8? {
        var number: UInt32 = 0
        for digit in digits {
            guard let value = digit.hexadecimalValue, value < radix else { return nil }
            number = number * radix + UInt32(value)
        }
        return number < 0x80 ? UInt8(number) : nil
    }

    private mutating func end() {
        state = .text
        pending.removeAll(keepingCapacity: true)
    }
}
