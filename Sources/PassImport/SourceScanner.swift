import Archives
import Bytes
import Compression
import Glibc
import MIME
import MailSource
import PassContainers
import Platform

/// A piece of work in progress. It may be done in steps: the findings of each step are imported
/// before the next one, so that results stay small.
///
/// `@unchecked Sendable`: a worker passes it on with its first result; after that, only the task
/// that merges results uses it.
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
    /// The mailbox or message being read.
    var mailbox: OpenMailbox?
    /// The message being read, to be judged by its name if nothing is found in it.
    var unfound: UnfoundFile?
    var ends: MboxRangeEnds?
    /// The file being read, open until it is done.
    private var current: (file: SourceFile, octets: SpooledBytes, descriptor: FileDescriptor)?
    /// Whether that file is a mailbox.
    var isMailbox = false
    /// The file being judged.
    var judged: JudgedFile?

    struct UnfoundFile {
        let octets: SpooledBytes
        let header: PartHeader
        /// The number of events before it.
        let told: Int
    }

    struct JudgedFile {
        let source: OpenSource
        /// The number of events before it.
        let told: Int
        var octets: SpooledBytes?
    }

    struct OpenMailbox {
        let source: ByteSource
        var kind = SourceKind.mbox
        /// The range of offsets at which messages to be read begin.
        let range: Range<Int>
        /// The size of one step in bytes; nil if a step ends only when the result is full.
        var step: Int?
        var decompressor: Decompressor?
        /// Closed at the end.
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

    /// Continues, and returns the result, which says whether there is more to do.
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
                // The file may have been deleted since the walk.
                finder.report(error.code == ENOENT ? .vanished(error) : .unreadable(error))
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

    /// Records the file as read if nothing was left out and it did not change meanwhile.
    private func endSource() {
        guard let (file, octets, descriptor) = current.take(), finder.isSourceWhole else { return }
        // Keeps the file open.
        let stamp = withExtendedLifetime(octets) { FileStamp(of: descriptor) }
        guard stamp == file.stamp else { return }
        finder.result.read.append(ReadFile(file: file, isMailbox: isMailbox))
    }

    private func begin(_ file: SourceFile, _ range: Range<Int>) {
        do throws(FileError) {
            let open = try file.open()
            mailbox = OpenMailbox(source: open.bytes, range: range, descriptor: open.descriptor)
        } catch {
            finder.report(.unreadable(error))
            isCutOff = true
        }
    }

    private func begin(_ step: SourceWalk.Step) throws(FileError) {
        finder.result.sources += 1
        isMailbox = false
        switch step {
        case .problem(let problem):
            finder.begin(source: problem.path.description)
            finder.report(.source(problem.kind))
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

    /// Called when the first bytes of a file were read.
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

    /// Bytes to read according to their kind.
    struct OpenSource {
        var bytes: ByteSource
        var prefix: [UInt8]
        /// The file with these bytes, or with the compressed ones.
        var octets: SpooledBytes?
        /// The declared names and media types.
        var header = PartHeader(names: [])
        /// Whether its location marks it as a message, even if its first lines do not look like
        /// one.
        var isMessage = false
        /// Whether the user named it.
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
