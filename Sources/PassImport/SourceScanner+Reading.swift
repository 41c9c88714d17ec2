import Archives
import Bytes
import Compression
import MIME
import MailSource
import PassContainers
import PassDetection
import Platform

/// Reading a source according to its kind.
extension SourceScanner {
    /// Reads a file that is clearly one message, examining its first bytes only once, since most
    /// files are; returns false for other files.
    func readPlainMessage(_ octets: SpooledBytes, _ file: SourceFile) throws(FileError) -> Bool {
        // Of other files, read only the bytes needed to decide.
        let count = file.isMessage ? octets.count : SourceKind.prefixLength
        let isPlain = try reader.open(ByteSource(octets), looking: count) { bytes in
            SourceKind.isPlainMessage(bytes, isMessage: file.isMessage)
                && (file.isMessage || !TarReader.isArchive(bytes))
        }
        noteArrival()
        guard isPlain else { return false }
        let take: MailReader.Body = { event, bytes, marks in
            self.finder.take(event, bytes, marks, isInMbox: false)
        }
        let told = finder.told
        reader.beginMessage(take)
        var isOver = false
        while !isOver, !finder.isJudging { isOver = try !reader.readMore(take) }
        if isOver, finder.told != told { return true }
        let header = PartHeader(names: [file.path.name])
        if isOver, !finder.isJudging {
            judgeByName(octets, header)
        } else {
            // The result is full: continue later.
            unfound = UnfoundFile(octets: octets, header: header, told: told)
        }
        if !isOver {
            mailbox = OpenMailbox(
                source: ByteSource(octets), kind: .message, range: 0..<Int.max, hasBegun: true)
        }
        return true
    }

    /// A web page or other text with the name of a pass is reported as malformed.
    func judgeByName(_ octets: SpooledBytes, _ header: PartHeader) {
        guard !options.types.evidence(header).isEmpty else { return }
        _ = finder.judgeFile(octets, header, isKnown: false)
    }

    /// Reads a source that is not a mailbox, or begins to read one.
    func read(_ source: OpenSource) throws(FileError) {
        let isTar = TarReader.isArchive(source.prefix.span)
        let kind =
            isTar && !source.isMessage
            ? .other : SourceKind(source.prefix.span, isMessage: source.isMessage)
        switch kind {
        case .mbox, .framed:
            isMailbox = true
            mailbox = OpenMailbox(
                source: source.bytes, kind: kind, range: 0..<Int.max, step: source.step,
                decompressor: source.decompressor)
        case .message, .emlx:
            // The end of an emlx file is needed to check its length, so a stream is read completely
            // first.
            if kind != .message, source.bytes.size == nil {
                guard let octets = try wholeOctets(of: source) else { return }
                var source = source
                source.bytes = ByteSource(octets)
                return try read(source)
            }
            unfound = source.octets.map {
                UnfoundFile(octets: $0, header: source.header, told: finder.told)
            }
            readMessage(
                source.bytes, as: kind, step: source.step, decompressor: source.decompressor)
        case .archive, .empty, .other:
            try readFile(source, isTar: isTar)
        }
    }

    private func readMessage(
        _ bytes: ByteSource, as kind: SourceKind = .message, step: Int? = nil,
        decompressor: Decompressor? = nil
    ) {
        mailbox = OpenMailbox(
            source: bytes, kind: kind, range: 0..<Int.max, step: step, decompressor: decompressor)
    }

    /// Judges a file. A tar archive is read as a stream, whatever its size.
    private func readFile(_ source: OpenSource, isTar: Bool) throws(FileError) {
        if isTar {
            judged = JudgedFile(source: source, told: finder.told)
            finder.judgeTar(source.bytes, source.header)
            return
        }
        // Most compressed files are unrelated to mail, which their beginning shows.
        guard
            source.decompressor == nil || Contents.mayHoldPasses(source.prefix)
                || options.takesFilesForPasses
                || !options.types.evidence(source.header).isEmpty,
            let octets = try wholeOctets(of: source)
        else { return }
        judged = JudgedFile(source: source, told: finder.told)
        if source.step != nil { finder.result.bytes += octets.count }
        let isKnown = FileSignature(source.prefix.span) != nil
        if finder.judgeFile(octets, source.header, isKnown: isKnown) == .message {
            judged = nil
            readMessage(ByteSource(octets), decompressor: source.decompressor)
        } else {
            judged?.octets = octets
            if !finder.isJudging { try endFile() }
        }
    }

    func endFile() throws(FileError) {
        guard let file = judged.take() else { return }
        report(file.source.decompressor)
        // Piped input is read as a message, even if its first lines are odd.
        guard let octets = file.octets, finder.told == file.told else { return }
        if file.source.step != nil {
            readMessage(ByteSource(octets))
        } else if file.source.isNamed, FileSignature(file.source.prefix.span) == nil {
            try finder.searchLinks(in: octets, name: file.source.header.names.first ?? "")
        }
    }

    /// The whole source; nil if it exceeds the limit.
    private func wholeOctets(of source: OpenSource) throws(FileError) -> SpooledBytes? {
        if source.decompressor == nil, let octets = source.octets { return octets }
        let limit = options.containers.standardInput
        let octets = try source.bytes.octets(limit: limit, options.spool)
        if octets == nil { finder.report(.limit(.input(bytes: limit))) }
        return octets
    }

    /// Continues to read the mailbox; returns whether this step is done.
    func readOn() throws(FileError) -> Bool {
        guard let mailbox else { return true }
        let isOver = mailbox.kind == .mbox ? try readOn(mbox: mailbox) : try readMore(mailbox)
        self.mailbox?.hasBegun = true
        if mailbox.step != nil { finder.result.bytes += finder.takeBytes() }
        if isOver {
            closeMailbox()
            if let file = unfound, finder.told != file.told { unfound = nil }
        }
        return mailbox.step != nil
    }

    private func readOn(mbox: OpenMailbox) throws(FileError) -> Bool {
        let location = mbox.hasBegun ? reader.offset : mbox.range.lowerBound
        let end = min(mbox.range.upperBound, location + (mbox.step ?? Int.max - location))
        let take: MailReader.Body = { event, bytes, marks in
            self.finder.take(event, bytes, marks, isInMbox: true)
        }
        let isFull = { self.finder.isFull }
        if mbox.hasBegun {
            ends?.go(on: try reader.readOn(mbox.source, upTo: end, isFull: isFull, take))
        } else {
            ends = try reader.readMbox(mbox.source, range: location..<end, isFull: isFull, take)
        }
        return !reader.isPaused && ends?.stop ?? Int.max >= mbox.range.upperBound
    }

    private func readMore(_ mailbox: OpenMailbox) throws(FileError) -> Bool {
        let take: MailReader.Body = { event, bytes, marks in
            self.finder.take(event, bytes, marks, isInMbox: mailbox.kind.isMailbox)
        }
        if !mailbox.hasBegun { try reader.begin(mailbox.source, as: mailbox.kind, take) }
        while try reader.readMore(take) {
            if mailbox.step != nil && mailbox.kind.isMailbox || finder.isJudging { return false }
        }
        return true
    }

    func closeMailbox() {
        report(mailbox?.decompressor)
        mailbox?.descriptor?.close()
        mailbox = nil
    }

    /// Reports damaged or truncated compressed data; the data before the damage was read.
    private func report(_ decompressor: Decompressor?) {
        guard let failure = decompressor?.failure else { return }
        finder.report(.compression(failure))
    }
}
