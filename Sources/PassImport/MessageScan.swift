import Bytes
import MIME
import MailSource
import PassContainers
import PassDetection

/// Takes what a worker reads, source by source: parses messages, judges what they hold, and keeps
/// the result.
struct MessageScan: ~Copyable {
    var result = WorkResult()
    /// Of messages, in bytes, since the last result.
    private(set) var bytesTaken = 0

    private let options: ImportOptions
    private var parser: MessageParser
    private var judge: CandidateJudge
    private var source = ""
    private var index = -1
    private var offset = 0

    init(_ options: ImportOptions) {
        self.options = options
        judge = CandidateJudge(options)
        parser = MessageScan.parser(options)
    }

    private static func parser(_ options: ImportOptions) -> MessageParser {
        let types = options.types
        return MessageParser(limits: options.mime, spool: options.spool) {
            !types.evidence($0).isEmpty
        }
    }

    mutating func begin(source: String) {
        self.source = source
        result.source = source
        index = -1
        offset = 0
    }

    /// The result so far of a stream, whose size is what was taken of it.
    mutating func takeResult() -> WorkResult {
        var taken = result
        taken.bytes += bytesTaken
        bytesTaken = 0
        result = WorkResult(source: source)
        judge.forgetHeld()
        return taken
    }

    mutating func report(_ code: String, _ detail: String) {
        result.events.append(
            .problem(Problem(source: source, message: nil, part: nil, code: code, detail: detail)))
    }

    /// Takes a step in the reading of mail.
    mutating func take(
        _ event: MailEvent, _ bytes: Span<UInt8>, _ marks: borrowing LineMarks, isInMbox: Bool
    ) {
        switch event {
        case .began(let offset):
            index += 1
            self.offset = offset
            parser.begin(isInMbox: isInMbox)
        case .lines(let range, let startsLine):
            parser.feed(bytes, range, marks: marks, startsLine: startsLine)
            bytesTaken += range.count
        case .ended:
            parser.finish()
            result.messages += 1
            result.parts += parser.partCount
        }
        guard parser.hasFindings else { return }
        let message = MessageReference(parser.header, index: index, offset: offset)
        take(parser.takeProblems(), within: "", of: message)
        for part in parser.takeParts() { take(part, of: message) }
    }

    /// What a file turned out to be that is neither an mbox nor plainly a message.
    enum FileJudgement { case judged, message }

    mutating func judgeFile(_ octets: Octets, name: String, isArchive: Bool) -> FileJudgement {
        let header = PartHeader(names: [name])
        if !isArchive, options.types.evidence(header).isEmpty {
            // Everything cheap has been asked; most files of a tree end here.
            switch judge.mediaType(of: octets) {
            case "message/rfc822", "message/news": return .message
            case "application/zip": break
            default: if !options.takesFilesForPasses { return .judged }
            }
        }
        judge.judge(file: octets, header: header, source: source, into: &result.events)
        return .judged
    }

    /// Judges a part; a message that was encoded in it is parsed in turn, and what that holds.
    private mutating func take(_ part: CollectedPart, of message: MessageReference) {
        var waiting = [(part: part, within: "", nesting: 0)]
        while let (part, within, nesting) = waiting.popLast() {
            guard part.kind == .message else {
                judge.judge(part, within: within, source, message, into: &result.events)
                continue
            }
            let number = CandidateJudge.number(part.number, within: within)
            guard nesting < options.encodedNesting else {
                report(
                    "limit-nesting", "encoded messages are nested too deep", part: number, message)
                continue
            }
            do throws(FileError) {
                let inner = try parse(part)
                take(inner.problems, within: number, of: message)
                result.parts += inner.count
                for part in inner.parts.reversed() { waiting.append((part, number, nesting + 1)) }
            } catch {
                report("unreadable", "\(error)", part: number, message)
            }
        }
    }

    /// Parses the message that is encoded in a part, in the first of its readings that holds anything.
    private func parse(
        _ part: CollectedPart
    ) throws(FileError) -> (parts: [CollectedPart], problems: [MIMEProblem], count: Int) {
        var parser = MessageScan.parser(options)
        var reader = MailReader()
        for decoding in part.decodings {
            let octets = try BodyDecoder.decode(part.body, decoding, spool: options.spool)
            try reader.readMessage(ByteSource(octets)) { event, bytes, marks in
                switch event {
                case .began: parser.begin(isInMbox: part.isInMbox)
                case .lines(let range, let startsLine):
                    parser.feed(bytes, range, marks: marks, startsLine: startsLine)
                case .ended: parser.finish()
                }
            }
            if parser.hasFindings { break }
        }
        return (parser.takeParts(), parser.takeProblems(), parser.partCount)
    }

    private mutating func take(
        _ problems: [MIMEProblem], within: String, of message: MessageReference
    ) {
        for problem in problems {
            let part = CandidateJudge.number(problem.part, within: within)
            report(problem.code, problem.detail, part: part, message)
        }
    }

    private mutating func report(
        _ code: String, _ detail: String, part: String, _ message: MessageReference
    ) {
        result.events.append(
            .problem(
                Problem(
                    source: source, message: message, part: part.isEmpty ? nil : part, code: code,
                    detail: detail)))
    }
}

extension MessageReference {
    fileprivate init(_ header: HeaderBlock, index: Int, offset: Int) {
        self.init(
            index: index, offset: offset,
            messageID: MessageReference.withoutBrackets(header.text(of: "message-id")),
            from: header.text(of: "from"),
            date: header.text(of: "date"), subject: header.text(of: "subject"))
    }

    /// RFC 5322, 3.6.4: the angle brackets are not part of the identifier.
    private static func withoutBrackets(_ text: String) -> String {
        guard let start = text.firstIndex(of: "<"), let end = text[start...].firstIndex(of: ">")
        else { return text }
        return String(text[text.index(after: start)..<end])
    }
}
