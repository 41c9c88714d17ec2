import Bytes

/// Where the reading of an mbox stands: finds the separators among the marked lines.
struct MboxPosition {
    private(set) var ends = MboxRangeEnds()

    private let start: Int
    private let end: Int?
    private var isInMessage = false
    /// Where the body of the message at hand begins, once it is known.
    private var bodyStart: Int?
    /// Up to here in the source the message at hand has no blank line.
    private var headerEnd = 0
    private var claim = Claim.none

    /// What a Content-Length field says of the end of its message: mboxcl, and mboxcl2, which quotes
    /// nothing.
    private enum Claim {
        case none
        case length(Int)
        /// To be looked at before the separator at hand is one.
        case toCheck(end: Int)
        /// Another separator, or the end, follows there: nothing before it is a separator.
        case believed(end: Int)
    }

    init(start: Int, end: Int?) {
        self.start = start
        self.end = end
    }

    /// Where the claim at issue says that its message ends.
    var claimToCheck: Int? {
        if case .toCheck(let end) = claim { return end }
        return nil
    }

    /// Whether the range ended before a message began in it.
    func isPastEnd(_ offset: Int) -> Bool {
        guard let end else { return false }
        return !isInMessage && offset > end
    }

    /// Reads a run of lines and returns how many bytes of it are dealt with.
    mutating func read(
        _ bytes: Span<UInt8>, at offset: Int, startsLine: Bool, isAtEnd: Bool,
        _ marks: borrowing LineMarks, _ body: MailReader.Body
    ) -> Int {
        var position = 0
        var startsLine = startsLine
        beginWithoutSeparator(bytes, at: offset, isAtEnd: isAtEnd, marks, body)
        for mark in marks.offsets {
            let place = Int(mark)
            guard place >= position else { continue }
            if bytes[place].asciiLowercased == UInt8(ascii: "c") {
                noteLength(bytes, at: place, offset: offset)
            }
            guard bytes[place] == UInt8(ascii: "F"), !isClaimed(offset + place) else { continue }
            let judgement = FromLine.judge(bytes, at: place, isAtEnd: isAtEnd)
            // At the front of the buffer everything that can be had is there.
            if judgement == .text || judgement == .undecided && place == 0 { continue }
            if isInMessage, place > position {
                body(.lines(position..<place, startsLine: startsLine), bytes, marks)
            }
            startsLine = true
            position = place
            if judgement == .undecided { return place }
            if let claimed = claimedEnd(bytes, offset: offset, upTo: place),
                claimed > offset + place
            {
                claim = .toCheck(end: claimed)
                return place
            }
            finish(marks, body)
            if let end, offset + place >= end {
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

    /// Decides about a claim, from the bytes at the place where it says that its message ends.
    mutating func settleClaim(_ ahead: [UInt8]?) {
        guard case .toCheck(let end) = claim else { return }
        claim = .none
        guard let ahead else { return }
        let next = ahead.firstIndex { $0 != 0x0A && $0 != 0x0D } ?? ahead.count
        let isAtEnd = next == ahead.count && ahead.count < FromLine.longest * 2
        if isAtEnd || FromLine.judge(ahead.span, at: next, isAtEnd: true) == .separator {
            claim = .believed(end: end)
        }
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

    /// A mailbox that lost its beginning begins with a message all the same; blank lines before the
    /// first separator are none.
    private mutating func beginWithoutSeparator(
        _ bytes: Span<UInt8>, at offset: Int, isAtEnd: Bool, _ marks: borrowing LineMarks,
        _ body: MailReader.Body
    ) {
        guard start == 0, ends.first == nil else { return }
        let first = bytes.trimmed(0..<bytes.count).lowerBound
        guard first < bytes.count else { return }
        if FromLine.judge(bytes, at: first, isAtEnd: isAtEnd) != .separator {
            begin(at: offset, header: offset, marks, body)
        }
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
        while index < bytes.count, bytes[index] == 0x20 { index += 1 }
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

    /// Looks for the blank line behind the header, from where the last look ended.
    private mutating func findBody(_ bytes: Span<UInt8>, offset: Int, upTo limit: Int) {
        var position = max(headerEnd - offset, 0)
        while bodyStart == nil, position < limit {
            let end = bytes.endOfLine(from: position, limit: bytes.count)
            if bytes.withoutLineEnding(position..<end).isEmpty { bodyStart = offset + end }
            position = end
        }
        headerEnd = max(headerEnd, offset + position)
    }
}
