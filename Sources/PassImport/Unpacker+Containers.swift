import Archives
import Bytes
import Compression
import MIME
import MailSource
import PassContainers
import PassVerification

/// What is packed in something else, each in its way.
extension Unpacker {
    /// Opens what contains something else: its contents wait to be looked into.
    mutating func open(
        _ contents: Contents, _ octets: Octets, of closed: Closed, into events: inout [Event]
    ) throws(FileError) {
        let place = closed.place
        if case .resourceFork = contents { return }
        guard closed.depth < options.containers.depth else {
            events.append(place.problem(contents.depthCode, "it is packed into too many others"))
            return
        }
        if judge.isClaimed(place) {
            waiting.append(closed.inner(.claim(octets, reported: judge.reported), at: place))
        }
        switch contents {
        case .container(let members, let problems):
            for problem in problems { events.append(place.problem(problem)) }
            waiting.append(closed.inner(.members(members[...]), at: place))
        case .mail(let kind):
            var bytes = ByteSource(octets)
            if MailRepair.repaired(try SourceKind.prefix(of: bytes)) != nil {
                bytes = ByteSource(try MailRepair.repaired(bytes, judge.spool))
            }
            let mailbox = NestedMailbox(bytes, kind, options)
            waiting.append(closed.inner(.mailbox(mailbox), at: place))
        case .tar:
            let archive = TarReader(ByteSource(octets))
            waiting.append(closed.inner(.tar(archive), at: place))
        case .compressed(let format):
            try decompress(octets, format, of: closed, into: &events)
        case .cms:
            try open(cms: octets, of: closed, into: &events)
        case .refused(let error):
            if !judge.isClaimed(place) { events.append(place.problem("limit-archive", "\(error)")) }
        case .pass, .other, .resourceFork:
            break
        }
    }

    /// Looks into what was signed. RFC 8551, 3.1: it is a part with a header, which need not look
    /// like that of a mail.
    private mutating func open(
        cms octets: Octets, of closed: Closed, into events: inout [Event]
    ) throws(FileError) {
        let content: EncapsulatedContent
        do throws(CMSError) {
            content = try EncapsulatedContent(of: octets, spool: judge.spool)
        } catch {
            switch error {
            case .noContent, .encrypted, .notAMessage, .unsupported: return
            case .file(let error): throw error
            default:
                events.append(closed.place.problem("damaged-cms", "\(error)"))
                return
            }
        }
        if content.isCompressed {
            try decompress(content.octets, .zlib, of: closed, isMail: true, into: &events)
        } else {
            try look(content.octets, of: closed.opened, isMail: true, into: &events)
        }
    }

    /// Looks into what stands compressed in octets.
    private mutating func decompress(
        _ octets: Octets, _ format: CompressionFormat, of closed: Closed, isMail: Bool = false,
        into events: inout [Event]
    ) throws(FileError) {
        var limits = options.compression
        limits.total = min(limits.total, budget.octets)
        if closed.place.message != nil {
            limits.memory = min(limits.memory, options.message.decompressionMemory)
        }
        // To see how it begins, a whole block is decompressed.
        cost.takeWork(format == .bzip2 ? 900_000 : 64 << 10)
        let decompressor = Decompressor(ByteSource(octets), format, limits: limits)
        // Most of what is compressed in mails has nothing to do with passes: its beginning tells.
        let prefix = try SourceKind.prefix(of: ByteSource(stream: decompressor))
        guard isMail || Contents.mayHoldPasses(prefix) || judge.isClaimed(closed.place) else {
            return
        }
        let stream = ByteSource(stream: decompressor, prefix: prefix)
        guard let inner = try stream.octets(limit: budget.octets, judge.spool) else {
            return stop(closed.place, into: &events)
        }
        if let failure = decompressor.failure {
            events.append(closed.place.problem("damaged-compression", "\(failure)"))
        }
        try look(inner, of: closed.opened, isMail: isMail, into: &events)
    }

    /// Reads the next piece of a mailbox; what was found in it comes before the rest.
    mutating func readOn(
        _ mailbox: NestedMailbox, of closed: Closed, into events: inout [Event]
    ) throws(FileError) {
        let isInMessage = closed.place.message != nil
        let most = isInMessage ? cost.messagesLeft : Int.max
        guard let letters = try mailbox.next(messages: most) else {
            if mailbox.isCut, cost.reportsMessages() {
                let most = options.message.messages
                let detail = "the mailboxes in it hold more than \(most) messages"
                events.append(closed.place.problem("limit-messages", detail))
            }
            return
        }
        openedParts += mailbox.partCount
        if isInMessage { cost.takeMessages(mailbox.messageCount) }
        waiting.append(closed)
        let first = mailbox.firstNumber ?? messageCount + 1
        mailbox.firstNumber = first
        for letter in letters.reversed() {
            let place = closed.place.message(letter.message, isInMailbox: mailbox.kind.isMailbox)
            var message = closed.message
            if !isInMessage {
                message = .init(number: first + letter.message.index, size: letter.size)
                messageCount = max(messageCount, message.number)
            }
            for part in letter.parts.reversed() {
                waiting.append(
                    Closed(
                        place: place.part(part.number, part.header), form: .part(part),
                        depth: closed.depth, message: message))
            }
        }
        for letter in letters {
            let place = closed.place.message(letter.message, isInMailbox: mailbox.kind.isMailbox)
            for problem in letter.problems {
                let part = place.part(problem.part, closed.place.header)
                events.append(part.problem(problem))
            }
        }
    }

    /// Opens the next file of a tar archive; the rest comes when that is done.
    mutating func openNext(
        in archive: TarReader, of closed: Closed, into events: inout [Event]
    ) throws(FileError) {
        let file: TarFile
        switch try archive.next() {
        case nil: return
        case .problem(let error):
            events.append(closed.place.problem("damaged-archive", "\(error)"))
            waiting.append(closed)
            return
        case .file(let found): file = found
        }
        waiting.append(closed)
        let name = PartHeader.fileName(file.name) ?? file.name
        let place = closed.place.member(file.name, PartHeader(names: [name]))
        guard budget.takeMember() else { return stop(place, into: &events) }
        let prefix = try SourceKind.prefix(of: ByteSource(stream: file.body))
        let bytes = ByteSource(stream: file.body, prefix: prefix)
        let kind = SourceKind(prefix.span)
        if FileSignature(prefix.span) == nil, kind == .message || kind.isMailbox,
            !judge.isClaimed(place)
        {
            let mailbox = NestedMailbox(bytes, kind, options)
            waiting.append(closed.inner(.mailbox(mailbox), at: place))
        } else if Contents.mayHoldPasses(prefix) || judge.isClaimed(place) {
            guard let octets = try bytes.octets(limit: budget.octets, judge.spool) else {
                return stop(place, into: &events)
            }
            try look(octets, of: closed.inner(.file(octets), at: place), into: &events)
        }
    }
}

extension Contents {
    /// The code of the problem that such contents lie too deep in others.
    fileprivate var depthCode: String {
        if case .mail = self { return "limit-nesting" }
        return "limit-depth"
    }
}
