package import Bytes
import MailSource

/// Parses a message incrementally, in one pass and bounded memory.
///
/// Header blocks are read line by line; in bodies, only marked lines are examined. A body is
/// collected only if the part is of interest, begins like an archive, or is wanted text. There is
/// no recursion: open entities are on a stack, and a delimiter closes all entities above its own.
package struct MessageParser: ~Copyable {
    private let limits: MIMELimits
    private let isOfInterest: (PartHeader) -> Bool
    private let texts: WantedText

    private var state = State.header
    private var headerReader: HeaderReader
    private var open = OpenEntities()
    /// Those of an earlier message of the mailbox that has no end. VIOLATIONS.md, B21: a line of
    /// its text looks like a separator, so that the rest of its parts is in this message.
    private var divided = OpenEntities()
    /// Whether `divided` is unknown, since the mailbox is read from its middle.
    package private(set) var isEarlierUnknown = false
    /// Whether the parts found depend on the messages before the range, which are unknown.
    package private(set) var dependsOnEarlier = false
    /// Whether a part of an earlier message was found in a later one.
    package private(set) var hasContinued = false
    private var part: OpenPart
    private var previous = PreviousLine()
    private var findings = MessageFindings()
    /// A part that may begin in the text of the current one.
    private var suspect = SuspectedPart()
    /// The number of fields that may follow the armor line at the start of the body.
    private var armorFieldsLeft = 0

    private enum State {
        case header
        /// Before the first non-blank line of a body.
        case bodyStart
        /// In a body or between parts, where only delimiters and encoded files matter.
        case body
        /// After a `--` line that may be a delimiter of an unknown multipart.
        case behindDashes
        /// After a `--` line before the first field of a message, which may be a banner.
        case behindFirstDashes
        /// In lines of text that may be the header of a part.
        case quotedHeader
        /// In the body of a part that is collected.
        case collecting
        /// In an encoded file within text.
        case looseFile
    }

    package init(
        limits: MIMELimits = MIMELimits(), spool: SpoolPolicy = SpoolPolicy(),
        texts: WantedText = .none, isOfInterest: @escaping (PartHeader) -> Bool
    ) {
        self.limits = limits
        self.texts = texts
        self.isOfInterest = isOfInterest
        headerReader = HeaderReader(limits: limits)
        part = OpenPart(limits: limits, spool: spool)
    }

    /// Begins a source, or a range of a mailbox after messages that left `unclosed`; nil if that is
    /// unknown.
    package mutating func beginSource(after unclosed: OpenEntities? = OpenEntities()) {
        open.removeAll()
        divided = unclosed ?? OpenEntities()
        isEarlierUnknown = unclosed == nil
        dependsOnEarlier = false
        hasContinued = false
    }

    /// What the messages so far leave to the following ones of the mailbox; nil if that depends on
    /// messages before the range.
    package var unclosed: OpenEntities? {
        switch open.isUnclosed {
        case true?: open
        case false?: OpenEntities()
        case nil: isEarlierUnknown ? nil : divided
        }
    }

    /// Begins a message at an offset in its source. `isInMbox`: lines may be quoted as in an mbox.
    package mutating func begin(isInMbox: Bool, at offset: Int = 0) {
        state = .header
        headerReader.beginMessage()
        let isUnclosed = open.isUnclosed
        if isInMbox, isUnclosed == true {
            swap(&open, &divided)
        } else if !isInMbox || isUnclosed == false {
            divided.removeAll()
        }
        isEarlierUnknown = isEarlierUnknown && isUnclosed == nil
        divided.laterMessages += 1
        open.removeAll(messageOffset: offset)
        part.beginMessage(isInMbox: isInMbox)
        previous.removeAll()
        findings.beginMessage()
    }

    /// Parses the next lines of the message: a range of `bytes` with the given marks.
    package mutating func feed(
        _ bytes: Span<UInt8>, _ range: Range<Int>, marks: borrowing LineMarks, startsLine: Bool
    ) {
        var position = range.lowerBound
        var startsLine = startsLine
        var mark = marks.first(from: position)
        previous.beginRun(at: position)
        while position < range.upperBound {
            let rest = position..<range.upperBound
            switch state {
            case .header:
                position = readHeader(bytes, rest, startsLine)
            case .bodyStart:
                position = readBodyStart(bytes, rest)
            case .behindDashes:
                position = readBehindDashes(bytes, rest)
            case .behindFirstDashes:
                position = readBehindFirstDashes(bytes, rest)
            case .quotedHeader:
                position = readQuotedHeader(bytes, rest, startsLine)
            case .looseFile:
                position = readLooseFile(bytes, rest, startsLine)
            case .body, .collecting:
                while mark < marks.offsets.count, marks.offsets[mark] < UInt32(position) {
                    mark += 1
                }
                position = readBody(bytes, rest, marks, &mark)
            }
            startsLine = true
        }
        previous.endRun(bytes, range)
    }

    /// Ends the message and its last part.
    package mutating func finish() {
        if state == .header || state == .behindFirstDashes {
            endHeader()
        }
        part.end(byDelimiter: false, into: &findings)
        part.endText(byDelimiter: false, into: &findings)
    }

    /// The header of the message itself.
    package var header: HeaderBlock { headerReader.message }

    /// The number of parts of this message so far, multiparts excluded.
    package var partCount: Int { findings.partCount }

    /// Whether there are parts or problems to take.
    package var hasFindings: Bool { !findings.isEmpty }

    /// Whether a part is being collected that may be a pass or hold passes.
    package var isKeepingPart: Bool { state == .collecting && part.kind != .encodedText }

    /// Returns the parts collected since the last call.
    package mutating func takeParts() -> [CollectedPart] { findings.takeParts() }

    package mutating func takeProblems() -> [MIMEProblem] { findings.takeProblems() }
}

/// The texts that are collected, in addition to files.
package enum WantedText: Sendable {
    case none
    /// Those that may contain files in `data:` URLs.
    case withFiles
    case all
}

/// Headers.
extension MessageParser {
    private mutating func readHeader(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ startsLine: Bool
    ) -> Int {
        var startsLine = startsLine
        var lines = HeaderLines(range, after: previous.byte(before: range.lowerBound, bytes))
        while let line = lines.next(bytes, &startsLine) {
            if !startsLine {
                headerReader.readRest(bytes, line)
            } else if bytes[line.lowerBound] == 0x20 || bytes[line.lowerBound] == 0x09 {
                if isMessageHeaderEmpty, headerReader.isBase64File(bytes, from: line.lowerBound) {
                    endHeader()
                    return line.lowerBound
                }
                headerReader.readIndented(bytes, line)
            } else if bytes[line.lowerBound] == UInt8(ascii: "-"),
                let next = readDelimiterInHeader(bytes, line)
            {
                return next
            } else if isMessageHeaderEmpty, Base64File.isDataURL(bytes, at: line.lowerBound),
                headerReader.isBase64File(bytes, from: line.lowerBound)
            {
                // It looks like a field.
                endHeader()
                return line.lowerBound
            } else if !headerReader.beginField(bytes, line) {
                if let next = readOddHeaderLine(bytes, line) { return next }
                headerReader.readUnindented(bytes, line)
            }
            startsLine = true
            if headerReader.isPassingOver { lines.skipFolds(bytes) }
        }
        return range.upperBound
    }

    /// Handles a delimiter in a header; returns the offset to continue at. VIOLATIONS.md, M72: no
    /// blank line before it.
    private mutating func readDelimiterInHeader(
        _ bytes: Span<UInt8>, _ line: Range<Int>
    ) -> Int? {
        guard bytes.hasPrefix("--", at: line.lowerBound) else { return nil }
        if let delimiter = delimiter(bytes, line) {
            endHeader()
            meet(delimiter)
            return line.upperBound
        }
        // VIOLATIONS.md, M79: a message without its header.
        if isMessageHeaderEmpty, bytes.trimmed(line).count > 2 {
            suspect.begin(bytes, line)
            state = .behindFirstDashes
            return line.upperBound
        }
        // The multipart's own first delimiter.
        guard headerReader.isOwnDelimiter(bytes, line) else { return nil }
        endHeader()
        return line.lowerBound
    }

    /// Decides about a `--` line before the first field: a delimiter precedes the header of a part,
    /// a banner that of a message, such as `-----Original Message-----` (VIOLATIONS.md, B20).
    private mutating func readBehindFirstDashes(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        let line =
            range.lowerBound..<bytes.endOfLine(from: range.lowerBound, limit: range.upperBound)
        if bytes.trimmed(line).isEmpty { return line.upperBound }
        state = .header
        let isField = HeaderBlock.colon(in: bytes, line) != nil
        if isField, !bytes.hasPrefix(caseInsensitive: "content-", at: line.lowerBound) {
            return line.lowerBound
        }
        endHeader()
        if state == .bodyStart, suspect.boundary.count <= OpenBoundaries.longest,
            !Base64File.isArmor(suspect.lines.span, at: 0)
        {
            state = .behindDashes
        }
        return line.lowerBound
    }

    /// Handles a header line that is not a field: the end of the header, a body without a blank
    /// line before it, or junk (VIOLATIONS.md, M1). Returns the offset to continue at if the header
    /// ended.
    private mutating func readOddHeaderLine(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Int? {
        let text = bytes.withoutLineEnding(line)
        if text.isEmpty {
            // VIOLATIONS.md, M3: blank lines before the first field.
            if isMessageHeaderEmpty { return nil }
            endHeader()
            return line.upperBound
        }
        // VIOLATIONS.md, M4: no blank line before the body.
        let isEmpty = isMessageHeaderEmpty
        if !headerReader.isEmpty || isEmpty,
            BodyStart.ofFile(bytes, text) != nil || BodyStart.isMailInBase64(bytes, text)
                || isEmpty && headerReader.isBase64File(bytes, from: line.lowerBound)
        {
            endHeader()
            return line.lowerBound
        }
        return nil
    }

    /// Whether the header is that of a message, and no field has begun.
    private var isMessageHeaderEmpty: Bool {
        (headerReader.isOfMessage || open.isInMessage) && headerReader.isEmpty
    }

    /// Decides from the complete header how to read the body.
    private mutating func endHeader() {
        // VIOLATIONS.md, M77: an attached message in quoted-printable that is not declared.
        if open.isInMessage, !headerReader.isOfMessage, !open.isQuotedPrintable,
            headerReader.isQuotedPrintable
        {
            let lines = headerReader.quotedPrintableLines()
            findings.partCount += 1
            part.begin(
                open.number, PartHeader(names: [], encodings: [.quotedPrintable]), isMessage: true)
            part.collectMessage(header: lines)
            state = .collecting
            return
        }
        armorFieldsLeft = 0
        let header = headerReader.end(isQuotedPrintable: open.isQuotedPrintable)
        let number = open.numberOfNext(header)
        part.dropText()
        if header.isCut { findings.report(.headerTooLarge, number) }

        if header.isMultipart, mayOpen(isMultipart: true, number) {
            open.openMultipart(header, number)
            part.begin(number.isEmpty ? "1" : number, header)
            state = .bodyStart
            return
        }
        let isMessage = header.isMessage || header.mediaTypes.isEmpty && open.isInDigest
        part.begin(
            number, header, isMessage: isMessage, isOnlyBody: open.isEmpty || open.isInMessage)
        findings.partCount += 1
        guard findings.partCount <= limits.parts else {
            findings.report(.tooManyParts(limit: limits.parts), "")
            state = .body
            return
        }
        if header.partial != nil {
            collect(.fragment)
            return
        }
        // In quoted text, a part header proves nothing; only the bytes of an archive count.
        let isInText = open.isInText
        // Only the bytes stored elsewhere show what a removed body was.
        if header.isTakenOut, !isInText {
            collect(.file)
            return
        }
        if isMessage {
            // VIOLATIONS.md, M77: an encoded message.
            state = .bodyStart
            return
        }
        part.beginText(headerReader.block, texts)
        if !isInText, header.isExternalBody {
            collect(.externalBody(ExternalBody(headerReader.block, limits: limits)))
        } else if !isInText, isOfInterest(header) || header.saysContainer {
            collect(.file)
        } else {
            state = .bodyStart
        }
    }

    /// Opens the part as an embedded message; false if the limit forbids it.
    private mutating func beginMessage() -> Bool {
        guard mayOpen(isMultipart: false, part.number) else { return false }
        open.openMessage(part.number)
        headerReader.beginEmbeddedMessage()
        state = .header
        return true
    }

    /// Whether the limit allows one more of the kind.
    private mutating func mayOpen(isMultipart: Bool, _ number: String) -> Bool {
        let depth = open.depth(isMultipart: isMultipart)
        if depth >= limits.depth {
            findings.report(.nestedTooDeep(limit: limits.depth), number)
        }
        return depth < limits.depth
    }

    private mutating func collect(_ kind: CollectedPart.Kind) {
        part.collect(kind)
        state = .collecting
    }
}

/// The starts of bodies.
extension MessageParser {
    /// Examines the first non-blank line of a body: whether it begins a file or a message that may
    /// contain a pass, or a message declared as encoded that is not.
    private mutating func readBodyStart(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var start = range.lowerBound
        while start < range.upperBound, bytes[start].isWhiteSpace { start += 1 }
        let mark = ByteOrderMark.utf8.length(in: bytes, at: start)
        if mark > 0 { start = bytes.trimmed(start + mark..<range.upperBound).lowerBound }
        guard start < range.upperBound else { return range.upperBound }
        var lineStart = start
        while lineStart > range.lowerBound, bytes[lineStart - 1] != UInt8(ascii: "\n") {
            lineStart -= 1
        }
        let line = start..<bytes.endOfLine(from: start, limit: range.upperBound)
        let isField = HeaderBlock.colon(in: bytes, line) != nil
        let isArmor = Base64File.isArmor(bytes, at: start) && open.delimiter(bytes, line) == nil
        if isArmor || isField && armorFieldsLeft > 0 {
            armorFieldsLeft = isArmor ? Base64File.armorFields : armorFieldsLeft - 1
            part.keepText(bytes, range.lowerBound..<line.upperBound)
            return line.upperBound
        }
        state = .body
        if isEncodedMultipart(bytes, line) {
            part.collectMultipart(open.number, header: headerReader.contentTypeLines)
            state = .collecting
        } else if isFile(bytes, line) {
            collect(.file)
        } else if part.isMessage {
            beginMessage(bytes, line, isField: isField)
        } else if isField, part.header.isContinued(by: bytes, line), headerReader.resume() {
            // VIOLATIONS.md, M2: a blank line in the middle of a header. The pieces are read
            // together.
            findings.partCount -= 1
            state = .header
        } else if !open.isInText,
            BodyStart.ofMail(bytes, line, part.header) != nil
                || BodyStart.isDoubtful(bytes, line, part.header)
                || BodyStart.ofTar(
                    bytes.extracting(first: line.upperBound), from: start, part.header,
                    isCut: true) != nil
        {
            collect(.file)
        } else if BodyStart.isTextInBase64(bytes, line, part.header) {
            collect(.encodedText)
        } else if !open.isInText, BodyStart.isFileInBase64(bytes, line, part.header) {
            collect(.file)
        } else if let armor = LooseFile.armorBehindTags(bytes, line),
            beginLooseFile(bytes, armor..<line.upperBound)
        {
            part.keepText(bytes, lineStart..<line.upperBound)
            return line.upperBound
        }
        return lineStart
    }

    /// Opens the part as an embedded message, or collects it if it is encoded. VIOLATIONS.md, M78:
    /// the first line shows the encoding, whatever the header says, except that it does not tell
    /// quoted-printable from none.
    private mutating func beginMessage(
        _ bytes: Span<UInt8>, _ line: Range<Int>, isField: Bool
    ) {
        let encodings = part.header.encodings
        let isEncoded =
            isField
            ? encodings.contains(.quotedPrintable)
            : encodings.contains { $0 != .identity && $0 != .yEnc }
                || BodyStart.ofFile(bytes, line) != nil || BodyStart.isBase64(bytes, line)
        if isEncoded {
            collect(.message)
        } else {
            _ = beginMessage()
        }
    }

    /// Whether a multipart is encoded as a whole (VIOLATIONS.md, M41): the first line of its body
    /// looks like base64 or quoted-printable instead of a delimiter or a preamble, whatever its
    /// header says (VIOLATIONS.md, M42).
    private func isEncodedMultipart(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        guard part.header.isMultipart, open.isBeforeFirstPart else { return false }
        let text = bytes.trimmed(line)
        if bytes.hasPrefix("--", at: text.lowerBound) {
            guard open.delimiter(bytes, line) == nil else { return false }
            var decoded: [UInt8] = []
            QuotedPrintable.decodeLine(bytes, text, into: &decoded)
            return open.delimiter(decoded.span, 0..<decoded.count) != nil
        }
        guard text.allSatisfy({ Base64.isDigit(bytes[$0]) }) else { return false }
        let decoded = Base64.decode(bytes, text.prefix(OpenBoundaries.longest))
        return decoded.span.hasPrefix("--", at: 0)
            || part.header.encodings.contains(.base64) && decoded.count >= 24
    }

    /// Whether a body begins with a file in a pass-carrying format. Encoded files with a name line
    /// are found anywhere in a body.
    private func isFile(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        switch BodyStart.ofFile(bytes, line) {
        case .uuencode, .yEnc, nil: false
        default: !part.header.isSignature
        }
    }
}

/// Bodies, from mark to mark.
extension MessageParser {
    /// Advances to the next delimiter or encoded file in the text, and collects the bytes before it
    /// if the part is collected.
    private mutating func readBody(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ marks: borrowing LineMarks, _ mark: inout Int
    ) -> Int {
        while mark < marks.offsets.count {
            let place = Int(marks.offsets[mark])
            guard place < range.upperBound else { break }
            mark += 1
            switch bytes[place] {
            case UInt8(ascii: "-"):
                let line = place..<bytes.endOfLine(from: place, limit: range.upperBound)
                guard let delimiter = delimiter(bytes, line) else {
                    if state == .body, LooseFile.isArmor(bytes, at: place),
                        beginLooseFile(bytes, line)
                    {
                        part.keepText(bytes, range.lowerBound..<line.upperBound)
                        return line.upperBound
                    }
                    guard suspect(bytes, line) else { continue }
                    part.keep(bytes, range.lowerBound..<line.upperBound)
                    return line.upperBound
                }
                part.keep(bytes, range.lowerBound..<place)
                meet(delimiter)
                return line.upperBound
            case UInt8(ascii: "b"), UInt8(ascii: "B"), UInt8(ascii: "="):
                guard state == .body else { continue }
                let line = place..<bytes.endOfLine(from: place, limit: range.upperBound)
                guard beginLooseFile(bytes, line) else { continue }
                part.keepText(bytes, range.lowerBound..<line.upperBound)
                return line.upperBound
            case UInt8(ascii: "C"), UInt8(ascii: "c"):
                guard let missed = missedDelimiter(bytes, before: place) else {
                    let line = place..<bytes.endOfLine(from: place, limit: range.upperBound)
                    guard state == .body, part.header.isText || open.isInText,
                        HeaderBlock.colon(in: bytes, line) != nil
                    else { continue }
                    if place > range.lowerBound { part.keep(bytes, range.lowerBound..<place) }
                    suspect.begin()
                    state = .quotedHeader
                    return place
                }
                let end = place - missed.length
                if end > range.lowerBound { part.keep(bytes, range.lowerBound..<end) }
                part.dropLast(range.lowerBound - end)
                meet(missed.delimiter)
                return place
            default:
                continue
            }
        }
        part.keep(bytes, range)
        return range.upperBound
    }

    private mutating func delimiter(
        _ bytes: Span<UInt8>, _ line: Range<Int>
    ) -> OpenBoundaries.Delimiter? {
        let own =
            open.delimiter(bytes, line)
            ?? (state == .body ? open.learnedDelimiter(bytes, line) : nil)
        if own != nil { return own }
        dependsOnEarlier = dependsOnEarlier || isEarlierUnknown
        guard !divided.isEmpty, let delimiter = divided.delimiter(bytes, line) else { return nil }
        hasContinued = true
        // Delimiters of this message remain known.
        swap(&open, &divided)
        return delimiter
    }

    private func missedDelimiter(
        _ bytes: Span<UInt8>, before place: Int
    ) -> (delimiter: OpenBoundaries.Delimiter, length: Int)? {
        open.isEmpty ? nil : open.missedDelimiter(in: previous.line(before: place, bytes))
    }

    /// Records a line that may be the delimiter of an unknown multipart; the next line decides.
    private mutating func suspect(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        let text = bytes.trimmed(line).dropFirst(2)
        guard state == .body, !text.isEmpty, text.count <= OpenBoundaries.longest else {
            return false
        }
        suspect.begin(bytes, line)
        state = .behindDashes
        return true
    }

    /// Treats a `--` line followed by a header as a delimiter, even if no header names its boundary
    /// (VIOLATIONS.md, M65).
    private mutating func readBehindDashes(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        state = .body
        let line =
            range.lowerBound..<bytes.endOfLine(from: range.lowerBound, limit: range.upperBound)
        guard HeaderBlock.colon(in: bytes, line) != nil else { return range.lowerBound }
        guard bytes.hasPrefix(caseInsensitive: "content-", at: line.lowerBound) else {
            // Other fields may precede those of a part.
            guard suspect.add(bytes, line) else { return range.lowerBound }
            state = .behindDashes
            part.keep(bytes, line)
            return line.upperBound
        }
        if suspect.fieldCount == 0, let missed = missedDelimiter(bytes, before: line.lowerBound) {
            meet(missed.delimiter)
        } else if open.isBeforeFirstPart {
            meet(open.add(suspect.boundary))
        } else if part.header.encodings.contains(.quotedPrintable) {
            // The rest of the text is decoded before it is searched.
            part.collectText(startingWith: suspect.lines)
            state = .collecting
        } else if mayOpen(isMultipart: true, part.number) {
            meet(open.openMultipart(inText: suspect.boundary, part.number))
        }
        return range.lowerBound
    }

    /// Reads lines of text that may be the header of a part: the source of a message whose only
    /// body is a file. In quoted text, only the bytes of an archive count.
    private mutating func readQuotedHeader(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ startsLine: Bool
    ) -> Int {
        var position = range.lowerBound
        var startsLine = startsLine
        while position < range.upperBound {
            let line = position..<bytes.endOfLine(from: position, limit: range.upperBound)
            let isField = startsLine && HeaderBlock.colon(in: bytes, line) != nil
            let isFold = !startsLine || bytes[position] == 0x20 || bytes[position] == 0x09
            let isBlank = startsLine && bytes.trimmed(line).isEmpty
            if startsLine, bytes.hasPrefix("--", at: position) { break }
            if !isBlank, !suspect.isHeaderOver, isField || isFold {
                guard suspect.add(bytes, line) else { break }
            } else if isBlank {
                suspect.isHeaderOver = true
            } else {
                guard suspect.isHeaderOver, beginQuotedFile(bytes, line) else { break }
                return position
            }
            part.keepText(bytes, line)
            position = line.upperBound
            startsLine = true
        }
        if position < range.upperBound { state = .body }
        return position
    }

    /// Begins to collect a file after its header in a text, if a line begins an archive.
    private mutating func beginQuotedFile(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        guard findings.partCount < limits.parts else { return false }
        let isQuotedPrintable = part.header.encodings.contains(.quotedPrintable)
        let header = suspect.header(limits: limits, isQuotedPrintable: isQuotedPrintable)
        // The text of a message may be encoded too.
        if header.isText,
            header.encodings.contains(.quotedPrintable)
                || BodyStart.isTextInBase64(bytes, line, header)
                    && BodyStart.isBase64(bytes, line)
        {
            part.collectText(inText: header)
            state = .collecting
            return true
        }
        // A mention of an archive's first digits is shorter.
        guard line.count >= 40 else { return false }
        if isQuotedPrintable {
            var text: [UInt8] = []
            QuotedPrintable.decodeLine(bytes, line, into: &text)
            guard isFile(text.span, text.indices) else { return false }
        } else {
            guard isFile(bytes, line) else { return false }
        }
        findings.partCount += 1
        part.collectFile(inText: header)
        state = .collecting
        return true
    }

    /// Closes the parts that a delimiter ends, and begins the next part.
    private mutating func meet(_ delimiter: OpenBoundaries.Delimiter) {
        part.end(byDelimiter: true, into: &findings)
        part.endText(byDelimiter: true, into: &findings)
        part.begin()
        open.meet(delimiter)
        headerReader.beginPart()
        state = delimiter.closes ? .body : .header
    }
}

/// Encoded files in text, line by line.
extension MessageParser {
    /// Whether a line begins an encoded file in the text. The next line confirms it.
    private mutating func beginLooseFile(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        guard let file = part.file(bytes, line, isOfInterest: isOfInterest) else { return false }
        guard findings.partCount < limits.parts else {
            findings.report(.tooManyParts(limit: limits.parts), "")
            return false
        }
        part.collect(file)
        part.append(bytes, line)
        state = .looseFile
        return true
    }

    private mutating func readLooseFile(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ startsLine: Bool
    ) -> Int {
        var position = range.lowerBound
        var startsLine = startsLine
        while position < range.upperBound {
            let line = position..<bytes.endOfLine(from: position, limit: range.upperBound)
            var step = LooseFile.Step.keep
            if startsLine {
                if bytes.hasPrefix("--", at: position), let delimiter = delimiter(bytes, line) {
                    meet(delimiter)
                    return line.upperBound
                }
                step = part.step(bytes, line)
            }
            if step == .keep || step == .last { part.append(bytes, line) }
            if step == .last || step == .text {
                part.end(byDelimiter: false, into: &findings)
                state = .body
                return step == .last ? line.upperBound : position
            }
            position = line.upperBound
            startsLine = true
        }
        return position
    }
}
