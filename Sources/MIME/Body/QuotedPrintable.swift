import Bytes

/// Quoted-printable (RFC 2045, 6.7).
package enum QuotedPrintable {
    /// Decodes one line, line end included. VIOLATIONS.md, M45: a `=` that begins no code is kept.
    /// M44: lower-case digits.
    package static func decodeLine(
        _ source: Span<UInt8>, _ line: Range<Int>, into output: inout [UInt8]
    ) {
        let ending = source.withoutLineEnding(line).upperBound..<line.upperBound
        var end = ending.lowerBound
        // Trailing white space was added in transit.
        while end > line.lowerBound, source[end - 1] == 0x20 || source[end - 1] == 0x09 { end -= 1 }
        var index = line.lowerBound
        while index < end {
            let byte = source[index]
            guard byte == UInt8(ascii: "=") else {
                output.append(byte)
                index += 1
                continue
            }
            // A soft line break. VIOLATIONS.md, M46: at the end of the body.
            if index + 1 == end { return }
            // VIOLATIONS.md, M47: a soft line break with a bare carriage return.
            if source[index + 1] == 0x0D {
                index += 2
                continue
            }
            if index + 2 < end, let high = source[index + 1].hexadecimalValue,
                let low = source[index + 2].hexadecimalValue
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(byte)
                index += 1
            }
        }
        for index in ending { output.append(source[index]) }
    }
}
