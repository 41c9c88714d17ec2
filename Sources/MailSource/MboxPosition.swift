import Bytes

/// The state of reading an mbox: finds the separators among the marked lines.
struct MboxPosition {
    private(set) var ends = MboxRangeEnds()

    let start: Int
    private let end: Int?
    private(set) var isInMessage = false
    /// The offset of the current message's body, once known.
    private var bodyStart: Int?
    /// The offset up to which the current message was searched for the blank line after its header.
    private var headerEnd = 0
    /// Whether the current run begins at the start of a line.
    private var startsLine = true
    private var claim = Claim.none
    /// The judgement on a `From ` line whose next line did not fit in the buffer.
    private var judged: (place: Int, FromLine.Judgement)?
    /// The last bytes before the current run.
    private(set) var before: [UInt8]
    private var question: Lookup?
    private var falseClaims = 0

    /// The end of the message by its Content-Length field, as written in mboxcl and in mboxcl2,
    /// which does not quote `From `.
    private enum Claim {
        case none
        case length(Int)
        /// A separator or the end of the file follows the claimed end, so separators before it are
        /// ignored. VIOLATIONS.md, B12: any other claim is false.
        case believed(end: Int)
    }

    /// A decision that needs bytes from elsewhere in the source.
    private enum Lookup {
        case separator(at: Int)
        /// Whether the message ends at its claimed end.
        case claim(end: Int)
    }

    /// The number of consecutive false claims after which claims beyond the buffer are ignored,
    /// since each check rereads a buffer.
    private static let falseClaims = 16
    /// The maximum number of line ends after a claimed end.
    private static let lineEnds = 64
    /// The number of bytes needed for a decision.
    static let answerLength = 1 + lineEnds + FromLine.longest * 2

    /// - Parameter before: The last bytes before `start`.
    init(start: Int, end: Int?, before: [UInt8]) {
        self.start = start
        self.end = end
        self.before = before
    }

    /// Stores the last bytes of a run that was read.
    mutating func endRun(_ bytes: Span<UInt8>) {
        let count = FromLine.PreviousLine.examined
        if bytes.count >= count { before.removeAll(keepingCapacity: true) }
        let last = bytes.extracting(last: count)
        unsafe last.withUnsafeBufferPointer { unsafe before.append(contentsOf: $0) }
        if before.count > count { before.removeFirst(before.count - count) }
    }

    /// The offset of the bytes needed before reading can continue.
    var placeToSee: Int? {
        switch question {
        case .separator(let place): place
        // Include the byte before: it shows that a line begins at the end, and that the source
        // extends that far.
        case .claim(let end): end - 1
        case nil: nil
        }
    }

    /// Whether the range ended before a message began.
    func isPastEnd(_ offset: Int) -> Bool {
        guard let end else { return false }
        return !isInMessage && offset > end
    }

    /// Reads a run of lines and returns the number of bytes consumed. `see` returns bytes at an
    /// offset; nil if the run must end before they can be read.
    mutating func read(
        _ bytes: Span<UInt8>, at offset: Int, startsLine: Bool, isAtEnd: Bool,
        _ marks: borrowing LineMarks, see: (Int) -> [UInt8]?, isFull: () -> Bool,
        _ body: MailReader.Body
    ) -> Int {
        self.startsLine = startsLine
        var position = 0
        var startsLine = startsLine
        if start == 0, ends.first == nil {
            // VIOLATIONS.md, B9: blank lines before the first separator belong to no message. B19:
            // nor do NULs.
            while position < bytes.count, bytes[position].isLineEnd || bytes[position] == 0 {
                position += 1
            }
            guard position < bytes.count else { return bytes.count }
            startsLine = startsLine || position > 0
            // VIOLATIONS.md, B10: a mailbox with a lost beginning still begins with a message.
            let mark = marks.first(from: position)
            if mark == marks.offsets.count || Int(marks.offsets[mark]) > position
                || bytes[position] != UInt8(ascii: "F")
            {
                begin(at: offset + position, header: offset + position, marks, body)
            }
        }
        for mark in marks.offsets {
            let place = Int(mark)
            guard place >= position else { continue }
            if bytes.hasPrefix(caseInsensitive: "content-length:", at: place) {
                noteLength(bytes, at: place, offset: offset)
            }
            guard bytes[place] == UInt8(ascii: "F"), !isClaimed(offset + place) else { continue }
            let separates = isSeparator(bytes, at: place, offset, isAtEnd: isAtEnd, see)
            if separates == false {
                if start == 0, ends.first == nil {
                    begin(at: offset + place, header: offset + place, marks, body)
                }
                continue
            }
            var stops = separates == nil
            if !stops, let claimed = claimedEnd(bytes, offset: offset, upTo: place),
                claimed > offset + place
            {
                ask(.claim(end: claimed), see)
                if isClaimed(offset + place) { continue }
                stops = question != nil
            }
            if isInMessage, place > position {
                body(.lines(position..<place, startsLine: startsLine), bytes, marks)
            }
            if stops { return place }
            startsLine = true
            finish(marks, body)
            if offset + place >= end ?? Int.max || ends.first != nil && isFull() {
                ends.stop = offset + place
                return place
            }
            position = bytes.endOfLine(from: place, limit: bytes.count)
            begin(at: offset + place, header: offset + position, marks, body)
        }
        guard isInMessage else { return bytes.count }
        findBody(bytes, offset: offset, upTo: bytes.count)
        if position < bytes.count {
            body(.lines(position..<bytes.count, startsLine: startsLine), bytes, marks)
        }
        return bytes.count
    }

    /// Whether a `From ` line is a separator, also without a blank line before it
    /// (VIOLATIONS.md, B8); nil if the next line is not available yet.
    private mutating func isSeparator(
        _ bytes: Span<UInt8>, at place: Int, _ offset: Int, isAtEnd: Bool, _ see: (Int) -> [UInt8]?
    ) -> Bool? {
        var judgement = FromLine.judge(bytes, at: place, isAtEnd: isAtEnd)
        if case .undecided = judgement {
            if judged?.place != offset + place { ask(.separator(at: offset + place), see) }
            guard let judged, judged.place == offset + place else { return nil }
            judgement = judged.1
        }
        return switch judgement {
        case .separator: true
        case .text: false
        default: judgement.separates(after: lineBefore(place, bytes))
        }
    }

    private func lineBefore(_ place: Int, _ bytes: Span<UInt8>) -> FromLine.PreviousLine {
        if start == 0, ends.first == nil { return .none }
        let count = FromLine.PreviousLine.examined
        var context = place < count ? before : []
        for index in max(place - count, 0)..<place { context.append(bytes[index]) }
        return FromLine.PreviousLine(context)
    }

    /// Answers the question at once if the bytes can be read; otherwise it stays open.
    private mutating func ask(_ question: Lookup, _ see: (Int) -> [UInt8]?) {
        self.question = question
        guard let place = placeToSee else { return }
        if let seen = see(place) { return answer(seen) }
        guard case .claim = question else { return }
        falseClaims += 1
        if falseClaims > MboxPosition.falseClaims { answer(nil) }
    }

    /// Answers the open question with the bytes read; nil if they cannot be read.
    mutating func answer(_ seen: [UInt8]?) {
        switch question {
        case .separator(let place):
            let bytes = seen ?? []
            judged = (place, FromLine.judge(bytes.span, at: 0, isAtEnd: true))
        case .claim(let end):
            let isTrue = seen.map(MboxPosition.endsMessage) ?? false
            if seen?.isEmpty == true { ends.claim = min(ends.claim ?? end, end) }
            claim = isTrue ? .believed(end: end) : .none
            if isTrue { falseClaims = 0 }
        case nil:
            break
        }
        question = nil
    }

    /// Whether a separator or the end of the source follows the first of these bytes, on a new
    /// line.
    private static func endsMessage(_ seen: [UInt8]) -> Bool {
        guard let last = seen.first else { return false }
        let rest = seen.dropFirst()
        guard let next = rest.prefix(lineEnds + 1).firstIndex(where: { !$0.isLineEnd }) else {
            return seen.count <= lineEnds + 1
        }
        guard last == UInt8(ascii: "\n") || seen[next - 1] == UInt8(ascii: "\n") else {
            return false
        }
        return FromLine.judge(seen.span, at: next, isAtEnd: true).separates(after: .blank)
    }

    mutating func finish(_ marks: borrowing LineMarks, _ body: MailReader.Body) {
        if isInMessage { body(.ended, Span(), marks) }
        isInMessage = false
    }

    private mutating func begin(
        at offset: Int, header: Int, _ marks: borrowing LineMarks, _ body: MailReader.Body
    ) {
        isInMessage = true
        bodyStart = nil
        headerEnd = header
        claim = .none
        if ends.first == nil { ends.first = offset }
        body(.began(offset: offset), Span(), marks)
    }

    private func isClaimed(_ place: Int) -> Bool {
        if case .believed(let end) = claim { return place < end }
        return false
    }

    private mutating func noteLength(_ bytes: Span<UInt8>, at place: Int, offset: Int) {
        guard isInMessage, bodyStart == nil else { return }
        findBody(bytes, offset: offset, upTo: place)
        guard bodyStart == nil else { return }
        var index = place + "content-length:".utf8.count
        var length = 0
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
        let digits = index
        while index < bytes.count, index - digits < 15, bytes[index].isASCIIDigit {
            length = length * 10 + Int(bytes[index] - 0x30)
            index += 1
        }
        if index > digits { claim = .length(length) }
    }

    private mutating func claimedEnd(_ bytes: Span<UInt8>, offset: Int, upTo place: Int) -> Int? {
        guard case .length(let length) = claim else { return nil }
        findBody(bytes, offset: offset, upTo: place)
        return bodyStart.map { $0 + length }
    }

    /// Searches for the blank line after the header, continuing from the last search.
    private mutating func findBody(_ bytes: Span<UInt8>, offset: Int, upTo limit: Int) {
        var position = max(headerEnd - offset, 0)
        while bodyStart == nil, position < limit {
            let end = bytes.endOfLine(from: position, limit: bytes.count)
            let isWhole = position > 0 || startsLine
            if isWhole, bytes.withoutLineEnding(position..<end).isEmpty { bodyStart = offset + end }
            position = end
        }
        headerEnd = max(headerEnd, offset + position)
    }
}

extension UInt8 {
    fileprivate var isLineEnd: Bool { self == 0x0A || self == 0x0D }
}
