import Bytes
import MIME
import MailSource
import PassContainers
import PassDetection
import PassVerification

/// Takes what a worker reads, source by source: parses messages, judges what they hold, and keeps
/// the result.
struct CandidateFinder: ~Copyable {
    var result = WorkResult()
    /// Of messages, in bytes, since the last result.
    private(set) var bytesTaken = 0

    private let options: ImportOptions
    private var parser: MessageParser
    private var unpacker: Unpacker
    private var source = ""
    private var index = -1
    private var offset = 0
    private var taken = 0
    /// Parts and problems that were read and not judged, in order. Not empty only while the result is full.
    private var steps: [Step] = []
    /// Index of the next step to perform.
    private var nextStep = 0
    /// How many bytes of the message at hand were read, and what parsing them may still cost.
    private var size = 0
    private var parsing: MessageBudget
    /// What the header of the message at hand says, once something was found in it.
    private var reference: MessageReference?
    /// How many bytes of text the events of the result hold, and how many events were counted.
    private var text = (bytes: 0, events: 0)
    /// How many events and pieces of messages were there before the message that is judged.
    private var before = (events: 0, fragments: 0)
    /// Whether the results so far report everything in the message.
    private var isMessageWhole = true
    /// Whether nothing of the source had to be left out, as far as its events were looked at.
    private var isWhole = true
    private var looked = (events: 0, fragments: 0)
    private var beside: SeparateBodies?

    private enum Step {
        /// Already performed.
        case done
        case began
        indirect case problem(Event)
        /// Parsing the message cost too much.
        indirect case exceeded(MessageBudget.Limit, Event)
        /// With how much of its message was read, in bytes.
        indirect case part(CollectedPart, at: PartLocation, size: Int)
        case ended(MessagePlace, isInMbox: Bool)
    }

    init(_ options: ImportOptions) {
        self.options = options
        unpacker = Unpacker(options)
        parser = options.messageParser()
        parsing = MessageBudget(options.message)
    }

    /// Begins a source; `attachments` are those that lie beside it, `download` is what it came as.
    mutating func begin(
        source: String, attachments: EmlxAttachments? = nil, download: DownloadedFile? = nil
    ) {
        self.source = source
        unpacker.judge.download = download
        result.source = source
        index = -1
        offset = 0
        beside = attachments.map { SeparateBodies($0, options) }
        isWhole = true
        looked = (result.events.count, unpacker.fragments.count)
    }

    /// Whether the result holds so much that it should be taken.
    var isFull: Bool {
        mutating get {
            for event in result.events[text.events...] { text.bytes += event.textSize }
            text.events = result.events.count
            return text.events >= options.heldEvents
                || unpacker.judge.held + text.bytes > options.heldInMemory
                || unpacker.fragments.count >= options.fragments
        }
    }

    /// How many events there have been, also in results that were taken.
    var told: Int { taken + result.events.count }

    /// The result so far.
    mutating func takeResult() -> WorkResult {
        _ = isSourceWhole
        looked = (0, 0)
        noteMessageWhole()
        before = (0, 0)
        text = (0, 0)
        self.taken += result.events.count
        var taken = result
        taken.parts += unpacker.openedParts
        taken.fragments = unpacker.takeFragments()
        result = WorkResult(source: source)
        unpacker.forgetHeld()
        return taken
    }

    /// How many bytes of messages were taken since the last call.
    mutating func takeBytes() -> Int {
        defer { bytesTaken = 0 }
        return bytesTaken
    }

    /// Whether nothing of the source had to be left out, or may turn out to be part of something else.
    var isSourceWhole: Bool {
        mutating get {
            isWhole =
                isWhole && unpacker.fragments.count <= looked.fragments
                && !result.events[looked.events...].contains(where: \.isProblem)
            looked = (result.events.count, unpacker.fragments.count)
            return isWhole
        }
    }

    mutating func report(_ error: FileError, _ code: String = "unreadable") {
        let problem = Problem(
            source: source, message: nil, part: nil, code: code, detail: "\(error)",
            isTemporary: true)
        add(.problem(.problem(problem)))
    }

    mutating func report(_ code: String, _ detail: String) {
        let problem = Problem(source: source, message: nil, part: nil, code: code, detail: detail)
        add(.problem(.problem(problem)))
    }

    /// Takes a step in the reading of mail.
    mutating func take(
        _ event: MailEvent, _ bytes: Span<UInt8>, _ marks: borrowing LineMarks, isInMbox: Bool
    ) {
        switch event {
        case .began(let offset):
            index += 1
            self.offset = offset
            size = 0
            parsing = MessageBudget(options.message)
            reference = nil
            result.lastMessage = offset
            parser.begin(isInMbox: isInMbox)
            add(.began)
        case .lines(let range, let startsLine):
            bytesTaken += range.count
            take(bytes, range, marks, startsLine: startsLine)
        case .ended:
            if parsing.exceeded == nil { parser.finish() }
            result.messages += 1
            result.parts += parser.partCount
            if beside != nil, index == 0, !isInMbox {
                let message = location.message
                beside?.message = message
            }
        }
        if parser.hasFindings { takeFindings() }
        if case .ended = event {
            add(.ended(MessagePlace(index: index, offset: offset), isInMbox: isInMbox))
        }
    }

    /// Takes lines piece by piece, so that few of the parts in them are held at a time.
    private mutating func take(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ marks: borrowing LineMarks, startsLine: Bool
    ) {
        var start = range.lowerBound
        while start < range.upperBound {
            let isLast = range.upperBound - start < 2 * CandidateFinder.piece
            let end =
                isLast
                ? range.upperBound
                : bytes.endOfLine(from: start + CandidateFinder.piece, limit: range.upperBound)
            let isFirst = start == range.lowerBound
            feed(bytes, start..<end, marks, startsLine: isFirst ? startsLine : true)
            if parser.hasFindings { takeFindings() }
            start = end
        }
    }

    /// In bytes.
    private static let piece = 64 << 10

    /// Parses the next lines. Only large messages are timed: reading the clock takes longer than parsing
    /// most messages.
    private mutating func feed(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ marks: borrowing LineMarks, startsLine: Bool
    ) {
        size += range.count
        guard size > CandidateFinder.largeSize else {
            return parser.feed(bytes, range, marks: marks, startsLine: startsLine)
        }
        guard parsing.exceeded == nil else { return }
        let start = MessageBudget.processorSeconds
        parser.feed(bytes, range, marks: marks, startsLine: startsLine)
        parsing.note(size: size)
        parsing.takeTime(since: start)
        if let limit = parsing.exceeded {
            if parser.hasFindings { takeFindings() }
            add(.exceeded(limit, location.problem(limit.code, limit.detail)))
        }
    }

    /// The size from which on a message is large, in bytes.
    private static let largeSize = 128 << 10

    private mutating func takeFindings() {
        let location = location
        for problem in parser.takeProblems() {
            add(.problem(location.part(problem.part, location.header).problem(problem)))
        }
        for part in parser.takeParts() {
            add(.part(part, at: location.part(part.number, part.header), size: size))
        }
    }

    /// The message at hand.
    private var location: PartLocation {
        mutating get {
            let message =
                reference ?? MessageReference(parser.header, index: index, offset: offset)
            reference = message
            return PartLocation(source, message, part: "", PartHeader(names: []))
        }
    }

    /// Judges what is found at once, unless the result is full.
    private mutating func add(_ step: Step) {
        steps.append(step)
        while isJudging, !isFull || isNextSilent { judgeNext() }
    }

    /// Whether the next step adds nothing to the result.
    private var isNextSilent: Bool {
        guard !unpacker.isWaiting, nextStep < steps.count else { return false }
        return switch steps[nextStep] {
        case .began, .ended, .done: true
        case .problem, .exceeded, .part: false
        }
    }

    private mutating func perform(_ step: Step) {
        switch step {
        case .done:
            break
        case .began:
            before = (result.events.count, unpacker.fragments.count)
            isMessageWhole = true
            unpacker.beginSource()
        case .problem(let problem):
            result.events.append(problem)
        case .exceeded(let limit, let problem):
            unpacker.cost.giveUp(limit)
            result.events.append(problem)
        case .part(let part, let location, let size):
            unpacker.cost.note(size: size)
            take(part, at: location)
        case .ended(let location, let isInMbox):
            noteMessageWhole()
            if isInMbox, !isMessageWhole { result.unfinished.append(location) }
        }
    }

    private mutating func noteMessageWhole() {
        isMessageWhole =
            isMessageWhole && unpacker.fragments.count <= before.fragments
            && !result.events[min(before.events, result.events.count)...]
                .contains(where: \.isProblem)
    }

    /// Judges a part, whose body may lie beside the message.
    private mutating func take(_ part: CollectedPart, at location: PartLocation) {
        do throws(FileError) {
            switch try beside?.body(of: part) {
            case .file(let file):
                var location = location
                // Where the sender gave no name, Apple Mail did.
                if part.header.names.isEmpty {
                    location.header = part.header.named([file.path.name])
                }
                guard let octets = try beginning(of: file, at: location) else { return }
                unpacker.enqueue(fileBeside: octets, at: location)
            case .part(let whole): unpacker.enqueue(whole, at: location)
            case nil: unpacker.enqueue(part, at: location)
            }
        } catch {
            result.events.append(location.failure(error))
        }
    }

    /// The bytes of a file beside a message; nil where neither its name nor its beginning has
    /// anything to do with passes, as with most.
    private func beginning(of file: SourceFile, at location: PartLocation) throws(FileError)
        -> SpooledBytes?
    {
        let open = try file.open()
        let octets = SpooledBytes(lookingInto: open.descriptor, size: open.size)
        let prefix = try SourceKind.prefix(of: ByteSource(octets))
        return Contents.mayHoldPasses(prefix) || unpacker.judge.isClaimed(location) ? octets : nil
    }

    /// Whether there may be files beside the source that no part named.
    var hasFilesBeside: Bool { beside != nil }

    /// Has the next of these files judged, as what its name and its bytes say.
    mutating func enqueueFileBeside() {
        guard var files = beside else { return }
        beside = nil
        var location = PartLocation(source, files.message, part: "", PartHeader(names: []))
        do throws(FileError) {
            switch try files.next() {
            case .file(let file):
                beside = files
                location = location.part(file.part, PartHeader(names: [file.source.path.name]))
                guard let octets = try beginning(of: file.source, at: location) else { return }
                unpacker.enqueue(file: octets, at: location)
            case .cut(let limit):
                let detail = "more than \(limit) attachments lie beside the message"
                result.events.append(location.problem("limit-parts", detail))
            case nil:
                break
            }
        } catch {
            result.events.append(location.failure(error))
        }
    }

    /// What a file turned out to be that is neither an mbox nor plainly a message.
    enum FileJudgement { case judged, message }

    /// Has a file judged; `isKnown` says that its first bytes tell what it is.
    mutating func judgeFile(
        _ octets: SpooledBytes, _ header: PartHeader, isKnown: Bool
    ) -> FileJudgement {
        if !isKnown, !header.saysContainer, options.types.evidence(header).isEmpty {
            // Everything cheap has been asked; most files of a tree end here.
            switch unpacker.judge.mediaType(of: octets) {
            case "message/rfc822", "message/news": return .message
            case "application/zip": break
            default: if !options.takesFilesForPasses { return .judged }
            }
        }
        unpacker.enqueue(file: octets, at: PartLocation(source, nil, part: "", header))
        return .judged
    }

    /// Judges what is in a tar archive.
    mutating func judgeTar(_ bytes: ByteSource, _ header: PartHeader) {
        unpacker.enqueue(tar: bytes, at: PartLocation(source, nil, part: "", header))
    }

    /// Whether something that was found, or something in it, waits to be judged.
    var isJudging: Bool { unpacker.isWaiting || nextStep < steps.count }

    mutating func judgeNext() {
        if unpacker.isWaiting { return unpacker.judgeNext(into: &result.events) }
        guard nextStep < steps.count else { return }
        var step = Step.done
        swap(&step, &steps[nextStep])
        nextStep += 1
        if nextStep == steps.count {
            steps.removeAll(keepingCapacity: steps.count < 64)
            nextStep = 0
        }
        perform(step)
    }

    /// Looks for links in a file that is neither mail nor pass.
    mutating func searchLinks(in octets: SpooledBytes, name: String) throws(FileError) {
        let location = PartLocation(source, nil, part: "", PartHeader(names: [name]))
        try unpacker.searchLinks(in: octets, name: name, at: location, into: &result.events)
    }
}

extension Event {
    /// How many bytes it holds that its sender chose, roughly. What pass.json says takes more memory than
    /// the file.
    fileprivate var textSize: Int {
        switch self {
        case .pass(let found):
            found.part.utf8.count + found.name.utf8.count + found.mediaType.utf8.count
                + (found.message?.textSize ?? 0) + found.verification.textSize * 8
        case .link(let found): found.link.url.utf8.count + (found.message?.textSize ?? 0)
        case .problem(let problem):
            (problem.part?.utf8.count ?? 0) + problem.detail.utf8.count
                + (problem.message?.textSize ?? 0)
        }
    }

    /// Whether reading again may find more: something was left out, or is refused for a reason that may
    /// pass, such as a clock that is behind.
    fileprivate var isProblem: Bool {
        switch self {
        // What cost too much would cost as much again.
        case .problem(let problem): !MessageBudget.codes.contains(problem.code)
        case .pass(let found):
            found.wasUnreadable
                || found.verification.reasons.contains { $0.code == "signing-time-in-future" }
        case .link: false
        }
    }
}
