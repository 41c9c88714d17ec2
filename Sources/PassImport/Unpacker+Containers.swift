import Archives
import Bytes
import Compression
import MIME
import MailSource
import PassContainers
import PassVerification
import Platform

/// Opening containers of each kind.
extension Unpacker {
    /// Opens a container; its contents are queued.
    mutating func open(
        _ contents: Contents, _ octets: SpooledBytes, of item: PendingItem,
        into events: inout [Event]
    ) throws(FileError) {
        let location = item.location
        if case .resourceFork = contents { return }
        guard item.depth < options.containers.depth else {
            events.append(location.problem(.limit(contents.depthLimit)))
            return
        }
        if judge.isClaimed(location) {
            waiting.append(item.inner(.claim(octets, reported: judge.reported), at: location))
        }
        switch contents {
        case .container(let members, let problems):
            for problem in problems { events.append(location.problem(.container(problem))) }
            waiting.append(item.inner(.members(members[...]), at: location))
        case .mail(let kind):
            var bytes = ByteSource(octets)
            if MailRepair.repaired(try SourceKind.prefix(of: bytes)) != nil {
                bytes = ByteSource(try MailRepair.repaired(bytes, judge.spool))
            }
            let mailbox = NestedMailbox(bytes, kind, options)
            waiting.append(item.inner(.mailbox(mailbox), at: location))
        case .tar:
            let archive = TarReader(ByteSource(octets))
            waiting.append(item.inner(.tar(archive), at: location))
        case .compressed(let format):
            try decompress(octets, format, of: item, into: &events)
        case .cms:
            try open(cms: octets, of: item, into: &events)
        case .refused(let error):
            if !judge.isClaimed(location) {
                events.append(location.problem(.archiveTooLarge(error)))
            }
        case .pass, .other, .resourceFork:
            break
        }
    }

    /// Opens the content of a CMS message. By RFC 8551, 3.1 it is a MIME part, whose header may not
    /// look like that of a message.
    private mutating func open(
        cms octets: SpooledBytes, of item: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        let content: EncapsulatedContent
        do throws(CMSError) {
            content = try EncapsulatedContent(of: octets, spool: judge.spool)
        } catch {
            switch error {
            case .noContent, .encrypted, .notAMessage, .unsupported: return
            case .file(let error): throw error
            default:
                events.append(item.location.problem(.cms(error)))
                return
            }
        }
        if content.isCompressed {
            try decompress(content.octets, .zlib, of: item, isMail: true, into: &events)
        } else {
            try look(content.octets, of: item.opened, isMail: true, into: &events)
        }
    }

    /// Opens compressed octets.
    private mutating func decompress(
        _ octets: SpooledBytes, _ format: CompressionFormat, of item: PendingItem,
        isMail: Bool = false,
        into events: inout [Event]
    ) throws(FileError) {
        var limits = options.compression
        limits.total = min(limits.total, budget.octets)
        if item.location.message != nil {
            limits.memory = min(limits.memory, options.message.decompressionMemory)
        }
        // The first read decompresses a whole block.
        cost.takeWork(format == .bzip2 ? 900_000 : 64 << 10)
        let decompressor = Decompressor(ByteSource(octets), format, limits: limits)
        // Most compressed data in mail is unrelated to passes, which its beginning shows.
        let prefix = try SourceKind.prefix(of: ByteSource(stream: decompressor))
        guard isMail || Contents.mayHoldPasses(prefix) || judge.isClaimed(item.location) else {
            return
        }
        let stream = ByteSource(stream: decompressor, prefix: prefix)
        guard let inner = try stream.octets(limit: budget.octets, judge.spool) else {
            return stop(item.location, into: &events)
        }
        if let failure = decompressor.failure {
            events.append(item.location.problem(.compression(failure)))
        }
        try look(inner, of: item.opened, isMail: isMail, into: &events)
    }

    /// Reads the next batch of a mailbox; its findings are judged before the next one.
    mutating func readOn(
        _ mailbox: NestedMailbox, of item: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        let isInMessage = item.location.message != nil
        let most = isInMessage ? cost.messagesLeft : Int.max
        guard let batch = try mailbox.next(messages: most) else {
            if mailbox.isCut, cost.reportsMessages() {
                let limit = Problem.Limit.messages(options.message.messages)
                events.append(item.location.problem(.limit(limit)))
            }
            return
        }
        openedParts += mailbox.partCount
        if isInMessage { cost.takeMessages(mailbox.messageCount) }
        waiting.append(item)
        let first = mailbox.firstNumber ?? messageCount + 1
        mailbox.firstNumber = first
        for inner in batch.reversed() {
            let location = item.location.message(inner.message, isInMailbox: mailbox.kind.isMailbox)
            var message = item.message
            if !isInMessage {
                message = .init(number: first + inner.message.index, size: inner.size)
                messageCount = max(messageCount, message.number)
            }
            for part in inner.parts.reversed() {
                waiting.append(
                    PendingItem(
                        location: location.part(part.number, part.header), kind: .part(part),
                        depth: item.depth, message: message))
            }
        }
        for inner in batch {
            let location = item.location.message(inner.message, isInMailbox: mailbox.kind.isMailbox)
            for problem in inner.problems {
                let part = location.part(problem.part, item.location.header)
                events.append(part.problem(.message(problem.kind)))
            }
        }
    }

    /// Opens the next file of a tar archive; the rest is queued.
    mutating func openNext(
        in archive: TarReader, of item: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        let file: TarFile
        switch try archive.next() {
        case nil: return
        case .problem(let error):
            events.append(item.location.problem(.tar(error)))
            waiting.append(item)
            return
        case .file(let found): file = found
        }
        waiting.append(item)
        let name = PartHeader.fileName(file.name) ?? file.name
        let location = item.location.member(file.name, PartHeader(names: [name]))
        guard budget.takeMember() else { return stop(location, into: &events) }
        let prefix = try SourceKind.prefix(of: ByteSource(stream: file.body))
        let bytes = ByteSource(stream: file.body, prefix: prefix)
        let kind = SourceKind(prefix.span)
        if FileSignature(prefix.span) == nil, kind == .message || kind.isMailbox,
            !judge.isClaimed(location)
        {
            let mailbox = NestedMailbox(bytes, kind, options)
            waiting.append(item.inner(.mailbox(mailbox), at: location))
        } else if Contents.mayHoldPasses(prefix) || judge.isClaimed(location) {
            guard let octets = try bytes.octets(limit: budget.octets, judge.spool) else {
                return stop(location, into: &events)
            }
            try look(octets, of: item.inner(.file(octets), at: location), into: &events)
        }
    }
}

extension Contents {
    /// The limit that is exceeded if the contents are nested too deeply.
    fileprivate var depthLimit: Problem.Limit {
        if case .mail = self { return .nesting }
        return .depth
    }
}
