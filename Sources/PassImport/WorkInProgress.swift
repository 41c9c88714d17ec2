import Archives
import Bytes
import Compression
import Glibc
import MailSource
import PassContainers
import PassDetection

/// A piece of work that is being done. It may be done in steps: what is found in one is brought into
/// the library before the next, so that no result outgrows the memory it may take.
///
/// `@unchecked Sendable`: the worker that begins hands it over with its first result, and from then
/// on only the one who gathers the results uses it.
final class WorkInProgress: @unchecked Sendable {
    private let options: ImportOptions
    private var reader = MailReader()
    private var scan: MessageScan
    private var steps: ArraySlice<SourceWalk.Step> = []
    private var hasStandardInput = false
    /// The mailbox that is being read.
    private var mailbox: OpenMailbox?
    private var ends: MboxRangeEnds?
    /// The file that is being judged.
    private var judged: JudgedFile?

    private struct JudgedFile {
        let source: Source
        /// How many events had been told before it.
        let told: Int
        var octets: Octets?
    }

    private struct OpenMailbox {
        let source: ByteSource
        var kind = SourceKind.mbox
        /// Where the messages begin that are to be read.
        let range: Range<Int>
        /// How much of it is one step, in bytes; nil where only what is found makes an end.
        var step: Int?
        var decompressor: Decompressor?
        /// To be closed at the end.
        var descriptor: FileDescriptor?
        var hasBegun = false
    }

    init(_ work: Work, _ options: ImportOptions) {
        self.options = options
        scan = MessageScan(options)
        switch work {
        case .files(let steps):
            self.steps = steps[...]
        case .mbox(let file, let range):
            scan.begin(source: file.path.description)
            scan.result.sources += range.lowerBound == 0 ? 1 : 0
            scan.result.bytes += range.count
            begin(file, range)
        case .standardInput:
            hasStandardInput = true
        }
    }

    deinit { mailbox?.descriptor?.close() }

    /// Goes on, and returns what came of it; the result says whether there is more to do.
    func proceed() -> WorkResult {
        var isStepDone = false
        while !isStepDone, !scan.isFull {
            do throws(FileError) {
                if scan.isJudging {
                    scan.judgeNext()
                    if !scan.isJudging { try endFile() }
                } else if scan.hasFilesBeside {
                    scan.awaitFileBeside()
                } else if mailbox != nil {
                    isStepDone = try readOn()
                } else if let step = steps.popFirst() {
                    try begin(step)
                } else if hasStandardInput {
                    hasStandardInput = false
                    try beginStandardInput()
                } else {
                    break
                }
            } catch {
                // Between the walk and now the file may be gone.
                scan.report(error.code == ENOENT ? "vanished" : "unreadable", "\(error)")
                closeMailbox()
            }
        }
        var result = scan.takeResult()
        result.ends = ends
        let isJudging = scan.isJudging || scan.hasFilesBeside
        if isJudging || mailbox != nil || !steps.isEmpty || hasStandardInput {
            result.rest = self
        }
        return result
    }

    private func begin(_ file: SourceFile, _ range: Range<Int>) {
        do throws(FileError) {
            let open = try file.open()
            mailbox = OpenMailbox(source: open.bytes, range: range, descriptor: open.descriptor)
        } catch {
            scan.report("unreadable", "\(error)")
        }
    }

    private func begin(_ step: SourceWalk.Step) throws(FileError) {
        scan.result.sources += 1
        switch step {
        case .problem(let problem):
            scan.begin(source: problem.path.description)
            scan.report(problem.code, problem.detail)
        case .file(let file):
            scan.begin(
                source: file.path.description, attachments: EmlxAttachments(of: file.path))
            scan.result.bytes += file.size
            let open = try file.open()
            let octets = Octets(lookingInto: open.descriptor, size: open.size)
            let prefix = try SourceKind.prefix(of: ByteSource(octets))
            try begin(
                Source(
                    bytes: ByteSource(octets), prefix: prefix, octets: octets,
                    name: file.path.name, isMessage: file.isMessage,
                    isNamed: file.isNamed))
        }
    }

    private func beginStandardInput() throws(FileError) {
        scan.begin(source: "-")
        scan.result.sources += 1
        let stream = FileDescriptor(STDIN_FILENO)
        let prefix = try SourceKind.prefix(of: ByteSource(stream: stream))
        let bytes = ByteSource(stream: stream, prefix: prefix)
        try begin(Source(bytes: bytes, prefix: prefix, step: options.rangeSize))
    }

    /// Bytes to be read as what they are.
    private struct Source {
        var bytes: ByteSource
        var prefix: [UInt8]
        /// The file that they are, or that they were decompressed from.
        var octets: Octets?
        var name = ""
        /// Whether its place says that it is a message, whatever its first lines are.
        var isMessage = false
        /// Whether the person named it.
        var isNamed = false
        var step: Int?
        var decompressor: Decompressor?
    }

    private func begin(_ source: Source) throws(FileError) {
        var source = source
        let signature = FileSignature(source.prefix.span)
        if source.decompressor == nil, let format = signature.flatMap(CompressionFormat.init) {
            let decompressor = Decompressor(source.bytes, format, limits: options.compression)
            source.prefix = try SourceKind.prefix(of: ByteSource(stream: decompressor))
            source.bytes = ByteSource(stream: decompressor, prefix: source.prefix)
            source.decompressor = decompressor
        } else if signature == nil, let prefix = MailRepair.repaired(source.prefix) {
            if SourceKind(prefix.span).isMail {
                let repaired = try MailRepair.repaired(source.bytes, options.spool)
                source.bytes = ByteSource(repaired)
                source.prefix = prefix
            }
        }
        try read(source)
    }
}

extension WorkInProgress {
    /// Reads a source that is no mailbox, or begins to read one that is.
    private func read(_ source: Source) throws(FileError) {
        let isTar = TarReader.isArchive(source.prefix.span)
        let kind =
            isTar && !source.isMessage
            ? .other : SourceKind(source.prefix.span, isMessage: source.isMessage)
        let before = scan.result.events.count
        switch kind {
        case .mbox, .framed:
            mailbox = OpenMailbox(
                source: source.bytes, kind: kind, range: 0..<Int.max, step: source.step,
                decompressor: source.decompressor)
            return
        case .message:
            try readMessage(source.bytes)
            if source.step != nil { scan.result.bytes += scan.takeBytes() }
        case .emlx:
            // Its length is checked at its end, which a stream has not told.
            guard source.bytes.size != nil else {
                guard let octets = try wholeOctets(of: source) else { return }
                var source = source
                source.bytes = ByteSource(octets)
                return try read(source)
            }
            try readMessage(source.bytes, as: kind)
            if source.step != nil { scan.result.bytes += scan.takeBytes() }
        case .archive, .empty, .other:
            try readFile(source, isTar: isTar)
            return
        }
        report(source.decompressor)
        // A web page or a letter in the place of a pass is still said to be none.
        if kind.isMail, scan.result.events.count == before, let octets = source.octets,
            options.types.isPassName(source.name)
        {
            _ = scan.judgeFile(octets, name: source.name, isKnown: false)
        }
    }

    private func readMessage(
        _ bytes: ByteSource, as kind: SourceKind = .message
    ) throws(FileError) {
        try reader.read(bytes, as: kind) { event, bytes, marks in
            scan.take(event, bytes, marks, isInMbox: false)
        }
    }

    /// Has a file judged. A tar archive is read as it comes, however large it is.
    private func readFile(_ source: Source, isTar: Bool) throws(FileError) {
        judged = JudgedFile(source: source, told: scan.told)
        if isTar {
            scan.judgeTar(source.bytes, name: source.name)
            return
        }
        guard let octets = try wholeOctets(of: source) else { return }
        if source.step != nil { scan.result.bytes += octets.count }
        let isKnown = FileSignature(source.prefix.span) != nil
        if scan.judgeFile(octets, name: source.name, isKnown: isKnown) == .message {
            judged = nil
            try readMessage(ByteSource(octets))
            report(source.decompressor)
        } else {
            judged?.octets = octets
            if !scan.isJudging { try endFile() }
        }
    }

    private func endFile() throws(FileError) {
        guard let file = judged.take() else { return }
        report(file.source.decompressor)
        // What comes on a pipe is a mail, however odd its first lines are.
        guard let octets = file.octets, scan.told == file.told else { return }
        if file.source.step != nil {
            try readMessage(ByteSource(octets))
        } else if file.source.isNamed, FileSignature(file.source.prefix.span) == nil {
            try scan.searchLinks(in: octets, name: file.source.name)
        }
    }

    /// All of a source, if it is no larger than is read at once.
    private func wholeOctets(of source: Source) throws(FileError) -> Octets? {
        if source.decompressor == nil, let octets = source.octets { return octets }
        let limit = options.containers.standardInput
        let octets = try source.bytes.octets(limit: limit, options.spool)
        if octets == nil {
            scan.report("limit-input", "the input is larger than \(limit >> 20) MiB")
        }
        return octets
    }

    /// Reads on in the mailbox; returns whether this step of it is done.
    private func readOn() throws(FileError) -> Bool {
        guard let mailbox else { return true }
        let isOver = mailbox.kind == .mbox ? try readOn(mbox: mailbox) : try readMore(mailbox)
        self.mailbox?.hasBegun = true
        if mailbox.step != nil { scan.result.bytes += scan.takeBytes() }
        if isOver { closeMailbox() }
        return mailbox.step != nil
    }

    private func readOn(mbox: OpenMailbox) throws(FileError) -> Bool {
        let place = mbox.hasBegun ? reader.offset : mbox.range.lowerBound
        let end = min(mbox.range.upperBound, place + (mbox.step ?? Int.max - place))
        let take: MailReader.Body = { event, bytes, marks in
            self.scan.take(event, bytes, marks, isInMbox: true)
        }
        let isFull = { self.scan.isFull }
        if mbox.hasBegun {
            ends?.stop = try reader.readOn(mbox.source, upTo: end, isFull: isFull, take).stop
        } else {
            ends = try reader.readMbox(mbox.source, range: place..<end, isFull: isFull, take)
        }
        return ends?.stop ?? Int.max >= mbox.range.upperBound
    }

    private func readMore(_ mailbox: OpenMailbox) throws(FileError) -> Bool {
        let take: MailReader.Body = { event, bytes, marks in
            self.scan.take(event, bytes, marks, isInMbox: mailbox.kind.isMailbox)
        }
        if !mailbox.hasBegun { try reader.begin(mailbox.source, as: mailbox.kind, take) }
        return try !reader.readMore(take)
    }

    private func closeMailbox() {
        report(mailbox?.decompressor)
        mailbox?.descriptor?.close()
        mailbox = nil
    }

    /// What is compressed may end early, or be damaged: what came before was read.
    private func report(_ decompressor: Decompressor?) {
        guard let failure = decompressor?.failure else { return }
        scan.report("damaged-compression", "\(failure)")
    }
}
