import Archives
import Bytes
import Compression
import Glibc
import MIME
import MailSource
import PassContainers
import PassDetection
import Platform

/// Scans the sources of one piece of work. It may do so in steps: the findings of each step are
/// imported before the next one, so that results stay small.
///
/// `@unchecked Sendable`: a worker passes it on with its first result; after that, only the task
/// that merges results uses it.
final class SourceScanner: @unchecked Sendable {
    private var scan: SourceScan

    init(_ work: Work, _ options: ImportOptions) {
        scan = SourceScan(work, options)
    }

    /// Continues, and returns the result, which says whether there is more to do.
    func proceed() -> WorkResult {
        var result = scan.proceed()
        if !scan.isOver { result.rest = self }
        return result
    }
}

/// The state of a scan, in one value, since each access to a property of an object costs time.
private struct SourceScan: ~Copyable {
    private let options: ImportOptions
    private var state = State.between
    private var reader = MailReader()
    private var finder: CandidateFinder
    private var ahead = ReadAhead()
    /// The sources that have not begun.
    private var waiting: Work?
    /// The current file, if it may be recorded as read.
    private var current: OpenFile?
    private var counts = Counts()
    /// Standard input, if it was begun.
    private var piped: PipedInput?

    /// What is known of the sources since the last result, besides what was found in them.
    private struct Counts {
        var sources = 0
        var bytes = 0
        var read: [ReadFile] = []
        /// The start and end of all messages read from an mbox so far.
        var ends: MboxRangeEnds?
        /// Whether something could not be read.
        var isCutOff = false
    }

    /// A file that is open until it is done.
    private struct OpenFile {
        let file: SourceFile
        let octets: SpooledBytes
        /// Nil for an unpacked pass.
        let descriptor: FileDescriptor?
        var isMailbox = false
    }

    /// The payloads are objects, since the state is examined after each step.
    private enum State {
        /// The next source begins.
        case between
        /// A mailbox or message is read.
        case mail(OpenMail)
        /// A file that is not mail is judged.
        case file(JudgedFile)
        /// The files stored beside a message are judged.
        case beside
    }

    private final class OpenMail {
        var cursor: MailboxCursor
        /// The size of one step in bytes; nil if a step ends only when the result is full.
        let step: Int?
        let decompressor: Decompressor?
        /// The file and its name, by which it is judged if nothing is found in it.
        let file: (octets: SpooledBytes, declaration: Declaration)?
        /// The number of events before it.
        let told: Int
        var isOver = false

        init(
            cursor: MailboxCursor, step: Int? = nil, decompressor: Decompressor? = nil,
            file: (octets: SpooledBytes, declaration: Declaration)? = nil, told: Int = 0
        ) {
            self.cursor = cursor
            self.step = step
            self.decompressor = decompressor
            self.file = file
            self.told = told
        }
    }

    private final class JudgedFile {
        let source: OpenSource
        /// The bytes of the file, unless they are read as a stream.
        let octets: SpooledBytes?
        /// The number of events before it.
        let told: Int

        init(source: OpenSource, octets: SpooledBytes?, told: Int) {
            self.source = source
            self.octets = octets
            self.told = told
        }
    }

    /// Bytes to read according to their kind.
    private struct OpenSource {
        var bytes: ByteSource
        var head: ContentHead
        /// What its location says about the content.
        var hint: ContentKind.Hint = []
        /// The file with these bytes, or with the compressed ones.
        var octets: SpooledBytes?
        /// The declared names and media types.
        var declaration = Declaration.none
        /// Whether the user named it.
        var isNamed = false
        var isDownload = false
        var step: Int?
        var decompressor: Decompressor?
    }

    init(_ work: Work, _ options: ImportOptions) {
        self.options = options
        finder = CandidateFinder(options)
        waiting = work
    }

    /// Whether all sources were scanned.
    var isOver: Bool { !isInSource && waiting == nil }

    /// Continues, and returns the result of this step.
    mutating func proceed() -> WorkResult {
        var isStepDone = false
        while !isStepDone, !finder.isFull, !isOver {
            do throws(FileError) {
                isStepDone = try advance()
                try settle()
            } catch {
                // The file may have been deleted or replaced since the walk.
                let hasVanished = [ENOENT, ESTALE].contains(error.code)
                finder.report(hasVanished ? .vanished(error) : .unreadable(error))
                if case .mail(let mail) = state { report(mail.decompressor) }
                state = .beside
                counts.isCutOff = true
            }
        }
        if !isInSource { endSource() }
        var result = finder.takeResult()
        (result.sources, result.bytes, result.read) = (counts.sources, counts.bytes, counts.read)
        (result.ends, result.isCutOff) = (counts.ends, counts.isCutOff)
        counts = Counts(ends: counts.ends)
        return result
    }

    private var isInSource: Bool {
        if finder.isJudging { return true }
        if case .between = state { return false }
        return true
    }

    /// Does the next step; returns whether its findings should be imported first.
    private mutating func advance() throws(FileError) -> Bool {
        if finder.isJudging {
            finder.judgeNext()
            return false
        }
        switch state {
        case .between:
            try beginNext()
        case .mail(let mail) where mail.isOver:
            state = .beside
            // A web page or other text with the name of a pass is reported as malformed.
            guard let file = mail.file else { break }
            var isClaim = file.declaration.isClaim
            if !isClaim, options.takesFilesForPasses {
                isClaim = try Contents.pass(in: file.octets, limits: options.containers) != nil
            }
            if isClaim { finder.judgeFile(file.octets, file.declaration) }
        case .mail(let mail):
            return try readOn(mail)
        case .file:
            break
        case .beside:
            finder.enqueueFileBeside()
        }
        return false
    }

    /// Leaves the states in which nothing is left to be found, so that a source is recorded as read
    /// with the last of its findings.
    private mutating func settle() throws(FileError) {
        guard !finder.isJudging else { return }
        if case .file(let file) = state { try end(file) }
        if case .mail(let mail) = state, mail.isOver, mail.file == nil || finder.told != mail.told {
            state = .beside
        }
        if case .beside = state, !finder.hasFilesBeside { state = .between }
    }

    /// Begins the next source.
    private mutating func beginNext() throws(FileError) {
        endSource()
        switch waiting.take() {
        case .files(var steps):
            guard let step = steps.popFirst() else { return }
            if !steps.isEmpty { waiting = .files(steps) }
            counts.sources += 1
            switch step {
            case .problem(let problem):
                finder.begin(source: problem.path.description)
                finder.report(.source(problem.kind))
            case .file(let file):
                try begin(file)
            }
        case .mbox(let file, let range, let stretch, let unclosed):
            let isFirst = stretch.isFirst && range.lowerBound == stretch.range.lowerBound
            counts.sources += isFirst ? 1 : 0
            begin(file, range, after: unclosed)
        case .standardInput:
            try beginStandardInput()
        case .download(let file):
            try begin(file)
        case nil:
            break
        }
    }

    /// Records the file as read if nothing was skipped and it did not change meanwhile.
    private mutating func endSource() {
        guard let open = current.take(), finder.isSourceWhole else { return }
        // Keeps the file open.
        let stamp = withExtendedLifetime(open.octets) {
            open.descriptor.map { FileStamp(of: $0) }
                ?? UnpackedPass.stamp(of: open.file.path, options)
        }
        guard stamp == open.file.stamp else { return }
        counts.read.append(ReadFile(file: open.file, isMailbox: open.isMailbox))
    }

    /// Begins a range of an mbox.
    private mutating func begin(
        _ file: SourceFile, _ range: Range<Int>, after unclosed: OpenEntities?
    ) {
        finder.begin(source: file.path.description, after: unclosed)
        counts.bytes += range.count
        do throws(FileError) {
            let open = try file.open()
            let octets = SpooledBytes(lookingInto: open.descriptor, size: open.size)
            state = .mail(
                OpenMail(cursor: MailboxCursor(ByteSource(octets), .mbox, range: range)))
        } catch {
            finder.report(.unreadable(error))
            counts.isCutOff = true
        }
    }

    private mutating func begin(_ file: SourceFile) throws(FileError) {
        let attachments = EmlxAttachments(of: file.path)
        finder.begin(
            source: file.path.description, attachments: attachments, isNamed: file.isNamed)
        state = .beside
        if file.isUnpackedPass { return try judge(unpacked: file) }
        ahead.begin()
        let open = try file.open()
        counts.bytes += open.size
        let octets = SpooledBytes(lookingInto: open.descriptor, size: open.size)
        if options.library != nil, attachments?.mayHaveFiles != true {
            var file = file
            if file.stamp == .notTaken { file.stamp = open.stamp }
            current = OpenFile(file: file, octets: octets, descriptor: open.descriptor)
        }
        let declaration = options.types.declaration(PartHeader(names: [file.path.name]))
        // The encoded bodies that Apple Mail stores are read with their messages.
        let isBody = file.path.bytes.suffix(9).elementsEqual(".emlxpart".utf8)
        let hint =
            file.isMessage
            ? .isMessage : declaration.header.contentHint.union(isBody ? [] : .isFile)
        // Most files are messages: examine their first bytes once, in the reader's buffer. Of
        // other files, read only the bytes needed to decide.
        let count = file.isMessage ? octets.count : ContentHead.length
        let isMessage = try reader.open(ByteSource(octets), looking: count) { bytes in
            ContentKind(bytes.extracting(first: ContentHead.length), hint.subtracting(.isMail))
                == .mail(.message)
        }
        if case .files(let steps)? = waiting { ahead.noteArrival(before: steps) }
        if isMessage {
            let told = finder.told
            SourceScan.beginMessage(&reader, &finder)
            let cursor = MailboxCursor(ByteSource(octets), .message, hasBegun: true)
            state = .mail(OpenMail(cursor: cursor, file: (octets, declaration), told: told))
        } else {
            let head = try ContentHead(of: ByteSource(octets), hint)
            try begin(
                OpenSource(
                    bytes: ByteSource(octets), head: head, hint: hint, octets: octets,
                    declaration: declaration, isNamed: file.isNamed))
        }
    }

    /// Judges a folder with the files of a pass.
    private mutating func judge(unpacked folder: SourceFile) throws(FileError) {
        do throws(ZipError) {
            let octets = try UnpackedPass.packed(folder.path, options)
            counts.bytes += octets.count
            if options.library != nil, folder.stamp != .notTaken {
                current = OpenFile(file: folder, octets: octets, descriptor: nil)
            }
            let header = PartHeader(names: [folder.path.name])
            finder.judgeFile(octets, options.types.declaration(header))
        } catch {
            if case .file(let error) = error { throw error }
            finder.report(.archiveTooLarge(error))
        }
    }

    private mutating func begin(_ file: DownloadedFile) throws(FileError) {
        finder.begin(source: file.source, download: file, isNamed: file.link == nil)
        state = .beside
        counts.sources += 1
        let octets = try file.octets()
        counts.bytes += octets.count
        let bytes = ByteSource(octets)
        try begin(
            OpenSource(
                bytes: bytes, head: ContentHead(of: bytes, file.hint), hint: file.hint,
                octets: octets, declaration: options.types.declaration(file.header),
                isDownload: true))
    }

    private mutating func beginStandardInput() throws(FileError) {
        finder.begin(source: "-", isNamed: true)
        state = .beside
        counts.sources += 1
        let stream = PipedInput(
            FileDescriptor(STDIN_FILENO), limit: options.containers.standardInput)
        piped = stream
        let known = options.standardInputHead
        let head = try ContentHead(of: ByteSource(stream: stream, prefix: known), .isFile)
        let read = head.bytes.count < known.count ? known : head.bytes
        var source = OpenSource(bytes: ByteSource(stream: stream, prefix: read), head: head)
        if options.takesFilesForPasses {
            // The same bytes get the same verdict as in a file.
            guard let octets = try wholeOctets(of: source) else { return }
            source.octets = octets
            source.bytes = ByteSource(octets)
            source.hint = .isFile
            counts.bytes += octets.count
        } else {
            source.step = options.rangeSize
        }
        try begin(source)
    }

    private mutating func begin(_ source: OpenSource) throws(FileError) {
        var source = source
        if source.decompressor == nil, case .file(let signature) = source.head.kind,
            let format = CompressionFormat(signature)
        {
            let decompressor = Decompressor(source.bytes, format, limits: options.compression)
            source.head = try ContentHead(of: ByteSource(stream: decompressor), source.hint)
            source.bytes = ByteSource(stream: decompressor, prefix: source.head.bytes)
            source.decompressor = decompressor
        }
        switch source.head.kind {
        case .damagedMail:
            let repaired = try MailRepair.repaired(source.bytes, options.spool)
            source.bytes = ByteSource(repaired)
            source.head = try ContentHead(of: source.bytes, source.hint)
            guard case .mail(let format) = source.head.kind else {
                source.octets = repaired
                return try judge(source)
            }
            read(source, as: format)
        case .mail(.emlx(let emlx)):
            // The end of the file is needed to check its length.
            if source.bytes.size == nil {
                guard let octets = try wholeOctets(of: source) else { return }
                source.bytes = ByteSource(octets)
            }
            read(source, as: .emlx(emlx))
        case .mail(let format):
            // Other bytes before a pass may look like mail.
            if source.declaration.isClaim, source.decompressor == nil, let octets = source.octets,
                try Contents.pass(in: octets, limits: options.containers) != nil
            {
                return try judge(source)
            }
            read(source, as: format)
        default:
            try judge(source)
        }
    }

    /// Begins to read mail.
    private mutating func read(_ source: OpenSource, as format: MailFormat) {
        current?.isMailbox = format.isMailbox
        finder.note(format: format)
        state = .mail(
            OpenMail(
                cursor: MailboxCursor(source.bytes, format), step: source.step,
                decompressor: source.decompressor,
                file: format.isMailbox && !options.takesFilesForPasses
                    ? nil : source.octets.map { ($0, source.declaration) },
                told: finder.told))
    }

    /// Reads on; returns whether this step is done.
    private mutating func readOn(_ mail: OpenMail) throws(FileError) -> Bool {
        let isInMailbox = mail.cursor.format.isMailbox
        let isMbox = mail.cursor.format == .mbox
        repeat {
            try SourceScan.readOn(mail, &reader, &finder)
            // A message is one step, however long.
        } while !isMbox && !mail.isOver && !finder.isJudging && !(mail.step != nil && isInMailbox)
        if isMbox { counts.ends = mail.cursor.ends }
        if mail.step != nil { counts.bytes += finder.takeBytes() }
        if mail.isOver {
            report(mail.decompressor)
            if mail.step != nil { reportCutInput() }
        }
        return mail.step != nil
    }

    private static func beginMessage(_ reader: inout MailReader, _ finder: inout CandidateFinder) {
        reader.beginMessage { finder.take($0, $1, $2, isInMailbox: false) }
    }

    private static func readOn(
        _ mail: OpenMail, _ reader: inout MailReader, _ finder: inout CandidateFinder
    ) throws(FileError) {
        let isInMailbox = mail.cursor.format.isMailbox
        mail.isOver = try mail.cursor.readOn(
            with: &reader, size: mail.step, isFull: { finder.isFull },
            body: { finder.take($0, $1, $2, isInMailbox: isInMailbox) })
    }

    /// Judges a file that is not mail. An archive is read as a stream, whatever its size.
    private mutating func judge(_ source: OpenSource) throws(FileError) {
        let told = finder.told
        let kind = source.head.kind
        if let format = kind.archiveFormat, !source.declaration.isClaim,
            !format.needsSeeking || source.bytes.size != nil
        {
            try finder.judgeArchive(source.bytes, format, source.declaration)
            state = .file(JudgedFile(source: source, octets: nil, told: told))
            return
        }
        // Most other files are unrelated to passes, which their first bytes and names show.
        let isLongDocument =
            kind == .pdf && !source.isNamed
            && source.bytes.size.map { $0 > options.containers.document } ?? false
        let isOpened = source.declaration.mayHoldPasses(
            isLongDocument ? .other : kind, isAsked: options.takesFilesForPasses)
        // If it cannot be decompressed at all, it may hold anything.
        if !isOpened, let decompressor = source.decompressor {
            if source.head.bytes.isEmpty { report(decompressor, of: source) }
            return
        }
        // The first bytes suffice to name a format that is not read.
        guard
            let octets = kind.unreadFormat != nil
                ? SpooledBytes(source.head.bytes) : try wholeOctets(of: source)
        else { return }
        if source.step != nil { counts.bytes += octets.count }
        if isOpened { finder.judgeFile(octets, source.declaration) }
        state = .file(JudgedFile(source: source, octets: octets, told: told))
    }

    /// Searches a judged file in which nothing was found for links, or for parts if it was piped.
    private mutating func end(_ file: JudgedFile) throws(FileError) {
        state = .beside
        report(file.source.decompressor, of: file.source)
        if file.source.step != nil { reportCutInput() }
        guard let octets = file.octets, finder.told == file.told else { return }
        if file.source.step != nil {
            // Piped input is read as a message, even if its first lines are odd.
            state = .mail(OpenMail(cursor: MailboxCursor(ByteSource(octets), .message)))
        } else if file.source.isNamed,
            !file.source.head.kind.mayHoldPasses
                || [.text(.calendar), .text(.propertyList), .file(.propertyList), .pdf].contains(
                    file.source.head.kind)
        {
            try finder.searchLinks(
                in: octets, name: file.source.declaration.header.names.first ?? "")
        } else if !file.source.isNamed, !file.source.isDownload,
            !file.source.head.kind.mayHoldPasses
        {
            // In a folder, only pages are examined, for passes in their URLs.
            let name = file.source.declaration.header.names.first ?? ""
            guard let form = TextForm(name: name), form.isHTML, try octets.mayHoldDataURL(form)
            else { return }
            try finder.searchLinks(in: octets, name: name)
        }
    }

    /// The whole source; nil if it exceeds the limit.
    private mutating func wholeOctets(of source: OpenSource) throws(FileError) -> SpooledBytes? {
        if source.decompressor == nil, let octets = source.octets { return octets }
        // A compressed file is stored like an archive's members.
        let limits = options.containers
        let limit =
            source.octets.map {
                max(limits.total, min($0.count, Int.max / limits.ratio) * limits.ratio)
            } ?? limits.standardInput
        let octets = try source.bytes.octets(limit: limit, options.spool)
        if octets == nil { finder.report(.limit(.input(bytes: limit))) }
        return octets
    }

    /// Reports standard input that ended in more zeros than are read.
    private mutating func reportCutInput() {
        guard piped?.isCut == true else { return }
        finder.report(.limit(.input(bytes: options.containers.standardInput)))
    }

    /// Reports damaged or truncated compressed data; the data before the damage was read.
    private mutating func report(_ decompressor: Decompressor?, of source: OpenSource? = nil) {
        guard let failure = decompressor?.failure else { return }
        if let source, !source.hint.contains(.isMessage), failure.isDamage,
            !finder.reportsDamage(source.declaration)
        {
            return
        }
        finder.report(.compression(failure))
    }
}
