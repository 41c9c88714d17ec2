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
            waiting.append(
                Closed(place: place, form: .claim(octets, reported: judge.reported), depth: 0))
        }
        let depth = closed.depth + 1
        switch contents {
        case .container(let members, let problems):
            for problem in problems { events.append(place.problem(problem)) }
            for member in members.reversed() {
                let inner = place.member(member.name, member.header)
                waiting.append(Closed(place: inner, form: .member(member), depth: depth))
            }
        case .mail(let kind):
            var bytes = ByteSource(octets)
            if MailRepair.repaired(try SourceKind.prefix(of: bytes)) != nil {
                bytes = ByteSource(try MailRepair.repaired(bytes, judge.spool))
            }
            let mailbox = NestedMailbox(bytes, kind, options)
            waiting.append(Closed(place: place, form: .mailbox(mailbox), depth: depth))
        case .tar:
            let archive = TarReader(ByteSource(octets))
            waiting.append(Closed(place: place, form: .tar(archive), depth: depth))
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
        guard let letters = try mailbox.next() else { return }
        // In an archive each mail is a message of its own.
        if closed.place.message == nil { links.beginSource() }
        openedParts += mailbox.partCount
        waiting.append(closed)
        for letter in letters.reversed() {
            let place = closed.place.message(letter.message, isInMailbox: mailbox.kind.isMailbox)
            for part in letter.parts.reversed() {
                waiting.append(
                    Closed(
                        place: place.part(part.number, part.header), form: .part(part),
                        depth: closed.depth))
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
        let depth = closed.depth + 1
        let kind = SourceKind(prefix.span)
        if FileSignature(prefix.span) == nil, kind == .message || kind.isMailbox,
            !judge.isClaimed(place)
        {
            let mailbox = NestedMailbox(bytes, kind, options)
            waiting.append(Closed(place: place, form: .mailbox(mailbox), depth: depth))
        } else if Contents.mayHoldPasses(prefix) || judge.isClaimed(place) {
            guard let octets = try bytes.octets(limit: budget.octets, judge.spool) else {
                return stop(place, into: &events)
            }
            try look(
                octets, of: Closed(place: place, form: .file(octets), depth: depth), into: &events)
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
