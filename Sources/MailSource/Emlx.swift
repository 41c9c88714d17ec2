package import Bytes
package import Platform

/// A message as stored by Apple Mail: a line with its length, the message, and a property list.
///
/// The format is undocumented. The line is padded with spaces, so that the length can be rewritten
/// in place.
package struct Emlx: Sendable, Hashable {
    /// The offset of the message, after the length line.
    package let start: Int
    /// The end of the message according to that line.
    private let claimedEnd: Int

    /// How far from the end of the file the property list is searched for, in bytes; most have 500.
    private static let longestList = 64 << 10

    /// Nil unless the file begins with a length and a message.
    package init?(_ prefix: Span<UInt8>) {
        var index = 0
        var length = 0
        while index < min(prefix.count, 15), prefix[index].isASCIIDigit {
            length = length * 10 + Int(prefix[index] - 0x30)
            index += 1
        }
        guard index > 0 else { return nil }
        while index < prefix.count, prefix[index] == 0x20 { index += 1 }
        if index < prefix.count, prefix[index] == UInt8(ascii: "\r") { index += 1 }
        guard index < prefix.count, prefix[index] == UInt8(ascii: "\n"),
            MailFormat.isHeader(prefix, from: index + 1)
        else { return nil }
        start = index + 1
        claimedEnd = start + length
    }

    /// The byte range of the message in its file.
    ///
    /// The length is used if the property list or the end of the file follows. VIOLATIONS.md, B13:
    /// if it is wrong, the message extends to the property list or, without one, to the end.
    package func message(in source: ByteSource) throws(FileError) -> Range<Int> {
        guard let size = source.size else { return start..<claimedEnd }
        if claimedEnd == size { return start..<claimedEnd }
        if claimedEnd < size {
            let behind = try source.bytes(at: claimedEnd, count: 64)
            if Emlx.beginsList(behind.span) { return start..<claimedEnd }
        }
        let tail = max(start, size - Emlx.longestList)..<max(start, size)
        let rest = try source.bytes(at: tail.lowerBound, count: tail.count)
        guard let list = Emlx.list(in: rest.span) else { return start..<tail.upperBound }
        return start..<tail.lowerBound + list
    }

    private static func beginsList(_ bytes: Span<UInt8>) -> Bool {
        let start = bytes.trimmed(0..<bytes.count).lowerBound
        return bytes.hasPrefix("<?xml", at: start) || bytes.hasPrefix("<!DOCTYPE plist", at: start)
            || bytes.hasPrefix("<plist", at: start)
    }

    /// The start of the property list at the end of these bytes.
    private static func list(in bytes: Span<UInt8>) -> Int? {
        let end = bytes.trimmed(0..<bytes.count).upperBound
        guard bytes.hasPrefix("</plist>", at: end - "</plist>".utf8.count) else { return nil }
        // Text within a property list contains no literal `<`.
        return (0..<end).last { bytes.hasPrefix("<?xml", at: $0) }
    }
}
