import Bytes

/// The role of a line in a mailbox.
enum LineRole {
    /// A separator line, which belongs to no message.
    case boundary
    /// The first line of a message, which is not part of its text.
    case envelope
    /// A line outside of all messages, or to be ignored within one.
    case outside
    /// The beginning of the line, before this range, is outside; the range, which is not empty, is
    /// part of a message; what follows it is a line of its own.
    case content(Range<Int>)
}

/// Classifies the lines of a mailbox.
protocol FramedLines {
    mutating func role(of line: Range<Int>, in bytes: Span<UInt8>) -> LineRole
    /// The role of the rest of a line that the reader cut; nil if it is that of the beginning.
    mutating func role(ofRest line: Range<Int>, in bytes: Span<UInt8>) -> LineRole?
}

extension FramedLines {
    mutating func role(ofRest line: Range<Int>, in bytes: Span<UInt8>) -> LineRole? { nil }
}

/// The state of reading a framed mailbox.
struct FramedPosition {
    private var lines: any FramedLines
    private var isInMessage = false
    /// Whether the current line is part of a message. The reader cuts lines that are too long.
    private var isInContent = false
    private var isCompressed = false

    /// The header that a compressed message gets, so that it is opened as a file.
    private static let header = Array("content-type:application/octet-stream\n\n".utf8)
    /// The last line end in a mailbox is not part of the message.
    private static let lineEnd: [UInt8] = [0x0A]

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
            let role = isWhole ? lines.role(of: line, in: bytes) : roleOfRest(line, bytes)
            isInContent = false
            var content = line.upperBound..<line.upperBound
            if case .content(let range) = role {
                content = range
                isInContent = true
            }
            if content.lowerBound != run.upperBound {
                if !run.isEmpty { body(.lines(run, startsLine: runStartsLine), bytes, marks) }
                run = content.lowerBound..<content.lowerBound
            }
            switch role {
            case .boundary:
                finish(marks, body)
            case .envelope:
                finish(marks, body)
                begin(at: offset + position, marks, body)
            case .outside:
                break
            case .content:
                if !isInMessage {
                    begin(at: offset + content.lowerBound, marks, body)
                    beginCompressed(bytes, content.lowerBound, body)
                }
                if run.isEmpty { runStartsLine = isWhole }
                run = run.lowerBound..<content.upperBound
            }
            position = content.upperBound
        }
        if !run.isEmpty { body(.lines(run, startsLine: runStartsLine), bytes, marks) }
    }

    /// The role of the rest of a line that the reader cut.
    private mutating func roleOfRest(_ line: Range<Int>, _ bytes: Span<UInt8>) -> LineRole {
        lines.role(ofRest: line, in: bytes) ?? (isInContent ? .content(line) : .outside)
    }

    mutating func finish(_ marks: borrowing LineMarks, _ body: MailReader.Body) {
        if isCompressed { insert(FramedPosition.lineEnd, body) }
        if isInMessage { body(.ended, Span(), marks) }
        isInMessage = false
        isCompressed = false
    }

    private mutating func begin(
        at offset: Int, _ marks: borrowing LineMarks, _ body: MailReader.Body
    ) {
        guard !isInMessage else { return }
        isInMessage = true
        body(.began(offset: offset), Span(), marks)
    }

    /// Inserts a header if the message is compressed, as Dovecot's zlib plugin stores it.
    private mutating func beginCompressed(
        _ bytes: Span<UInt8>, _ start: Int, _ body: MailReader.Body
    ) {
        isCompressed = FileSignature(bytes, at: start)?.isCompression == true
        if isCompressed { insert(FramedPosition.header, body) }
    }

    private func insert(_ lines: [UInt8], _ body: MailReader.Body) {
        var marks = LineMarks()
        marks.mark(lines.span, startsLine: true)
        body(.lines(lines.indices, startsLine: true), lines.span, marks)
    }
}
