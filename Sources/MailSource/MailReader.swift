package import Bytes
package import Platform

/// An event while reading mail.
package enum MailEvent {
    /// A message begins at `offset` of the source; in an mbox, at its `From ` line.
    case began(offset: Int)
    /// A range of the current bytes belongs to the current message.
    case lines(Range<Int>, startsLine: Bool)
    case ended
}

/// Reads messages from sources, one after the other, through one buffer.
package struct MailReader: ~Copyable {
    /// Called for each event with the current bytes and their marks.
    package typealias Body = (MailEvent, Span<UInt8>, borrowing LineMarks) -> Void

    /// How far a stream is read ahead to check the claimed end of a message, in bytes.
    private static let lookAhead = 8 << 20

    /// Editors write a byte order mark (VIOLATIONS.md, M6, B9).
    private static let mark = ByteOrderMark.utf8

    private var reader: LineReader
    private var marks = LineMarks()
    private var form = Framing.message(end: Int.max)
    /// The position in an mbox at which reading stopped within a message, because of `isFull`.
    private var paused: MboxPosition?
    /// The last bytes of an mbox before the current offset.
    private var before: [UInt8] = []

    /// The framing of the current source, unless it is an mbox.
    private enum Framing {
        case message(end: Int)
        case framed(FramedPosition)
    }

    package init(bufferSize: Int = 256 << 10) {
        reader = LineReader(bufferSize: bufferSize)
    }

    /// Reads all messages of a source.
    package mutating func read(
        _ source: ByteSource, as format: MailFormat, _ body: Body
    ) throws(FileError) {
        if format == .mbox {
            _ = try readMbox(source, body)
        } else {
            try begin(source, as: format, body)
            while try readMore(body) {}
        }
    }

    /// Opens a source and calls `body` with its first bytes: at least `count` of them, if it has
    /// that many.
    package mutating func open<Result>(
        _ source: ByteSource, looking count: Int, _ body: (Span<UInt8>) -> Result
    ) throws(FileError) -> Result {
        reader.open(source)
        return try reader.look(ahead: count, body)
    }

    /// Begins to read the opened source as one message.
    package mutating func beginMessage(_ body: Body) {
        form = .message(end: Int.max)
        body(.began(offset: 0), Span(), marks)
    }

    /// Begins to read mail of any kind except mbox; unknown kinds are read as one message.
    package mutating func begin(
        _ source: ByteSource, as format: MailFormat, _ body: Body
    ) throws(FileError) {
        if case .framed(let framing) = format {
            reader.open(source)
            form = .framed(FramedPosition(framing.lines))
            return
        }
        var range = 0..<Int.max
        if case .emlx(let emlx) = format { range = try emlx.message(in: source) }
        reader.open(source, from: range.lowerBound)
        form = .message(end: range.upperBound)
        body(.began(offset: range.lowerBound), Span(), marks)
    }

    /// Reads the next lines; returns false at the end.
    package mutating func readMore(_ body: Body) throws(FileError) -> Bool {
        let startsLine = reader.startsLine
        let offset = reader.offset
        switch form {
        case .message(let end):
            var more = offset < end
            if more {
                more = try reader.next { bytes, _ in
                    marks.mark(bytes, startsLine: startsLine)
                    let start = offset == 0 ? MailReader.mark.length(in: bytes) : 0
                    let lines = start..<max(start, min(bytes.count, end - offset))
                    if !lines.isEmpty {
                        body(.lines(lines, startsLine: startsLine), bytes, marks)
                    }
                    return bytes.count
                }
            }
            if !more { body(.ended, Span(), marks) }
            return more
        case .framed(var position):
            let more = try reader.next { bytes, _ in
                marks.mark(bytes, startsLine: startsLine)
                position.read(bytes, at: offset, startsLine: startsLine, marks, body)
                return bytes.count
            }
            if !more { position.finish(marks, body) }
            form = .framed(position)
            return more
        }
    }

    /// Reads the messages that begin in `range` of an mbox, or all of them.
    ///
    /// A range that does not begin at 0 begins with its first separator. If the preceding range
    /// stopped at another offset, that separator was false, and the range must be read again from
    /// there.
    ///
    /// If `isFull` returns true, reading stops after a message or within one (`isPaused`). Continue
    /// with `readOn`.
    package mutating func readMbox(
        _ source: ByteSource, range: Range<Int>? = nil, isFull: () -> Bool = { false },
        _ body: Body
    ) throws(FileError) -> MboxRangeEnds {
        let start = range?.lowerBound ?? 0
        var before: [UInt8] = []
        if start == MailReader.mark.bytes.count, source.size != nil,
            try source.bytes(at: 0, count: start) == MailReader.mark.bytes
        {
            reader.open(source, from: start)
        } else {
            // Start one byte earlier: the byte before a range shows whether a line begins there.
            reader.open(source, from: max(start - 1, 0), startsLine: start == 0)
            before = try bytesBefore(start, of: source)
        }
        paused = nil
        let position = MboxPosition(
            start: start, end: range?.upperBound ?? Int.max, before: before)
        return try readMbox(source, position, isFull, body)
    }

    /// Continues to read the mbox after the last call: the messages that begin before `end`, or the
    /// rest of the message within which reading stopped.
    package mutating func readOn(
        _ source: ByteSource, upTo end: Int, isFull: () -> Bool = { false }, _ body: Body
    ) throws(FileError) -> MboxRangeEnds {
        let next =
            paused.take() ?? MboxPosition(start: offset, end: max(end, offset), before: before)
        return try readMbox(source, next, isFull, body)
    }

    /// Whether reading of an mbox stopped within a message. The ends are not known yet.
    package var isPaused: Bool { paused != nil }

    /// The number of bytes read from the source.
    package var offset: Int { reader.offset }

    private mutating func readMbox(
        _ source: ByteSource, _ position: MboxPosition, _ isFull: () -> Bool, _ body: Body
    ) throws(FileError) -> MboxRangeEnds {
        var mailbox = position
        var more = true
        while more, mailbox.ends.stop == nil, !mailbox.isPastEnd(reader.offset) {
            let offset = reader.offset
            // The last turn stopped at a separator after NULs (VIOLATIONS.md, B19) or the mark.
            let isBehindMark = offset == MailReader.mark.bytes.count && mailbox.before.isEmpty
            let startsLine =
                reader.startsLine
                || offset == mailbox.start && (mailbox.before.last == 0 || isBehindMark)
            more = try reader.next { bytes, isAtEnd in
                let isFirst = offset == 0 && mailbox.start == 0
                let mark = isFirst ? MailReader.mark.length(in: bytes) : 0
                let text = bytes.extracting(mark..<bytes.count)
                marks.mark(text, startsLine: startsLine)
                let taken = mailbox.read(
                    text, at: offset + mark, startsLine: startsLine, isAtEnd: isAtEnd, marks,
                    see: { source.bytes(at: $0) }, isFull: isFull, body)
                mailbox.endRun(text.extracting(0..<taken))
                // A range may end at the separator behind the mark.
                let isConsumed = taken > 0 || text.isEmpty || mailbox.ends.stop != nil
                return isConsumed ? mark + taken : 0
            }
            if let place = mailbox.placeToSee {
                let seen = try reader.peek(
                    at: place, count: MboxPosition.answerLength,
                    limit: MailReader.lookAhead)
                mailbox.answer(seen)
            } else if more, mailbox.isInMessage, mailbox.ends.stop == nil, isFull() {
                paused = mailbox
                return mailbox.ends
            }
        }
        mailbox.finish(marks, body)
        before = mailbox.before
        return mailbox.ends
    }

    /// The bytes before the byte at which reading of a range begins.
    private func bytesBefore(_ start: Int, of source: ByteSource) throws(FileError) -> [UInt8] {
        guard start > 1, source.size != nil else { return [] }
        let count = min(FromLine.PreviousLine.examined, start - 1)
        return try source.bytes(at: start - 1 - count, count: count)
    }
}

/// The start and end of the messages in a range of an mbox.
package struct MboxRangeEnds: Sendable, Equatable {
    /// The offset of the first message that begins in the range.
    package var first: Int?
    /// The offset of the first message after the range; nil at the end of the source.
    package var stop: Int?
    /// The nearest claimed end of a message beyond the end of the source.
    package var claim: Int?

    /// Merges the ends of the following range.
    package mutating func go(on next: MboxRangeEnds) {
        stop = next.stop
        claim = [claim, next.claim].compactMap(\.self).min()
    }
}

extension ByteSource {
    /// The bytes that decide about a separator or a claimed end at `place`; nil for a stream.
    fileprivate func bytes(at place: Int) -> [UInt8]? {
        guard size != nil else { return nil }
        return try? bytes(at: place, count: MboxPosition.answerLength)
    }
}
