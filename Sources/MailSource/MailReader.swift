package import Bytes

/// A step in the reading of mail.
package enum MailEvent {
    /// A message begins at `offset` of its source: in an mbox at its `From ` line.
    case began(offset: Int)
    /// A range of the bytes at hand belongs to the message that began.
    case lines(Range<Int>, startsLine: Bool)
    case ended
}

/// Reads messages from sources, one source after the other, through one buffer.
package struct MailReader: ~Copyable {
    /// Gets each step with the bytes at hand and their marks.
    package typealias Body = (MailEvent, Span<UInt8>, borrowing LineMarks) -> Void

    /// How far a stream is read ahead, in bytes, to see whether a message ends where it claims to.
    private static let lookAhead = 8 << 20

    /// What editors put before a text.
    private static let markOfUTF8: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func lengthOfMark(_ bytes: Span<UInt8>) -> Int {
        bytes.hasPrefix("\u{FEFF}", at: 0) ? markOfUTF8.count : 0
    }

    private var reader: LineReader
    private var marks = LineMarks()
    private var form = Framing.message(end: Int.max)
    /// Where the reading of an mbox stopped within a message, because of `isFull`.
    private var paused: MboxPosition?

    /// What is being read, where it is no mbox.
    private enum Framing {
        case message(end: Int)
        case framed(FramedPosition)
    }

    package init(bufferSize: Int = 256 << 10) {
        reader = LineReader(bufferSize: bufferSize)
    }

    /// Reads all messages of a source that is mail of a kind.
    package mutating func read(
        _ source: ByteSource, as kind: SourceKind, _ body: Body
    ) throws(FileError) {
        if kind == .mbox {
            _ = try readMbox(source, body)
        } else {
            try begin(source, as: kind, body)
            while try readMore(body) {}
        }
    }

    /// Opens a source and hands its first bytes to `body`: at least `count` of them where it has so many.
    package mutating func open<Result>(
        _ source: ByteSource, looking count: Int, _ body: (Span<UInt8>) -> Result
    ) throws(FileError) -> Result {
        reader.open(source)
        return try reader.look(ahead: count, body)
    }

    /// Begins to read the source that was opened, which is one message.
    package mutating func beginMessage(_ body: Body) {
        form = .message(end: Int.max)
        body(.began(offset: 0), Span(), marks)
    }

    /// Begins to read mail of any kind but mbox; what no kind says is one message.
    package mutating func begin(
        _ source: ByteSource, as kind: SourceKind, _ body: Body
    ) throws(FileError) {
        if case .framed(let framing) = kind {
            reader.open(source)
            form = .framed(FramedPosition(framing.lines))
            return
        }
        var range = 0..<Int.max
        if case .emlx(let emlx) = kind { range = try emlx.message(in: source) }
        reader.open(source, from: range.lowerBound)
        form = .message(end: range.upperBound)
        body(.began(offset: range.lowerBound), Span(), marks)
    }

    /// Reads the next lines of the mail that was begun; returns false at its end.
    package mutating func readMore(_ body: Body) throws(FileError) -> Bool {
        let startsLine = reader.startsLine
        let offset = reader.offset
        switch form {
        case .message(let end):
            var more = offset < end
            if more {
                more = try reader.next { bytes, _ in
                    marks.mark(bytes, startsLine: startsLine)
                    let start = offset == 0 ? MailReader.lengthOfMark(bytes) : 0
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

    /// Reads the messages of an mbox that begin in `range` of it, or all of it.
    ///
    /// A range that does not begin at 0 begins with the first separator in it. Where the range
    /// before it stopped elsewhere, that was none, and the range is to be read again from there.
    ///
    /// When `isFull`, reading stops early: behind a message, or within one (`isPaused`). `readOn` goes on.
    package mutating func readMbox(
        _ source: ByteSource, range: Range<Int>? = nil, isFull: () -> Bool = { false },
        _ body: Body
    ) throws(FileError) -> MboxRangeEnds {
        let start = range?.lowerBound ?? 0
        if start == MailReader.markOfUTF8.count, source.size != nil,
            try source.bytes(at: 0, count: start) == MailReader.markOfUTF8
        {
            reader.open(source, from: start)
        } else {
            // One byte earlier: whether a line begins at the start of a range, the byte before it
            // says.
            reader.open(source, from: max(start - 1, 0), startsLine: start == 0)
        }
        paused = nil
        let position = MboxPosition(start: start, end: range?.upperBound ?? Int.max)
        return try readMbox(source, position, isFull, body)
    }

    /// Reads on in the mbox at hand, from where the last call stopped: the messages that begin before
    /// `end`, or the rest of a message within which reading stopped.
    package mutating func readOn(
        _ source: ByteSource, upTo end: Int, isFull: () -> Bool = { false }, _ body: Body
    ) throws(FileError) -> MboxRangeEnds {
        let next = paused.take() ?? MboxPosition(start: offset, end: max(end, offset))
        return try readMbox(source, next, isFull, body)
    }

    /// Whether the reading of an mbox stopped within a message. The ends are then not known yet.
    package var isPaused: Bool { paused != nil }

    /// How much of the source was read, in bytes.
    package var offset: Int { reader.offset }

    private mutating func readMbox(
        _ source: ByteSource, _ position: MboxPosition, _ isFull: () -> Bool, _ body: Body
    ) throws(FileError) -> MboxRangeEnds {
        var mailbox = position
        var more = true
        while more, mailbox.ends.stop == nil, !mailbox.isPastEnd(reader.offset) {
            let startsLine = reader.startsLine
            let offset = reader.offset
            more = try reader.next { bytes, isAtEnd in
                let isFirst = offset == 0 && mailbox.start == 0
                let mark = isFirst ? MailReader.lengthOfMark(bytes) : 0
                let text = bytes.extracting(mark..<bytes.count)
                marks.mark(text, startsLine: startsLine)
                let taken = mailbox.read(
                    text, at: offset + mark, startsLine: startsLine, isAtEnd: isAtEnd, marks,
                    see: { source.bytes(at: $0) }, isFull: isFull, body)
                return taken > 0 || text.isEmpty ? mark + taken : 0
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
        return mailbox.ends
    }
}

/// Where the messages of a range of an mbox begin and end.
package struct MboxRangeEnds: Sendable, Equatable {
    /// Of the first message that begins in the range.
    package var first: Int?
    /// Of the first message behind the range; nil at the end of the source.
    package var stop: Int?
    /// The nearest place behind the end of the source where a message claims to end.
    package var claim: Int?

    /// Joins the ends of the range that follows.
    package mutating func go(on next: MboxRangeEnds) {
        stop = next.stop
        claim = [claim, next.claim].compactMap(\.self).min()
    }
}

extension ByteSource {
    /// What tells of a separator or a claimed end at a place; nil where the source cannot jump.
    fileprivate func bytes(at place: Int) -> [UInt8]? {
        guard size != nil else { return nil }
        return try? bytes(at: place, count: MboxPosition.answerLength)
    }
}
