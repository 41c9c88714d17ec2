import Bytes
import MailSource
import Platform

/// The position up to which the messages of a source were read. The source is a file, a stream, or
/// a mailbox in another source.
struct MailboxCursor {
    let source: ByteSource
    let format: MailFormat
    /// The range of offsets at which messages to be read begin.
    let range: Range<Int>
    /// The start and end of the messages read from an mbox.
    private(set) var ends: MboxRangeEnds?
    private var hasBegun: Bool

    /// - Parameter hasBegun: Whether the reader already began the message.
    init(
        _ source: ByteSource, _ format: MailFormat, range: Range<Int> = 0..<Int.max,
        hasBegun: Bool = false
    ) {
        self.source = source
        self.format = format
        self.range = range
        self.hasBegun = hasBegun
    }

    /// Reads on; returns whether that was the end.
    ///
    /// - Parameters:
    ///   - size: How much of an mbox to read at most, in bytes; other sources are read by one
    /// buffer.
    ///   - isFull: Whether to stop within an mbox.
    mutating func readOn(
        with reader: inout MailReader, size: Int?, isFull: () -> Bool, body: MailReader.Body
    ) throws(FileError) -> Bool {
        defer { hasBegun = true }
        guard format == .mbox else {
            if !hasBegun { try reader.begin(source, as: format, body) }
            return try !reader.readMore(body)
        }
        let start = hasBegun ? reader.offset : range.lowerBound
        let end = min(range.upperBound, start + (size ?? Int.max - start))
        if hasBegun {
            let next = try reader.readOn(source, upTo: end, isFull: isFull, body)
            ends?.go(on: next)
        } else {
            ends = try reader.readMbox(source, range: start..<end, isFull: isFull, body)
        }
        return !reader.isPaused && ends?.stop ?? Int.max >= range.upperBound
    }
}
