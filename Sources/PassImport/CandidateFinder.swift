import Archives
import Bytes
import MIME
import MailSource
import PassDetection
import PassLinks
import PassVerification
import Platform

/// Finds candidates in the sources of one worker: feeds their messages to the parser, and has the
/// parts and files that may be passes judged, in order.
struct CandidateFinder: ~Copyable {
    /// The message bytes since the last result.
    private(set) var bytesTaken = 0

    private let options: ImportOptions
    private var result = WorkResult()
    private var driver: MessageDriver
    private var unpacker: Unpacker
    private var source = ""
    private var taken = 0
    /// Parts and problems not judged yet, in order. Nonempty only while the result is full.
    private var steps: [Step] = []
    /// Index of the next step to perform.
    private var nextStep = 0
    /// The size of the text in the result's events, and the number of events counted for it.
    private var text = (bytes: 0, events: 0)
    /// The number of events and fragments before the message being judged.
    private var before = (events: 0, fragments: 0)
    /// Whether the results so far cover the whole message.
    private var isMessageWhole = true
    /// Whether nothing in the source was skipped, according to the events checked so far.
    private var isWhole = true
    private var looked = (events: 0, fragments: 0)
    private var beside: SeparateBodies?

    private enum Step {
        /// Already performed.
        case done
        case began
        indirect case problem(Event)
        /// Parsing the message exceeded its budget.
        indirect case exceeded(Problem.Limit, Event)
        /// `size` is the number of bytes read of the message.
        indirect case part(CollectedPart, at: PartLocation, size: Int)
        case ended(MessagePlace, isInMbox: Bool)
    }

    init(_ options: ImportOptions) {
        self.options = options
        unpacker = Unpacker(options)
        driver = MessageDriver(options, isTimed: true)
    }

    /// Begins a source. `attachments` are those stored beside it; `download` is set if it was
    /// fetched. `isNamed`: the user named it. `unclosed` is what the messages before a range of a
    /// mailbox left to it; nil if that is unknown.
    mutating func begin(
        source: String, attachments: EmlxAttachments? = nil, download: DownloadedFile? = nil,
        isNamed: Bool = false, after unclosed: OpenEntities? = OpenEntities()
    ) {
        self.source = source
        unpacker.begin(download: download, isNamed: isNamed)
        result.source = source
        driver.beginSource(after: unclosed)
        beside = attachments.map { SeparateBodies($0, options) }
        isWhole = true
        looked = (result.events.count, unpacker.fragments.count)
    }

    /// Notes the format of the source, if it is mail.
    mutating func note(format: MailFormat) { driver.isDbox = format == .framed(.dbox) }

    /// Whether damage in the source is reported, see ``Unpacker/reportsDamage(in:)``.
    func reportsDamage(_ declaration: Declaration) -> Bool {
        unpacker.reportsDamage(in: PartLocation(source, declared: declaration))
    }

    /// Whether the result is so large that it must be taken before continuing.
    var isFull: Bool {
        mutating get {
            for event in result.events[text.events...] { text.bytes += event.textSize }
            text.events = result.events.count
            return text.events >= options.heldEvents
                || unpacker.held + text.bytes > options.heldInMemory
                || unpacker.fragments.count >= options.fragments
        }
    }

    /// The number of events so far, including results already taken.
    var told: Int { taken + result.events.count }

    /// Returns the result so far.
    mutating func takeResult() -> WorkResult {
        _ = isSourceWhole
        looked = (0, 0)
        noteMessageWhole()
        before = (0, 0)
        text = (0, 0)
        self.taken += result.events.count
        var taken = result
        taken.parts += unpacker.openedParts
        taken.messages += unpacker.openedMessages
        taken.fragments = unpacker.takeFragments()
        taken.unclosed = driver.unclosed
        taken.isEarlierUnknown = driver.isEarlierUnknown
        taken.dependsOnEarlier = driver.dependsOnEarlier
        taken.hasContinued = driver.hasContinued
        result = WorkResult(source: source)
        unpacker.forgetHeld()
        return taken
    }

    /// Returns the number of message bytes since the last call.
    mutating func takeBytes() -> Int {
        defer { bytesTaken = 0 }
        return bytesTaken
    }

    /// Whether nothing in the source was skipped or is a fragment waiting for others.
    var isSourceWhole: Bool {
        mutating get {
            isWhole =
                isWhole && unpacker.fragments.count <= looked.fragments
                && !result.events[looked.events...].contains(where: \.isProblem)
            looked = (result.events.count, unpacker.fragments.count)
            return isWhole
        }
    }

    /// Reports a problem of the source as a whole.
    mutating func report(_ kind: Problem.Kind) {
        add(.problem(.problem(Problem(source: source, kind))))
    }

    /// Processes one event of the mail reader.
    mutating func take(
        _ event: MailEvent, _ bytes: Span<UInt8>, _ marks: borrowing LineMarks, isInMailbox: Bool
    ) {
        var found: [Step] = []
        switch event {
        case .began(let offset):
            result.lastMessage = offset
            driver.begin(at: offset, isInMailbox: isInMailbox)
            add(.began)
        case .lines(let range, let startsLine):
            bytesTaken += range.count
            driver.feed(bytes, range, marks, startsLine: startsLine) { [source] in
                found.append(CandidateFinder.step($1, in: &$0, source))
            }
            for step in found { add(step) }
        case .ended:
            driver.end { [source] in found.append(CandidateFinder.step($1, in: &$0, source)) }
            result.messages += 1
            result.parts += driver.partCount
            if driver.index == 0, !isInMailbox { beside?.begin(driver.message) }
            for step in found { add(step) }
            let place = MessagePlace(index: driver.index, offset: driver.offset)
            add(.ended(place, isInMbox: isInMailbox))
        }
    }

    private static func step(
        _ finding: MessageDriver.Finding, in driver: inout MessageDriver, _ source: String
    ) -> Step {
        let location = PartLocation(source, driver.message)
        switch finding {
        case .part(let part, let declaration):
            let location = location.part(part.number, declaration)
            return .part(part, at: location, size: driver.size)
        case .elsewhere(let number):
            let location = location.part(number, .none)
            return .problem(location.problem(.attachmentElsewhere))
        case .problem(let problem):
            let location = location.part(problem.part, .none)
            return .problem(location.problem(.message(problem.kind)))
        case .exceeded(let limit):
            return .exceeded(limit, location.problem(.limit(limit)))
        }
    }

    /// Judges a step at once, unless the result is full.
    private mutating func add(_ step: Step) {
        steps.append(step)
        while isJudging, !isFull || isNextSilent { judgeNext() }
    }

    /// Whether the next step cannot add to the result.
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
            unpacker.report(problem, into: &result.events)
        case .exceeded(let limit, let problem):
            unpacker.giveUp(limit)
            result.events.append(problem)
        case .part(let part, let location, let size):
            unpacker.note(size: size)
            take(part, at: location)
        case .ended(let location, let isInMbox):
            unpacker.endMessage(into: &result.events)
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

    /// Judges a part, whose body may be stored beside the message.
    private mutating func take(_ part: CollectedPart, at location: PartLocation) {
        do throws(FileError) {
            switch try beside?.body(of: part) {
            case .file(let file):
                var location = location
                // Apple Mail names the file if the sender did not.
                if part.header.names.isEmpty {
                    let header = part.header.named([file.path.name])
                    location = location.declared(options.types.declaration(header))
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

    /// The bytes of a file beside a message; nil if neither its name nor its first bytes suggest a
    /// pass, which is the usual case.
    private func beginning(of file: SourceFile, at location: PartLocation) throws(FileError)
        -> SpooledBytes?
    {
        let open = try file.open()
        let octets = SpooledBytes(lookingInto: open.descriptor, size: open.size)
        let hint = location.header.contentHint.union(.isFile)
        let kind = try ContentHead(of: ByteSource(octets), hint).kind
        return location.declaration.mayHoldPasses(kind) ? octets : nil
    }

    /// Whether more files may be stored beside the source.
    var hasFilesBeside: Bool { beside != nil }

    /// Queues the next file stored beside the source, to be judged by its name and contents.
    mutating func enqueueFileBeside() {
        guard var files = beside else { return }
        beside = nil
        var location = PartLocation(source, files.message)
        do throws(FileError) {
            switch try files.next() {
            case .file(let file):
                beside = files
                let header = PartHeader(names: [file.source.path.name])
                location = location.part(file.part, options.types.declaration(header))
                guard let octets = try beginning(of: file.source, at: location) else { return }
                unpacker.enqueue(file: octets, at: location)
            case .cut(let limit):
                result.events.append(location.problem(.limit(.attachments(limit))))
            case nil:
                break
            }
        } catch {
            result.events.append(location.failure(error))
        }
    }

    /// Judges a file.
    mutating func judgeFile(_ octets: SpooledBytes, _ declaration: Declaration) {
        unpacker.enqueue(file: octets, at: PartLocation(source, declared: declaration))
    }

    /// Judges the contents of an archive, which is read sequentially.
    mutating func judgeArchive(
        _ bytes: ByteSource, _ format: ArchiveFormat, _ declaration: Declaration
    ) throws(FileError) {
        let location = PartLocation(source, declared: declaration)
        try unpacker.enqueue(archive: bytes, format, at: location)
    }

    /// Whether anything is waiting to be judged.
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

    /// Searches for links in a file that is neither mail nor a pass.
    mutating func searchLinks(in octets: SpooledBytes, name: String) throws(FileError) {
        let location = PartLocation(source)
        try unpacker.searchLinks(in: octets, name: name, at: location, into: &result.events)
    }
}

extension Event {
    /// The approximate size of text chosen by the sender, in bytes. A parsed pass.json takes more
    /// memory than the file.
    fileprivate var textSize: Int {
        switch self {
        case .pass(let found):
            found.part.utf8.count + found.name.utf8.count + found.mediaType.utf8.count
                + (found.message?.textSize ?? 0) + found.verification.textSize * 8
        case .link(let found): found.link.url.utf8.count + (found.message?.textSize ?? 0)
        case .problem(let problem):
            (problem.part?.utf8.count ?? 0) + problem.kind.textSize
                + (problem.message?.textSize ?? 0)
        }
    }

    /// Whether a later run may find more: something was skipped, or was refused for a temporary
    /// reason, such as a slow clock.
    fileprivate var isProblem: Bool {
        switch self {
        case .problem(let problem): !problem.kind.isLasting
        case .pass(let found):
            found.fileError != nil
                || found.verification.reasons.contains { $0.code == "signing-time-in-future" }
        case .link: false
        }
    }
}
