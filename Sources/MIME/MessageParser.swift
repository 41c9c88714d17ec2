package import Bytes

/// Parses a message as its bytes come in, one pass, in memory that does not grow with it.
///
/// Header blocks are read line by line; in bodies only the marked lines are looked at. What a body
/// holds is kept only if the part is of interest, or begins like an archive, or is text and wanted.
/// Nothing recurses: the entities that are open lie on a stack, and a delimiter closes all above its
/// own.
package struct MessageParser: ~Copyable {
    /// The header of the message itself.
    package internal(set) var header = HeaderBlock()
    /// Parts that are no multipart, in this message so far.
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
    /// Whether bytes of a line that the reader had to cut belong to the field before them.
    var continuesField = false
    /// Lines in the header at hand that begin like a delimiter.
    var headerDashes = 0
    /// Blank lines in the header at hand that did not end it.
    var headerPieces = 0
    /// The boundary in the `--` line before, if it is one.
    var suspect: [UInt8] = []
    /// Fields behind that line.
    var suspectFields = 0
    /// The end of the last line of the run before, and where the run at hand begins.
    var lastLine: [UInt8] = []
    var runStart = 0
    var leaf = Leaf()
    var collector: PartCollector?
    var looseFile: LooseFile?
    /// The text of the part, if it is one and wanted; files that lie loose in it are none of it.
    var text: PartCollector?

    var parts: [CollectedPart] = []
    var problems: [MIMEProblem] = []
    var reported: Set<String> = []

    enum State {
        case header
        /// Before the first line of a body that is not blank.
        case bodyStart
        /// In a body, or between parts, where only delimiters and encoded files matter.
        case body
        /// Behind a `--` line in a body that may be a delimiter all the same.
        case behindDashes
        /// In the body of a part that is kept.
        case collecting
        /// In the lines of an encoded file that lies in text.
        case looseFile
    }

    /// A multipart or a message that is open.
    struct Entity {
        let number: String
        /// Empty for a message, and for a multipart that has not told its boundary.
        var boundaries: [[UInt8]]
        let isMultipart: Bool
        let isDigest: Bool
        /// Whether it was seen in the text of a part, where no header told of it.
        var isInText = false
        /// Whether it, or one around it, is said to be encoded as a whole.
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
        /// Bytes of a header that were put before its body.
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

    /// Begins a message. `isInMbox` says that lines may be quoted as mailboxes do it.
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

    /// Takes the next lines of the message: a range of `bytes`, whose marks are `marks`.
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

    /// Ends the message: its last part ends with it.
    package mutating func finish() {
        if state == .header {
            endHeader()
        }
        endPart(byDelimiter: false)
        endText(byDelimiter: false)
    }

    /// Whether there is anything to take.
    package var hasFindings: Bool { !parts.isEmpty || !problems.isEmpty }

    /// Whether a part is being kept that will be handed out.
    package var isKeepingPart: Bool { state == .collecting }

    /// The parts that were kept since the last call.
    package mutating func takeParts() -> [CollectedPart] {
        defer { parts.removeAll(keepingCapacity: true) }
        return parts
    }

    package mutating func takeProblems() -> [MIMEProblem] {
        defer { problems.removeAll(keepingCapacity: true) }
        return problems
    }
}
