import Bytes

/// The encodings of POSIX uuencode(1): lines with a length and four characters for three bytes; or
/// base64.
enum UUEncoding {
    /// The file name of a line `begin MODE NAME`; nil if it is not one.
    ///
    /// VIOLATIONS.md, M56: another mode, or none, or `Begin`. The next line shows whether a file
    /// begins.
    static func name(_ source: Span<UInt8>, _ line: Range<Int>) -> [UInt8]? {
        guard source.hasPrefix(caseInsensitive: "begin", at: line.lowerBound) else { return nil }
        var start = line.lowerBound + (isBase64(source, line) ? 12 : 5)
        // VIOLATIONS.md, M57: GNU uuencode -e, for non-ASCII names.
        let isEncoded = source.hasPrefix(caseInsensitive: "-encoded", at: start)
        if isEncoded { start += 8 }
        guard start < line.upperBound, source[start] == 0x20 || source[start] == 0x09 else {
            return nil
        }
        let words = source.trimmedOfBreak(start..<line.upperBound)
        let mode = words.prefix { source[$0] > 0x20 }
        let isMode =
            mode.count <= 8 && mode.contains { source[$0].isASCIIDigit }
            && mode.allSatisfy { source[$0].isASCIIDigit || source[$0] == UInt8(ascii: "o") }
        let name = isMode ? source.trimmed(mode.upperBound..<words.upperBound) : words
        return isEncoded ? Base64.decode(source, name) : name.map { source[$0] }
    }

    /// Whether a line begins a file in base64, as `uuencode -m` writes it.
    static func isBase64(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        source.hasPrefix(caseInsensitive: "begin-base64", at: line.lowerBound)
    }

    /// Whether a line ends a file of either encoding.
    static func isEnd(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        let text = source.trimmedOfBreak(line)
        return text.count == 3 && source.hasPrefix(caseInsensitive: "end", at: text.lowerBound)
            || text.count == 4 && source.hasPrefix("====", at: text.lowerBound)
    }

    /// Whether a line has the length that its first character states. VIOLATIONS.md, M60: up to
    /// `lost` spaces were trimmed at its end, or a checksum follows.
    static func isData(_ source: Span<UInt8>, _ line: Range<Int>, lost: Int = 84) -> Bool {
        let line = withoutSpaces(source, line)
        guard let first = line.first, (0x21...0x60).contains(source[first]) else { return false }
        let count = Int((source[first] - 0x20) & 0x3F)
        let digits = (count + 2) / 3 * 4
        return count > 0 && (digits - lost...digits + 2).contains(line.count - 1)
            && line.dropFirst().prefix(digits).allSatisfy { (0x20...0x60).contains(source[$0]) }
    }

    /// Whether a data line begins with the bytes of a ZIP archive.
    static func isArchive(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        source.hasPrefix("4$L#!", at: line.lowerBound + 1)
    }

    /// Whether a line can be part of a file: data, possibly in HTML, or the empty line at the end.
    static func isLine(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        let text = source.trimmedOfBreak(line)
        if text.count == 1, source[text.lowerBound] == UInt8(ascii: "`") { return true }
        if isData(source, line) { return true }
        guard let unescaped = unescaped(source, line) else { return false }
        return isData(unescaped.span, 0..<unescaped.count)
    }

    /// Decodes a data line; skips other lines, which occur within a file or after one without an
    /// end line.
    static func decodeLine(_ source: Span<UInt8>, _ line: Range<Int>, into output: inout [UInt8]) {
        if isData(source, line) {
            decode(source, line, &output)
        } else if let text = unescaped(source, line), isData(text.span, 0..<text.count) {
            decode(text.span, 0..<text.count, &output)
        }
    }

    private static func decode(
        _ source: Span<UInt8>, _ line: Range<Int>, _ output: inout [UInt8]
    ) {
        guard let first = line.first else { return }
        var left = Int((source[first] - 0x20) & 0x3F)
        var index = first + 1
        func digit(_ place: Int) -> UInt8 {
            // Trimmed spaces at the end of a line are zeros.
            place < line.upperBound && source[place] >= 0x20 ? (source[place] - 0x20) & 0x3F : 0
        }
        while left > 0 {
            let digits = (digit(index), digit(index + 1), digit(index + 2), digit(index + 3))
            output.append(digits.0 << 2 | digits.1 >> 4)
            if left > 1 { output.append(digits.1 << 4 | digits.2 >> 2) }
            if left > 2 { output.append(digits.2 << 6 | digits.3) }
            left -= 3
            index += 4
        }
    }

    private static func withoutSpaces(_ source: Span<UInt8>, _ line: Range<Int>) -> Range<Int> {
        let line = source.withoutLineEnding(line)
        var end = line.upperBound
        while end > line.lowerBound, source[end - 1] == 0x20 { end -= 1 }
        return line.lowerBound..<end
    }

    /// The text of an HTML line with character references, or with a line break at its end
    /// (VIOLATIONS.md, M61); nil without any. `&`, `<`, `>` and `"` are digits of the encoding.
    private static func unescaped(_ source: Span<UInt8>, _ line: Range<Int>) -> [UInt8]? {
        let text = source.trimmedOfBreak(line)
        // Spaces at the end of a line are digits too.
        let hasBreak =
            text.upperBound < line.upperBound && source[text.upperBound] == UInt8(ascii: "<")
        let end = hasBreak ? text.upperBound : line.upperBound
        guard hasBreak || source.firstIndex(of: UInt8(ascii: "&"), in: line) != nil else {
            return nil
        }
        var output: [UInt8] = []
        var index = line.lowerBound
        while index < end {
            let reference = reference(source, at: index, limit: end)
            output.append(reference?.character ?? source[index])
            index += reference?.length ?? 1
        }
        return output
    }

    /// The ASCII character that a reference such as `&lt;`, `&#39;` or `&#x27;` stands for, and the
    /// length of the reference.
    private static func reference(
        _ source: Span<UInt8>, at index: Int, limit: Int
    ) -> (character: UInt8, length: Int)? {
        guard source[index] == UInt8(ascii: "&") else { return nil }
        for reference in references where source.hasPrefix(reference.name, at: index) {
            return (reference.character, reference.name.utf8CodeUnitCount)
        }
        guard source.hasPrefix("&#", at: index) else { return nil }
        var position = index + 2
        let isHexadecimal = source.hasPrefix(caseInsensitive: "x", at: position)
        if isHexadecimal { position += 1 }
        let radix: UInt8 = isHexadecimal ? 16 : 10
        let end = min(position + 3, limit)
        var number = 0
        while position < end, let value = source[position].hexadecimalValue, value < radix {
            number = number * Int(radix) + Int(value)
            position += 1
        }
        guard position < limit, source[position] == UInt8(ascii: ";"),
            (0x20...0x60).contains(number)
        else { return nil }
        return (UInt8(number), position + 1 - index)
    }

    private static let references: [(name: StaticString, character: UInt8)] = [
        ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
        ("&quot;", UInt8(ascii: "\"")), ("&apos;", UInt8(ascii: "'")),
    ]
}

/// yEnc: each byte plus 42, with escapes for bytes that lines cannot contain.
enum YEnc {
    /// The file name of a line `=ybegin line=128 size=123 name=NAME`; nil if it is not one.
    static func name(_ source: Span<UInt8>, _ line: Range<Int>) -> [UInt8]? {
        guard source.hasPrefix("=ybegin ", at: line.lowerBound) else { return nil }
        let text = source.withoutLineEnding(line)
        for index in text where source.hasPrefix(" name=", at: index) {
            return source.trimmed(index + 6..<text.upperBound).map { source[$0] }
        }
        return nil
    }

    /// Whether a data line begins with the bytes of a ZIP archive.
    static func isArchive(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        source.hasPrefix("zu-.", at: line.lowerBound)
    }

    static func decodeLine(
        _ source: Span<UInt8>, _ line: Range<Int>, startsLine: Bool, into output: inout [UInt8]
    ) {
        var index = line.lowerBound
        // VIOLATIONS.md, M62: a leading dot was doubled.
        if startsLine, source.hasPrefix("..", at: index) { index += 1 }
        while index < line.upperBound {
            if source[index] == UInt8(ascii: "="), index + 1 < line.upperBound {
                output.append(source[index + 1] &- 64 &- 42)
                index += 2
            } else {
                output.append(source[index] &- 42)
                index += 1
            }
        }
    }
}
