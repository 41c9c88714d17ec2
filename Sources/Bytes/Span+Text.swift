import Glibc

/// ASCII text search in bytes.
extension Span<UInt8> {
    @inlinable
    package func hasPrefix(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, count - offset >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount
        where unsafe self[offset + index] != text.utf8Start[index] {
            return false
        }
        return true
    }

    /// The same, ignoring case; `text` is in lower case.
    @inlinable
    package func hasPrefix(caseInsensitive text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, count - offset >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount
        where unsafe self[offset + index].asciiLowercased != text.utf8Start[index] {
            return false
        }
        return true
    }

    /// Whether the bytes of a range are the text, ignoring case; `text` is in lower case.
    @inlinable
    package func equals(caseInsensitive text: StaticString, in range: Range<Int>) -> Bool {
        range.count == text.utf8CodeUnitCount
            && hasPrefix(caseInsensitive: text, at: range.lowerBound)
    }

    /// The bytes after the last dot of a file name; nil if it has none.
    ///
    /// For example: that of `ticket.pkpass` is 7..<13.
    @inlinable
    package func fileExtension(in range: Range<Int>) -> Range<Int>? {
        var start = range.upperBound
        while start > range.lowerBound {
            if self[start - 1] == UInt8(ascii: ".") { return start..<range.upperBound }
            start -= 1
        }
        return nil
    }

    /// The offset of the first `byte` in `range`.
    package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= count else { return nil }
        return unsafe withUnsafeBytes { buffer -> Int? in
            guard let base = buffer.baseAddress,
                let found = unsafe memchr(base + range.lowerBound, CInt(byte), range.count)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }

    /// Whether the bytes of one range sort before those of the other, bytewise.
    package func precedes(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        let shared = Swift.min(one.count, other.count)
        guard shared > 0, one.lowerBound >= 0, one.upperBound <= count, other.lowerBound >= 0,
            other.upperBound <= count
        else { return one.count < other.count }
        let order = unsafe withUnsafeBytes { buffer -> CInt in
            guard let base = buffer.baseAddress else { return 0 }
            return unsafe memcmp(base + one.lowerBound, base + other.lowerBound, shared)
        }
        return order == 0 ? one.count < other.count : order < 0
    }

    /// The end of the line that contains `offset`: after its line feed, or `limit`.
    package func endOfLine(from offset: Int, limit: Int) -> Int {
        firstIndex(of: UInt8(ascii: "\n"), in: offset..<Swift.max(offset, limit)).map { $0 + 1 }
            ?? limit
    }

    /// The line without its line feed and the carriage returns before it (VIOLATIONS.md, M15).
    @inlinable
    package func withoutLineEnding(_ line: Range<Int>) -> Range<Int> {
        var end = line.upperBound
        if end > line.lowerBound, self[end - 1] == UInt8(ascii: "\n") { end -= 1 }
        while end > line.lowerBound, self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return line.lowerBound..<end
    }

    /// The range without leading and trailing spaces, tabs and line ends.
    @inlinable
    package func trimmed(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, self[start].isWhiteSpace { start += 1 }
        while start < end, self[end - 1].isWhiteSpace { end -= 1 }
        return start..<end
    }

    /// The same, without a `<br>` at the end of the range.
    package func trimmedOfBreak(_ range: Range<Int>) -> Range<Int> {
        let text = trimmed(range)
        guard let last = text.last, self[last] == UInt8(ascii: ">") else { return text }
        var end = last
        if end > text.lowerBound, self[end - 1] == UInt8(ascii: "/") { end -= 1 }
        while end > text.lowerBound, self[end - 1] == 0x20 { end -= 1 }
        guard end - text.lowerBound >= 3, hasPrefix(caseInsensitive: "<br", at: end - 3) else {
            return text
        }
        return text.lowerBound..<end - 3
    }
}

extension UInt8 {
    @inlinable
    package var asciiLowercased: UInt8 {
        self >= 0x41 && self <= 0x5A ? self | 0x20 : self
    }

    /// Space, tab, line feed or carriage return.
    @inlinable
    package var isWhiteSpace: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D
    }

    @inlinable
    package var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }

    @inlinable
    package var isASCIILetter: Bool { asciiLowercased >= 0x61 && asciiLowercased <= 0x7A }

    /// The value of a hexadecimal digit.
    @inlinable
    package var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}
