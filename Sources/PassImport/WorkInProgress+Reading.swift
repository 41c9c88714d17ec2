import Archives
import Bytes
import Compression
import MIME
import MailSource
import PassContainers
import PassDetection

/// Reading a source as what it is.
extension WorkInProgress {
    /// Reads a file that plainly is one message, as most are, and looks at its first bytes no more than
    /// once; returns whether it was.
    func readPlainMessage(_ octets: Octets, _ file: SourceFile) throws(FileError) -> Bool {
        // Of a file that may be anything no more is read than tells.
        let count = file.isMessage ? octets.count : SourceKind.prefixLength
        let isPlain = try reader.open(ByteSource(octets), looking: count) { bytes in
            SourceKind.isPlainMessage(bytes, isMessage: file.isMessage)
                && (file.isMessage || !TarReader.isArchive(bytes))
        }
        noteArrival()
        guard isPlain else { return false }
        let before = scan.result.events.count
        try reader.readMessage { event, bytes, marks in
            scan.take(event, bytes, marks, isInMbox: false)
        }
        if scan.result.events.count == before {
            judgeByName(octets, PartHeader(names: [file.path.name]))
        }
        return true
    }

    /// A web page or a letter in the place of a pass is still said to be none.
    private func judgeByName(_ octets: Octets, _ header: PartHeader) {
        guard !options.types.evidence(header).isEmpty else { return }
        _ = scan.judgeFile(octets, header, isKnown: false)
    }

    /// Reads a source that is no mailbox, or begins to read one that is.
    func read(_ source: Source) throws(FileError) {
        let isTar = TarReader.isArchive(source.prefix.span)
        let kind =
            isTar && !source.isMessage
            ? .other : SourceKind(source.prefix.span, isMessage: source.isMessage)
        let before = scan.result.events.count
        switch kind {
        case .mbox, .framed:
            isMailbox = true
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
        if kind.isMail, scan.result.events.count == before, let octets = source.octets {
            judgeByName(octets, source.header)
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
        if isTar {
            judged = JudgedFile(source: source, told: scan.told)
            scan.judgeTar(source.bytes, source.header)
            return
        }
        // Most of what is compressed has nothing to do with mail: its beginning tells.
        guard
            source.decompressor == nil || Contents.mayHoldPasses(source.prefix)
                || options.takesFilesForPasses
                || !options.types.evidence(source.header).isEmpty,
            let octets = try wholeOctets(of: source)
        else { return }
        judged = JudgedFile(source: source, told: scan.told)
        if source.step != nil { scan.result.bytes += octets.count }
        let isKnown = FileSignature(source.prefix.span) != nil
        if scan.judgeFile(octets, source.header, isKnown: isKnown) == .message {
            judged = nil
            try readMessage(ByteSource(octets))
            report(source.decompressor)
        } else {
            judged?.octets = octets
            if !scan.isJudging { try endFile() }
        }
    }

    func endFile() throws(FileError) {
        guard let file = judged.take() else { return }
        report(file.source.decompressor)
        // What comes on a pipe is a mail, however odd its first lines are.
        guard let octets = file.octets, scan.told == file.told else { return }
        if file.source.step != nil {
            try readMessage(ByteSource(octets))
        } else if file.source.isNamed, FileSignature(file.source.prefix.span) == nil {
            try scan.searchLinks(in: octets, name: file.source.header.names.first ?? "")
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
    func readOn() throws(FileError) -> Bool {
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
            ends?.go(on: try reader.readOn(mbox.source, upTo: end, isFull: isFull, take))
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

    func closeMailbox() {
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
