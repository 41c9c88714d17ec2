package import Bytes

/// Parses a message incrementally, in one pass and bounded memory.
///
/// Header blocks are read line by line; in bodies, only marked lines are examined. A body is
/// collected only if the part is of interest, begins like an archive, or is wanted text. There is
/// no recursion: open entities are on a stack, and a delimiter closes all entities above its own.
package struct MessageParser: ~Copyable {
    /// The header of the message itself.
    package internal(set) var header = HeaderBlock()
    /// The number of parts of this message so far, multiparts excluded.
    package internal(set) var partCount = 0

    let limits: MIMELimits
    let spool: SpoolPolicy
    let isOfInterest: (PartHeader) -> Bool
    let wantsText: Bool

    var isInMbox = false
    var state = State.header
    var open: [Entity] = []
    var boundaries = OpenBoundaries()
    var partHeader = HeaderBlock()
    var isTopHeader = true
    /// Whether the rest of a line that the reader cut belongs to the previous field.
    var continuesField = false
    /// The number of delimiter-like lines in the current header.
    var headerDashes = 0
    /// The number of blank lines that did not end the current header.
    var headerPieces = 0
    /// The boundary in the previous line, if that began with `--`.
    var suspect: [UInt8] = []
    /// The number of fields after that line.
    var suspectFields = 0
    /// The end of the last line of the previous run, and the start of the current run.
    var lastLine: [UInt8] = []
    var runStart = 0
    var leaf = Leaf()
    var collector: PartCollector?
    var looseFile: LooseFile?
    /// The text of the part, if it is wanted text; without encoded files in it.
    var text: PartCollector?

    var parts: [CollectedPart] = []
    var problems: [MIMEProblem] = []
    var reported: Set<String> = []

    enum State {
        case header
        /// Before the first non-blank line of a body.
        case bodyStart
        /// In a body or between parts, where only delimiters and encoded files matter.
        case body
        /// After a `--` line that may be a delimiter of an unknown multipart.
        case behindDashes
        /// In the body of a part that is collected.
        case collecting
        /// In an encoded file within text.
        case looseFile
    }

    /// An open multipart or message.
    struct Entity {
        let number: String
        /// Empty for a message, and for a multipart with an unknown boundary.
        var boundaries: [[UInt8]]
        let isMultipart: Bool
        let isDigest: Bool
        /// Whether it was found in the text of a part, undeclared by any header.
        var isInText = false
        /// Whether it, or an entity around it, is declared quoted-printable as a whole.
        var isQuotedPrintable = false
        var children = 0
    }

    /// The part whose body is being read.
    struct Leaf {
        var number = ""
        var header = PartHeader(names: [])
        var isMessage = false
        /// Whether it is the message's own body.
        var isTop = false
        /// The length of a header prepended to its body, in bytes.
        var headerLength = 0
    }

    package init(
        limits: MIMELimits = MIMELimits(), spool: SpoolPolicy = SpoolPolicy(),
        wantsText: Bool = false, isOfInterest: @escaping (PartHeader) -> Bool
    ) {
        self.limits = limits
        self.spool = spool
        self.wantsText = wantsText
        self.isOfInterest = isOfInterest
    }

    /// Begins a message. `isInMbox`: lines may be quoted as in an mbox.
    package mutating func begin(isInMbox: Bool) {
        self.isInMbox = isInMbox
        header.removeAll()
        partHeader.removeAll()
        partCount = 0
        state = .header
        isTopHeader = true
        continuesField = false
        headerDashes = 0
        headerPieces = 0
        open.removeAll(keepingCapacity: true)
        boundaries.removeAll()
        leaf = Leaf()
        collector = nil
        looseFile = nil
        lastLine.removeAll(keepingCapacity: true)
        text = nil
        reported.removeAll(keepingCapacity: true)
    }

    /// Parses the next lines of the message: a range of `bytes` with the given marks.
    package mutating func feed(
        _ bytes: Span<UInt8>, _ range: Range<Int>, marks: borrowing LineMarks, startsLine: Bool
    ) {
        var position = range.lowerBound
        var startsLine = startsLine
        var mark = marks.first(from: position)
        runStart = position
        while position < range.upperBound {
            let rest = position..<range.upperBound
            switch state {
            case .header:
                position = readHeader(bytes, rest, startsLine)
            case .bodyStart:
                position = readBodyStart(bytes, rest)
            case .behindDashes:
                position = readBehindDashes(bytes, rest)
            case .looseFile:
                position = readLooseFile(bytes, rest, startsLine)
            case .body, .collecting:
                while mark < marks.offsets.count, marks.offsets[mark] < UInt32(position) {
                    mark += 1
                }
                position = readBody(bytes, rest, marks, &mark)
            }
            startsLine = true
        }
        rememberLine(bytes, range)
    }

    /// Ends the message and its last part.
    package mutating func finish() {
        if state == .header {
            endHeader()
        }
        endPart(byDelimiter: false)
        endText(byDelimiter: false)
    }

    /// Whether there are parts or problems to take.
    package var hasFindings: Bool { !parts.isEmpty || !problems.isEmpty }

    /// Whether a part is being collected.
    package var isKeepingPart: Bool { state == .collecting }

    /// Returns the parts collected since the last call.
    package mutating func takeParts() -> [CollectedPart] {
        defer { parts.removeAll(keepingCapacity: true) }
        return parts
    }

    package mutating func takeProblems() -> [MIMEProblem] {
        defer { problems.removeAll(keepingCapacity: true) }
        return problems
    }
}
