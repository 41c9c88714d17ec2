import Bytes
import MIME
import MailSource
import PassDetection

/// Feeds the messages of a source to the parser and reports what it finds. Used for sources at the
/// top level and for mailboxes in other sources.
struct MessageDriver: ~Copyable {
    /// Something found in the current message.
    enum Finding {
        case part(CollectedPart, Declaration)
        /// A part whose body the mail server stores elsewhere; its number.
        case elsewhere(String)
        case problem(MIMEProblem)
        /// Parsing took too long; the rest of the message is skipped.
        case exceeded(Problem.Limit)
    }

    /// The number of the current message, counted from 0.
    private(set) var index = -1
    /// The offset of the current message in the source, in bytes.
    private(set) var offset = 0
    /// The number of bytes read of the current message.
    private(set) var size = 0
    /// The number of parts of the last message, multiparts excluded.
    var partCount: Int { parser.partCount }

    /// What the messages so far leave to the following ones; nil if unknown.
    var unclosed: OpenEntities? { parser.unclosed }
    /// Whether the messages before the range are unknown and may still matter.
    var isEarlierUnknown: Bool { parser.isEarlierUnknown }
    /// Whether the parts found depend on them.
    var dependsOnEarlier: Bool { parser.dependsOnEarlier }
    /// Whether a part of an earlier message was found in a later one.
    var hasContinued: Bool { parser.hasContinued }

    /// Whether the source is a mail store of Dovecot, which may store the attachments outside of it
    /// (mail_attachment_dir).
    var isDbox = false

    private var parser: MessageParser
    private let types: TypeMap
    private let limits: MessageLimits
    private let isTimed: Bool
    private var budget: MessageBudget
    /// The header of the current message, once something was found in it.
    private var reference: MessageReference?

    /// - Parameters:
    ///   - isTimed: Whether the time for parsing a message is limited here.
    ///   - wantsText: Whether texts are searched for `data:` URLs, and for links if the options say
    ///     so.
    init(_ options: ImportOptions, isTimed: Bool, wantsText: Bool = true) {
        self.isTimed = isTimed
        limits = options.message
        budget = MessageBudget(options.message)
        let types = options.types
        self.types = types
        parser = MessageParser(
            limits: options.mime, spool: options.spool,
            texts: !wantsText ? .none : options.links == nil ? .withFiles : .all
        ) {
            types.declaration($0).isClaim
        }
    }

    /// Begins a source, or a range of a mailbox after messages that left `unclosed`; nil if that is
    /// unknown.
    mutating func beginSource(after unclosed: OpenEntities? = OpenEntities()) {
        index = -1
        offset = 0
        isDbox = false
        parser.beginSource(after: unclosed)
    }

    /// Begins a message.
    mutating func begin(at offset: Int, isInMailbox: Bool) {
        index += 1
        self.offset = offset
        size = 0
        budget = MessageBudget(limits)
        reference = nil
        parser.begin(isInMbox: isInMailbox, at: offset)
    }

    /// Parses lines of the message in pieces, to limit the parts held at a time.
    mutating func feed(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ marks: borrowing LineMarks, startsLine: Bool,
        _ found: (inout MessageDriver, Finding) -> Void
    ) {
        var start = range.lowerBound
        while start < range.upperBound {
            let isLast = range.upperBound - start < 2 * MessageDriver.piece
            let end =
                isLast
                ? range.upperBound
                : bytes.endOfLine(from: start + MessageDriver.piece, limit: range.upperBound)
            let isFirst = start == range.lowerBound
            parse(bytes, start..<end, marks, startsLine: isFirst ? startsLine : true, found)
            if parser.hasFindings { takeFindings(found) }
            start = end
        }
    }

    /// Ends the message.
    mutating func end(_ found: (inout MessageDriver, Finding) -> Void) {
        if budget.exceeded == nil { parser.finish() }
        if parser.hasFindings { takeFindings(found) }
    }

    /// The current message.
    var message: MessageReference {
        mutating get {
            let message =
                reference ?? MessageReference(parser.header, index: index, offset: offset)
            reference = message
            return message
        }
    }

    /// In bytes.
    private static let piece = 64 << 10
    /// The size from which parsing is timed, in bytes: reading the clock takes longer than parsing
    /// most messages.
    private static let largeSize = 128 << 10

    private mutating func parse(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ marks: borrowing LineMarks, startsLine: Bool,
        _ found: (inout MessageDriver, Finding) -> Void
    ) {
        size += range.count
        guard isTimed, size > MessageDriver.largeSize else {
            return parser.feed(bytes, range, marks: marks, startsLine: startsLine)
        }
        guard budget.exceeded == nil else { return }
        let start = MessageBudget.processorSeconds
        parser.feed(bytes, range, marks: marks, startsLine: startsLine)
        budget.note(size: size)
        budget.takeTime(since: start)
        if let limit = budget.exceeded {
            if parser.hasFindings { takeFindings(found) }
            found(&self, .exceeded(limit))
        }
    }

    private mutating func takeFindings(_ found: (inout MessageDriver, Finding) -> Void) {
        for problem in parser.takeProblems() { found(&self, .problem(problem)) }
        for part in parser.takeParts() {
            let declaration = types.declaration(part.header)
            let isElsewhere = isDbox && declaration.isClaim && part.isEmpty
            found(&self, isElsewhere ? .elsewhere(part.number) : .part(part, declaration))
        }
    }
}
