import Bytes

/// A file of Dovecot's mail stores: sdbox (`u.UID`, one message) and mdbox (`m.N`, many). They have
/// the same format, which Dovecot documents in dbox-file.h:
///
///     2 M1e C6b02f3de                    version, size of a message header, time of creation
///     \1\2N          00000000000001a4    the size of the message; all sizes are hexadecimal
///     the message
///
///     \1\3                               the metadata, up to an empty line
///     G0123456789abcdef0123456789abcdef
///
/// VIOLATIONS.md, B18: if a size is wrong, a message ends at its metadata or before the next one.
struct Dbox: FramedLines {
    /// The number of bytes that the current message still has, and whether there is one.
    private var left = 0
    private var isInText = false

    /// The magic number, the type, ten spaces and the size. More fields may follow.
    private static let headerLength = 29

    static func begins(_ source: Span<UInt8>, at start: Int) -> Bool {
        guard source.hasPrefix("2 ", at: start) || source.hasPrefix("1 ", at: start) else {
            return false
        }
        let line = start..<source.endOfLine(from: start, limit: min(source.count, start + 256))
        guard source.hasPrefix("\u{1}\u{2}", at: line.upperBound) else { return false }
        return source.withoutLineEnding(line).dropFirst(2).allSatisfy {
            source[$0] == 0x20 || source[$0].isASCIILetter || source[$0].isASCIIDigit
        }
    }

    mutating func role(of line: Range<Int>, in bytes: Span<UInt8>) -> LineRole {
        if let size = Dbox.size(line, bytes) {
            (left, isInText) = (size, true)
            return .boundary
        }
        if bytes.hasPrefix("\u{1}\u{3}", at: line.lowerBound),
            bytes.withoutLineEnding(line).count == 2
        {
            isInText = false
            return .outside
        }
        return content(of: line, bytes)
    }

    mutating func role(ofRest line: Range<Int>, in bytes: Span<UInt8>) -> LineRole? {
        content(of: line, bytes)
    }

    /// The role of a line that is not a header.
    private mutating func content(of line: Range<Int>, _ bytes: Span<UInt8>) -> LineRole {
        guard isInText else { return .outside }
        guard left > 0 else {
            // The line end before the metadata.
            let isEnd = line.count == 1 && bytes[line.lowerBound] == UInt8(ascii: "\n")
            return isEnd ? .outside : .content(line)
        }
        let text = line.prefix(left)
        left -= text.count
        return .content(text)
    }

    /// The size in the header of a message, `Int.max` if it is not a number; nil if the line is not
    /// a header.
    private static func size(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Int? {
        let start = line.lowerBound
        guard bytes.hasPrefix("\u{1}\u{2}", at: start), line.count > headerLength,
            bytes[start + 2].isASCIILetter,
            (start + 3..<start + 13).allSatisfy({ bytes[$0] == 0x20 })
        else { return nil }
        var size = 0
        for index in start + 13..<start + headerLength {
            guard let digit = bytes[index].hexadecimalValue, size < 1 << 56 else { return Int.max }
            size = size << 4 | Int(digit)
        }
        return size
    }
}
