import Bytes

/// The mailbox format MBX of UW IMAP and Pine, which the file mbx.c of UW IMAP documents:
///
///     *mbx*                              a header of 2,048 bytes, filled up with NULs
///      1-Jan-2024 00:00:00 +0000,136;000000000000-00000001
///                                        the time of arrival, the size, flags and number
///     the message
///
/// VIOLATIONS.md, B18: if a size is wrong, a message ends before the next one.
struct MBX: FramedLines {
    /// The number of bytes that the header of the file still has.
    private var headerLeft = 2048
    /// The number of bytes that the current message still has, and whether there is one.
    private var left = 0
    private var isInText = false

    /// The length of a date, such as ` 1-Jan-2024 00:00:00 +0000`.
    private static let dateLength = 26
    /// The length of the flags and the number: `000000000000-00000001`.
    private static let flagsLength = 21

    static func begins(_ source: Span<UInt8>, at start: Int) -> Bool {
        source.hasPrefix("*mbx*\r\n", at: start)
    }

    mutating func role(of line: Range<Int>, in bytes: Span<UInt8>) -> LineRole {
        let text = line.dropFirst(headerLeft)
        headerLeft -= line.count - text.count
        guard !text.isEmpty else { return .outside }
        if let size = MBX.size(text, bytes) {
            (left, isInText) = (size, true)
            return .boundary
        }
        return content(of: text)
    }

    mutating func role(ofRest line: Range<Int>, in bytes: Span<UInt8>) -> LineRole? {
        content(of: line)
    }

    /// The role of a line that is not a header.
    private mutating func content(of line: Range<Int>) -> LineRole {
        guard headerLeft == 0 else {
            headerLeft -= min(line.count, headerLeft)
            return .outside
        }
        guard isInText else { return .outside }
        let text = left > 0 ? line.prefix(left) : line
        left = max(left - text.count, 0)
        return .content(text)
    }

    /// The size in the line before a message; nil if it is another line.
    private static func size(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Int? {
        let text = bytes.withoutLineEnding(line)
        let start = text.lowerBound
        guard text.count > dateLength + flagsLength, bytes[start + 2] == UInt8(ascii: "-"),
            bytes[start + 6] == UInt8(ascii: "-"), bytes[start + 14] == UInt8(ascii: ":"),
            bytes[start + dateLength] == UInt8(ascii: ",")
        else { return nil }
        let flags = text.upperBound - flagsLength
        guard bytes[flags - 1] == UInt8(ascii: ";"), bytes[flags + 12] == UInt8(ascii: "-"),
            (flags..<text.upperBound).allSatisfy({
                $0 == flags + 12 || bytes[$0].hexadecimalValue != nil
            })
        else { return nil }
        var size = 0
        for index in start + dateLength + 1..<flags - 1 {
            guard bytes[index].isASCIIDigit, size < 1 << 56 else { return nil }
            size = size * 10 + Int(bytes[index] - 0x30)
        }
        return size
    }
}
