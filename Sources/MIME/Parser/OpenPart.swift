import Bytes
import Platform

/// The part whose body is being read, and what is collected of it: the body, a file in its text, or
/// the text.
struct OpenPart: ~Copyable {
    private(set) var number = ""
    private(set) var header = PartHeader(names: [])
    private(set) var isMessage = false
    /// Whether it is the only body of a message.
    private var isOnlyBody = false
    /// The length of a header prepended to its body, in bytes.
    private var headerLength = 0

    private var collector: PartCollector?
    /// The kind of the part that was collected last.
    private(set) var kind: CollectedPart.Kind?
    /// The encoded file in the text that is being read.
    private var file: LooseFile?
    /// The header of the file in the text that is being read, if it has one.
    private var quotedHeader: PartHeader?
    /// The text of the part, if it is wanted text; without encoded files in it.
    private var text: PartCollector?
    /// Whether the text may contain files in `data:` URLs, and the Content-Type fields that give
    /// its form.
    private var isSearched = false
    private var contentType: [UInt8] = []
    private var contentTypes: [Range<Int>] = []
    /// The form of a text that is wanted whatever it contains.
    private var wantedForm: TextForm?
    /// Whether the body is collected as a file, which may turn out to be text.
    private var isCollected = false
    /// Finds the place from which the text is collected, or files in a text that is wanted anyway,
    /// while it is sampled.
    private var sampler = Base64Sampler()
    private var isSampled = false

    private let limits: MIMELimits
    private let spool: SpoolPolicy
    private var isInMbox = false

    init(limits: MIMELimits, spool: SpoolPolicy) {
        self.limits = limits
        self.spool = spool
    }

    mutating func beginMessage(isInMbox: Bool) {
        self.isInMbox = isInMbox
        begin()
        collector = nil
        file = nil
        quotedHeader = nil
        dropText()
    }

    /// Begins a part. The collected bytes of the previous one stay until they are ended.
    mutating func begin(
        _ number: String = "", _ header: PartHeader = PartHeader(names: []),
        isMessage: Bool = false, isOnlyBody: Bool = false
    ) {
        self.isOnlyBody = isOnlyBody
        self.number = number
        self.header = header
        self.isMessage = isMessage
        headerLength = 0
        isCollected = false
    }

    /// Begins to collect the body, or the rest of it.
    mutating func collect(_ kind: CollectedPart.Kind, isWholeBody: Bool = true) {
        var spool = spool
        // Many fragments may be held at once.
        if kind == .fragment { spool.memory = min(spool.memory, 64 << 10) }
        self.kind = kind
        if kind == .encodedText {
            // All of it is decoded and searched.
            if isWholeBody {
                isSampled = false
                if isSearched { text = nil }
            }
        } else if file == nil {
            isCollected = true
        }
        collector = PartCollector(kind, spool: spool, limit: limits.partBody)
    }

    /// Begins to collect an encoded multipart with a header prepended, so that it can be parsed
    /// once decoded.
    mutating func collectMultipart(_ number: String, header lines: [UInt8]) {
        collect(.message)
        append(lines.span, 0..<lines.count)
        headerLength = lines.count
        self.number = number
    }

    /// Begins to collect an encoded message after its decoded header.
    mutating func collectMessage(header lines: [UInt8]) {
        collect(.message)
        append(lines.span, 0..<lines.count)
        headerLength = lines.count
    }

    /// Begins to collect the rest of an encoded text, after these lines.
    mutating func collectText(startingWith lines: [UInt8]) {
        collect(.encodedText, isWholeBody: false)
        append(lines.span, 0..<lines.count)
    }

    /// Begins to collect a file in the text, after a header in the text.
    mutating func collectFile(inText header: PartHeader) {
        collect(.file)
        quotedHeader = header
    }

    /// Begins to collect an encoded text after a header in the text.
    mutating func collectText(inText header: PartHeader) {
        collect(.encodedText, isWholeBody: false)
        quotedHeader = header
    }

    /// Begins the text, if the header declares text and it is wanted: collects it, or samples it
    /// until it may contain a file.
    mutating func beginText(_ block: HeaderBlock, _ wanted: WantedText) {
        switch wanted {
        case .none: return
        case .all:
            guard let form = TextForm(block, header, limits: limits) else { return }
            wantedForm = form
            if header.encodings.contains(.base64), !form.hidesASCII {
                collectText(.text(form))
                sampler.begin(isEncoded: true)
                isSampled = true
            } else {
                collectSampledText(form)
            }
        case .withFiles:
            guard TextForm(header) != nil else { return }
            isSearched = true
            for field in block.fields.lazy.filter({ $0.kind == .type })
                .prefix(limits.repeatedFields)
            {
                let start = contentType.count
                contentType += block.bytes[field.body]
                contentTypes.append(start..<contentType.count)
            }
            sampler.begin(isEncoded: header.encodings.contains(.base64))
            isSampled = true
            if TextForm.mayHideASCII(contentType.span), let form = self.form, form.hidesASCII {
                collectSampledText(form)
            }
        }
    }

    /// The form of the text if it is searched for `data:` URLs.
    private var form: TextForm? {
        if let wantedForm { return wantedForm }
        guard isSearched, var form = TextForm(header) else { return nil }
        for field in contentTypes {
            form.read(contentType: Array(contentType[field]), limits: limits)
        }
        return form
    }

    private mutating func collectText(_ kind: CollectedPart.Kind) {
        text = PartCollector(kind, spool: spool, limit: limits.partBody)
    }

    private mutating func collectSampledText(_ form: TextForm) {
        isSampled = false
        collectText(header.encodings.contains(.base64) ? .encodedText : .text(form))
    }

    mutating func dropText() {
        text = nil
        isSampled = false
        wantedForm = nil
        guard isSearched else { return }
        isSearched = false
        contentType.removeAll(keepingCapacity: true)
        contentTypes.removeAll(keepingCapacity: true)
    }

    /// The encoded file that begins in a line of the text.
    func file(
        _ bytes: Span<UInt8>, _ line: Range<Int>, isOfInterest: (PartHeader) -> Bool
    ) -> LooseFile? {
        LooseFile(bytes, line, isQuoted: header.encodings.contains(.quotedPrintable)) {
            isOfInterest(PartHeader(names: [$0]))
        }
    }

    /// Begins to collect an encoded file in the text. The next line confirms it.
    mutating func collect(_ file: LooseFile) {
        self.file = file
        collect(.file)
    }

    /// Examines a line of the file.
    mutating func step(_ bytes: Span<UInt8>, _ line: Range<Int>) -> LooseFile.Step {
        file?.step(bytes, line) ?? .text
    }

    /// Appends lines of the body.
    mutating func keep(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        append(bytes, range)
        keepText(bytes, range)
    }

    /// Appends lines to the collected body or file.
    mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        collector?.append(bytes, range)
    }

    /// Appends lines to the text. If it is sampled, it is collected once it may contain a file.
    mutating func keepText(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        text?.append(bytes, range)
        guard isSampled, sampler.findsFile(bytes, range), let form else { return }
        if text != nil {
            text?.kind = .encodedText
            isSampled = false
        } else {
            collectSampledText(form)
            let (before, rest) = sampler.textOfFile(range, of: bytes)
            text?.append(before.span, 0..<before.count)
            text?.append(bytes, rest)
        }
    }

    /// Removes `count` bytes from the end of the body.
    mutating func dropLast(_ count: Int) {
        collector?.dropLast(count)
    }

    /// Ends the body, or the file in the text.
    mutating func end(byDelimiter: Bool, into findings: inout MessageFindings) {
        let file = file.take()
        let quotedHeader = quotedHeader.take()
        guard let collected = collector.take(), file?.isConfirmed ?? true else { return }
        if file != nil { findings.partCount += 1 }
        let inText = file.map { part(of: $0) } ?? quotedHeader.map { part(of: $0) }
        finish(collected, inText, byDelimiter: byDelimiter, into: &findings)
    }

    mutating func endText(byDelimiter: Bool, into findings: inout MessageFindings) {
        guard let collected = text.take() else { return }
        finish(collected, nil, byDelimiter: byDelimiter, into: &findings)
    }

    private func finish(
        _ collected: consuming PartCollector, _ inText: (number: String, header: PartHeader)?,
        byDelimiter: Bool, into findings: inout MessageFindings
    ) {
        do throws(FileError) {
            let isCut = collected.isCut
            let kind = collected.kind
            // In an mbox, the line end before the next `From ` line is part of the separator.
            let body = try collected.finish(withoutLineEnd: byDelimiter || isInMbox)
            var part = CollectedPart(
                number: inText?.number ?? number, header: inText?.header ?? header, kind: kind,
                body: body, isCut: isCut, isInMbox: isInMbox, headerLength: headerLength,
                isOnlyBody: isOnlyBody && inText == nil)
            if isCut {
                findings.report(.partTooLarge(limit: limits.partBody), part.number)
            }
            if case .text = kind, body.isEmpty { return }
            if kind == .encodedText {
                let decoded = try part.decodedText(spool)
                if text == nil, let form {
                    let isWanted = try wantedForm == nil ? decoded.mayHoldDataURL(form) : true
                    if isWanted { findings.add(part.asText(form)) }
                    // It is found in the text.
                    if isWanted, try decoded.beginsDataURL() { return }
                }
                if isCollected { return }
                if try decoded.isBase64File() {
                    part.kind = .file
                } else if try !decoded.mayHoldFile() {
                    return
                }
            }
            findings.add(part)
        } catch {
            findings.report(.unreadable(error), number)
        }
    }

    /// The number and header of a file in the text: numbered like the text, with the file's name
    /// appended. If the whole part is declared a file, the file is the part.
    private func part(of file: LooseFile) -> (number: String, header: PartHeader) {
        let names = file.name.isEmpty ? [] : [file.name]
        let encodings = header.encodings
        let isPart = encodings.contains(.uuencode) || encodings.contains(.yEnc)
        let header =
            if isPart {
                header.names.isEmpty ? header.named(names) : header
            } else {
                PartHeader(
                    names: names,
                    encodings: encodings.contains(.quotedPrintable) ? [.quotedPrintable] : [])
            }
        return (isPart || file.isArmor ? number : "\(number)!\(file.name)", header)
    }

    /// The number and header of a file after a header in the text, which may be encoded as a whole.
    private func part(of quoted: PartHeader) -> (number: String, header: PartHeader) {
        let isEncoded = header.encodings.contains(.quotedPrintable)
        return (
            kind == .encodedText ? number : "\(number)!\(quoted.names.first ?? "")",
            isEncoded ? quoted.encoded([.quotedPrintable]) : quoted
        )
    }
}
