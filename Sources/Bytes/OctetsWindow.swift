package import Platform

/// Reads small fields of a binary format from octets that may be in a file, without a system call
/// for each. Sequential access reads each octet about once.
package struct OctetsWindow {
    package let octets: SpooledBytes
    private var held: [UInt8] = []
    private var start = 0

    private static let size = 4096

    package init(_ octets: SpooledBytes) {
        self.octets = octets
    }

    /// An unsigned little-endian number of at most four bytes; nil if it extends beyond `end`.
    package mutating func littleEndian(
        _ width: Int, at offset: Int, before end: Int
    ) throws(FileError) -> Int? {
        guard offset >= 0, offset <= min(end, octets.count) - width else { return nil }
        try move(to: offset..<offset + width)
        guard offset - start + width <= held.count else { return nil }
        var number = 0
        for index in (offset - start..<offset - start + width).reversed() {
            number = number << 8 | Int(held[index])
        }
        return number
    }

    /// An unsigned big-endian number of at most four bytes; nil if it extends beyond the octets.
    package mutating func bigEndian(_ width: Int, at offset: Int) throws(FileError) -> Int? {
        guard offset >= 0, offset <= octets.count - width else { return nil }
        let bytes = try bytes(offset..<offset + width)
        return bytes.count == width ? bytes.reduce(0) { $0 << 8 | Int($1) } : nil
    }

    /// The bytes of a range; the caller bounds it.
    package mutating func bytes(_ range: Range<Int>) throws(FileError) -> [UInt8] {
        guard range.count <= OctetsWindow.size else { return try octets.array(range) }
        try move(to: range)
        let from = min(range.lowerBound - start, held.count)
        return Array(held[from..<min(from + range.count, held.count)])
    }

    private mutating func move(to range: Range<Int>) throws(FileError) {
        guard range.lowerBound < start || range.upperBound > start + held.count else { return }
        held = try octets.array(range.lowerBound..<range.lowerBound + OctetsWindow.size)
        start = range.lowerBound
    }
}
