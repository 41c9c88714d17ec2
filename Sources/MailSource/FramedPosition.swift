import Bytes

/// The role of a line in a mailbox.
enum LineRole {
    /// A separator line, which belongs to no message.
    case boundary
    /// The first line of a message, which is not part of its text.
    case envelope
    /// A line outside of all messages, or to be ignored within one.
    case outside
    /// Part of a message from this offset on.
    case content(from: Int)
}

/// Classifies the lines of a mailbox.
protocol FramedLines {
    mutating func role(of line: Range<Int>, in bytes: Span<UInt8>) -> LineRole
}

/// The state of reading a framed mailbox.
struct FramedPosition {
    private var lines: any FramedLines
    private var isInMessage = false
    /// Whether the current line is part of a message. The reader cuts lines that are too long.
    private var isInContent = false

    init(_ lines: any FramedLines) {
        self.lines = lines
    }

    /// Reads a run of lines.
    mutating func read(
        _ bytes: Span<UInt8>, at offset: Int, startsLine: Bool, _ marks: borrowing LineMarks,
        _ body: MailReader.Body
    ) {
        // A range of message lines not passed on yet.
        var run = 0..<0
        var runStartsLine = startsLine
        var position = 0
        while position < bytes.count {
            let line = position..<bytes.endOfLine(from: position, limit: bytes.count)
            let isWhole = position > 0 || startsLine
            let role = isWhole ? lines.role(of: line, in: bytes) : roleOfRest(line)
            isInContent = false
            var begins = line.upperBound
            if case .content(let place) = role {
                begins = place
                isInContent = true
            }
            if begins != run.upperBound {
                if !run.isEmpty { body(.lines(run, startsLine: runStartsLine), bytes, marks) }
                run = begins..<begins
            }
            switch role {
            case .boundary:
                finish(marks, body)
            case .envelope:
                finish(marks, body)
                begin(at: offset + position, marks, body)
            case .outside:
                break
            case .content(let place):
                begin(at: offset + place, marks, body)
                if run.isEmpty { runStartsLine = isWhole }
                run = run.lowerBound..<line.upperBound
            }
            position = line.upperBound
        }
        if !run.isEmpty { body(.lines(run, startsLine: runStartsLine), bytes, marks) }
    }

    /// The role of the rest of a line that the reader cut.
    private func roleOfRest(_ line: Range<Int>) -> LineRole {
        isInContent ? .content(from: line.lowerBound) : .outside
    }

    mutating func finish(_ marks: borrowing LineMarks, _ body: MailReader.Body) {
        if isInMessage { body(.ended, Span(), marks) }
        isInMessage = false
    }

    private mutating func begin(
        at offset: Int, _ marks: borrowing LineMarks, _ body: MailReader.Body
    ) {
        guard !isInMessage else { return }
        isInMessage = true
        body(.began(offset: offset), Span(), marks)
    }
}
