import Bytes

/// The encoding of POSIX uuencode(1): a length, then four characters for three bytes.
enum UUEncoding {
    /// The file name of a line `begin MODE NAME`, if it is one.
    static func name(_ source: Span<UInt8>, _ line: Range<Int>) -> [UInt8]? {
        guard source.hasPrefix("begin ", at: line.lowerBound) else { return nil }
        var index = line.lowerBound + 6
        let mode = index
        while index < line.upperBound, source[index].isASCIIDigit { index += 1 }
        guard (3...4).contains(index - mode), index < line.upperBound,
            source[index] == UInt8(ascii: " ")
        else { return nil }
        let name = source.trimmed(index..<line.upperBound)
        return name.map { source[$0] }
    }

    /// Whether a line has the length that its first character says; spaces at its end may be lost.
    static func isData(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        let line = source.withoutLineEnding(line)
        guard let first = line.first, (0x21...0x60).contains(source[first]) else { return false }
        let count = Int((source[first] - 0x20) & 0x3F)
        let digits = (count + 2) / 3 * 4
        return count > 0 && line.count - 1 <= digits + 2
            && line.dropFirst().allSatisfy { (0x20...0x60).contains(source[$0]) }
    }

    /// Whether a data line begins with the bytes of a ZIP archive.
    static func isArchive(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        source.hasPrefix("4$L#!", at: line.lowerBound + 1)
    }

    static func decodeLine(_ source: Span<UInt8>, _ line: Range<Int>, into output: inout [UInt8]) {
        guard let first = line.first, (0x20...0x60).contains(source[first]) else { return }
        var left = Int((source[first] - 0x20) & 0x3F)
        var index = first + 1
        func digit(_ place: Int) -> UInt8 {
            // Spaces lost at the end of a line are zeros.
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
}

/// yEnc: each byte plus 42; a few that lines cannot hold are escaped.
enum YEnc {
    /// The file name of a line `=ybegin line=128 size=123 name=NAME`, if it is one.
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

    static func decodeLine(_ source: Span<UInt8>, _ line: Range<Int>, into output: inout [UInt8]) {
        var index = line.lowerBound
        // A line that begins with a dot may have got a second one on the way (RFC 5321, 4.5.2).
        if source.hasPrefix("..", at: index) { index += 1 }
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
