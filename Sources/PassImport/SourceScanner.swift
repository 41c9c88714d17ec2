import Archives
import Bytes
import Compression
import Glibc
import MIME
import MailSource
import PassContainers
import PassDetection

/// A piece of work that is being done. It may be done in steps: what is found in one is brought into
/// the library before the next, so that no result outgrows the memory it may take.
///
/// `@unchecked Sendable`: the worker that begins hands it over with its first result, and from then
/// on only the one who gathers the results uses it.
final class SourceScanner: @unchecked Sendable {
    let options: ImportOptions
    var reader = MailReader()
    var finder: CandidateFinder
    /// Whether something could not be read since the last result.
    private var isCutOff = false
    private var steps: ArraySlice<SourceWalk.Step> = []
    private var ahead = ReadAhead()
    private var hasStandardInput = false
    private var download: DownloadedFile?
    /// The mailbox or message that is being read.
    var mailbox: OpenMailbox?
    /// The message that is being read, to be judged by its name if nothing is found in it.
    var unfound: UnfoundFile?
    var ends: MboxRangeEnds?
    /// The file that is being read, open until it was.
    private var current: (file: SourceFile, octets: SpooledBytes, descriptor: FileDescriptor)?
    /// Whether it is a mailbox.
    var isMailbox = false
    /// The file that is being judged.
    var judged: JudgedFile?

    struct UnfoundFile {
        let octets: SpooledBytes
        let header: PartHeader
        /// How many events had been told before it.
        let told: Int
    }

    struct JudgedFile {
        let source: OpenSource
        /// How many events had been told before it.
        let told: Int
        var octets: SpooledBytes?
    }

    struct OpenMailbox {
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
        finder = CandidateFinder(options)
        switch work {
        case .files(let steps):
            self.steps = steps[...]
        case .mbox(let file, let range, let stretch):
            finder.begin(source: file.path.description)
            let isFirst = stretch.isFirst && range.lowerBound == stretch.range.lowerBound
            finder.result.sources += isFirst ? 1 : 0
            finder.result.bytes += range.count
            begin(file, range)
        case .standardInput:
            hasStandardInput = true
        case .download(let file):
            download = file
        }
    }

    deinit { mailbox?.descriptor?.close() }

    /// Goes on, and returns what came of it; the result says whether there is more to do.
    func proceed() -> WorkResult {
        var isStepDone = false
        while !isStepDone, !finder.isFull {
            do throws(FileError) {
                if finder.isJudging {
                    finder.judgeNext()
                    if !finder.isJudging { try endFile() }
                } else if mailbox != nil {
                    isStepDone = try readOn()
                } else if let file = unfound.take() {
                    if finder.told == file.told { judgeByName(file.octets, file.header) }
                } else if finder.hasFilesBeside {
                    finder.enqueueFileBeside()
                } else if let step = steps.popFirst() {
                    endSource()
                    try begin(step)
                } else if hasStandardInput {
                    hasStandardInput = false
                    try beginStandardInput()
                } else if let file = download.take() {
                    try begin(file)
                } else {
                    break
                }
            } catch {
                // Between the walk and now the file may be gone.
                finder.report(error, error.code == ENOENT ? "vanished" : "unreadable")
                closeMailbox()
                judged = nil
                unfound = nil
                isCutOff = true
            }
        }
        let isInSource =
            finder.isJudging || finder.hasFilesBeside || mailbox != nil || unfound != nil
        if !isInSource { endSource() }
        var result = finder.takeResult()
        result.ends = ends
        result.isCutOff = isCutOff
        isCutOff = false
        if isInSource || !steps.isEmpty || hasStandardInput || download != nil {
            result.rest = self
        }
        return result
    }

    /// The file was read: it is known whether nothing is left out, and nothing was changed meanwhile.
    private func endSource() {
        guard let (file, octets, descriptor) = current.take(), finder.isSourceWhole else { return }
        // The octets keep the file open.
        let stamp = withExtendedLifetime(octets) { FileStamp(of: descriptor) }
        guard stamp == file.stamp else { return }
        finder.result.read.append(ReadFile(file: file, isMailbox: isMailbox))
    }

    private func begin(_ file: SourceFile, _ range: Range<Int>) {
        do throws(FileError) {
            let open = try file.open()
            mailbox = OpenMailbox(source: open.bytes, range: range, descriptor: open.descriptor)
        } catch {
            finder.report(error)
            isCutOff = true
        }
    }

    private func begin(_ step: SourceWalk.Step) throws(FileError) {
        finder.result.sources += 1
        isMailbox = false
        switch step {
        case .problem(let problem):
            finder.begin(source: problem.path.description)
            finder.report(problem.code, problem.detail)
        case .file(let file):
            let attachments = EmlxAttachments(of: file.path)
            finder.begin(source: file.path.description, attachments: attachments)
            ahead.begin()
            let open = try file.open()
            finder.result.bytes += open.size
            let octets = SpooledBytes(lookingInto: open.descriptor, size: open.size)
            if options.library != nil, attachments?.mayHaveFiles != true {
                var file = file
                if file.stamp == .notTaken { file.stamp = open.stamp }
                current = (file, octets, open.descriptor)
            }
            if try readPlainMessage(octets, file) { return }
            let prefix = try SourceKind.prefix(of: ByteSource(octets))
            try begin(
                OpenSource(
                    bytes: ByteSource(octets), prefix: prefix, octets: octets,
                    header: PartHeader(names: [file.path.name]), isMessage: file.isMessage,
                    isNamed: file.isNamed))
        }
    }

    /// The first bytes of a file have come.
    func noteArrival() { ahead.noteArrival(before: steps) }

    private func begin(_ file: DownloadedFile) throws(FileError) {
        finder.begin(source: file.source, download: file)
        finder.result.sources += 1
        let octets = try file.octets()
        finder.result.bytes += octets.count
        let prefix = try SourceKind.prefix(of: ByteSource(octets))
        try begin(
            OpenSource(
                bytes: ByteSource(octets), prefix: prefix, octets: octets, header: file.header))
    }

    private func beginStandardInput() throws(FileError) {
        finder.begin(source: "-")
        finder.result.sources += 1
        let stream = FileDescriptor(STDIN_FILENO)
        let head = options.standardInputHead
        let prefix = try SourceKind.prefix(of: ByteSource(stream: stream, prefix: head))
        let bytes = ByteSource(stream: stream, prefix: prefix.count < head.count ? head : prefix)
        try begin(OpenSource(bytes: bytes, prefix: prefix, step: options.rangeSize))
    }

    /// Bytes to be read as what they are.
    struct OpenSource {
        var bytes: ByteSource
        var prefix: [UInt8]
        /// The file that they are, or that they were decompressed from.
        var octets: SpooledBytes?
        /// What is said of it.
        var header = PartHeader(names: [])
        /// Whether its place says that it is a message, whatever its first lines are.
        var isMessage = false
        /// Whether the person named it.
        var isNamed = false
        var step: Int?
        var decompressor: Decompressor?
    }

    private func begin(_ source: OpenSource) throws(FileError) {
        var source = source
        let signature = FileSignature(source.prefix.span)
        if source.decompressor == nil, let format = signature.flatMap(CompressionFormat.init) {
            let decompressor = Decompressor(source.bytes, format, limits: options.compression)
            source.prefix = try SourceKind.prefix(of: ByteSource(stream: decompressor))
            source.bytes = ByteSource(stream: decompressor, prefix: source.prefix)
            source.decompressor = decompressor
        }
        if FileSignature(source.prefix.span) == nil,
            let prefix = MailRepair.repaired(source.prefix), SourceKind(prefix.span).isMail
        {
            source.bytes = ByteSource(try MailRepair.repaired(source.bytes, options.spool))
            source.prefix = prefix
        }
        try read(source)
    }
}
