import Archives
import Bytes
import Compression
import Cryptography
import MIME
import MailContainers
import MailSource
import PassContainers
import PassDetection
import PassLinks
import PassVerification
import Platform

/// Recognises parts and files, opens those that may contain passes, and has each pass judged.
///
/// Items are kept on a stack, so that nothing recurses, however deep the nesting.
struct Unpacker {
    /// The number of parts in opened messages, multiparts excluded.
    private(set) var openedParts = 0

    /// The number of messages found outside of any other message.
    private(set) var openedMessages = 0

    /// Fragments of messages, which may be completed by other messages.
    private(set) var fragments: [Fragment] = []

    private let options: ImportOptions
    private var judge: CandidateVerifier
    private var isNamed = false
    private var waiting: [PendingItem] = []
    private var budgets: UnpackingBudgets
    private var links: LinkSearch
    /// The budgets and links of the message, saved while an attachment stored beside it is judged.
    private var ofMessage: (UnpackingBudgets, LinkSearch)?

    init(_ options: ImportOptions) {
        self.options = options
        judge = CandidateVerifier(options)
        budgets = UnpackingBudgets(options)
        links = LinkSearch(options)
    }

    /// The size of passes in results waiting to be imported, in bytes.
    var held: Int { judge.held }

    /// Begins a source; `download` is set if it was fetched. `isNamed`: the user named it.
    mutating func begin(download: DownloadedFile?, isNamed: Bool) {
        judge.begin(download: download)
        self.isNamed = isNamed
    }

    /// Records a limit that parsing the message exceeded, and that was reported.
    mutating func giveUp(_ limit: Problem.Limit) { budgets.message.giveUp(limit) }

    /// Records how much of the message was read, in bytes.
    mutating func note(size: Int) { budgets.message.note(size: size) }

    /// Called after the results, and the data in them, were taken.
    mutating func forgetHeld() {
        judge.forgetHeld()
        (openedParts, openedMessages) = (0, 0)
    }

    mutating func takeFragments() -> [Fragment] {
        defer { fragments = [] }
        return fragments
    }

    /// Begins a message or file of `size` bytes: resets the budgets.
    mutating func beginSource(size: Int = 0) {
        budgets = UnpackingBudgets(options, size: size)
        links.beginSource()
    }

    /// Queues a file that other programs may still modify.
    mutating func enqueue(file: SpooledBytes, at location: PartLocation) {
        beginSource(size: file.count)
        waiting = [PendingItem(location: location, kind: .file(file), depth: 0)]
    }

    /// Queues an archive of unknown size.
    mutating func enqueue(
        archive: ByteSource, _ format: ArchiveFormat, at location: PartLocation
    ) throws(FileError) {
        beginSource(size: Int.max)
        let reader = try ArchiveReader(archive, format, limits: options.archives)
        waiting = [PendingItem(location: location, kind: .archive(reader), depth: 1)]
    }

    /// Whether items are queued.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Queues a part of the current message. It is decoded in each possible way until that gives an
    /// intact pass or a container.
    mutating func enqueue(_ part: CollectedPart, at location: PartLocation) {
        waiting = [PendingItem(location: location, kind: .part(part), depth: 0)]
    }

    /// Queues a file that belongs to the current message, with its own budgets.
    mutating func enqueue(fileBeside file: SpooledBytes, at location: PartLocation) {
        ofMessage = (budgets, links)
        enqueue(file: file, at: location)
    }

    /// Queues the contents of a message assembled from fragments.
    mutating func enqueue(mail: SpooledBytes, at location: PartLocation) {
        beginSource(size: mail.count)
        waiting = [
            PendingItem(location: location, kind: mailbox(ByteSource(mail), .message), depth: 1)
        ]
    }

    /// Judges or opens the next item.
    mutating func judgeNext(into events: inout [Event]) {
        guard let next = waiting.popLast() else { return }
        if budgets.goOn(with: next.message) { links.beginSource() }
        let start = MessageBudget.processorSeconds
        let reported = events.count
        do throws(FileError) {
            if budgets.message.exceeded != nil, !next.isClaim {
                stop(next.location, into: &events)
            } else {
                try open(next, into: &events)
            }
        } catch {
            events.append(next.location.failure(error))
        }
        budgets.message.takeTime(since: start)
        budgets.message.takeReports(events.count - reported)
        if budgets.decoding.entries == 0 { stop(next.location, into: &events) }
        if waiting.isEmpty, let saved = ofMessage.take() { (budgets, links) = saved }
    }

    private mutating func open(_ item: PendingItem, into events: inout [Event]) throws(FileError) {
        switch item.kind {
        case .part(let part): try open(part, of: item, into: &events)
        case .file(let octets): try open(file: octets, of: item, into: &events)
        case .members(let members): openFirst(of: members, in: item, into: &events)
        case .mailbox(let mailbox): try readOn(mailbox, of: item, into: &events)
        case .archive(let archive): try openNext(in: archive, of: item, into: &events)
        case .archiveEnd(let octets, let archive, let error):
            try finish(octets, archive, error, of: item, into: &events)
        case .archives(let archives): try openFirst(of: archives, in: item, into: &events)
        case .claim(let octets, let reported):
            if judge.reported == reported {
                try report(octets, at: item.location, into: &events)
            }
        }
    }

    private mutating func open(
        _ part: CollectedPart, of item: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        switch part.kind {
        case .fragment:
            guard let partial = part.header.partial else { break }
            let piece = budgets.message.takePiece()
            guard piece.isTaken else {
                guard piece.count == options.message.pieces + 1 else { return }
                let limit = Problem.Limit.pieces(options.message.pieces)
                events.append(item.location.problem(.limit(limit)))
                return
            }
            fragments.append(
                Fragment(
                    location: item.location, partial: partial,
                    body: try part.decodedText(judge.spool),
                    eventsBefore: events.count))
            return
        case .text(let form):
            budgets.message.takeWork(part.body.count)
            try links.search(part, form, at: item.location, into: &events)
            return try judgeHeldByLinks(in: item, into: &events)
        case .externalBody(let external):
            return try links.report(external, part, at: item.location, into: &events)
        case .encodedText:
            if try search(text: part, of: item, into: &events) { return }
        case .file, .message:
            break
        }
        if part.isLeftOut { return }
        if part.header.isTakenOut, part.isEmpty {
            // In an archive, the file may be another member.
            guard item.depth == 0, item.location.declaration.isClaim else { return }
            events.append(item.location.problem(.attachmentMissing))
            return
        }
        var best: FoundPass?
        var first: SpooledBytes?
        var damaged: (Contents, SpooledBytes)?
        decodings: for decoding in part.decodings {
            let octets = try BodyDecoder.decode(part.body, decoding, spool: judge.spool)
            if first == nil { first = octets }
            budgets.message.takeWork(part.body.count)
            // The message's own parts do not count as unpacked, since they are no larger than the
            // message.
            guard budgets.message.exceeded == nil,
                item.depth == 0 ? budgets.decoding.mayVerify : budgets.decoding.take(octets.count)
            else {
                return stop(item.location, into: &events)
            }
            let contents = try contents(of: octets, [], in: item)
            switch contents {
            case .pass(let archive):
                let found = try verify(Candidate(pass: octets, at: item.location), archive)
                let isIntact = found.verification.verified != nil
                if isIntact || best?.verification.verdict ?? .malformed == .malformed {
                    best = found
                }
                if isIntact { break decodings }
            case .other(let isArchive):
                // Decoded correctly, but not a pass: usually an Office file.
                if isArchive { break decodings }
            case .damagedArchive:
                // Another decoding may give an intact one.
                if damaged == nil { damaged = (contents, octets) }
            default:
                return try open(contents, octets, of: item, into: &events)
            }
        }
        if let best {
            judge.report(best, into: &events)
        } else if let (contents, octets) = damaged {
            try open(contents, octets, of: item, into: &events)
        } else if let first, part.kind == .message {
            try open(.mail(.message), first, of: item, into: &events)
        } else if let first {
            if part.header.isTextInBase64 { try search(text: first, of: item, into: &events) }
            try report(first, at: item.location, into: &events)
        }
    }

    /// Queues the contents of an encoded text; false if it is no text.
    private mutating func search(
        text part: CollectedPart, of item: PendingItem, into events: inout [Event]
    ) throws(FileError) -> Bool {
        let text = try part.decodedText(judge.spool)
        budgets.message.takeWork(part.body.count)
        if try ContentHead(of: ByteSource(text)).kind.mayHoldPasses { return false }
        try search(text: text, of: item, into: &events)
        return true
    }

    /// Queues the contents of a decoded text: encoded files, and the source of messages.
    private mutating func search(
        text: SpooledBytes, of item: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        guard let message = try text.textMessage(judge.spool) else { return }
        budgets.message.takeWork(text.count)
        guard item.depth < options.containers.depth else {
            events.append(item.location.problem(.limit(.nesting)))
            return
        }
        let mailbox = NestedMailbox(
            ByteSource(message), .message, firstNumber: 0, isText: true, options)
        waiting.append(item.inner(.mailbox(mailbox), at: item.location))
    }

    private mutating func open(
        file: SpooledBytes, of item: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        // A small file is copied at once. A large one, which is rarely a pass, is copied only if it
        // is a candidate, and then opened a second time, in its copy.
        var octets = file
        if file.count <= options.spool.memory { octets = try copy(of: file, limit: file.count) }
        switch try contents(of: octets, in: item) {
        case .pass(let archive):
            let candidate = Candidate(pass: octets, at: item.location)
            judge.report(try verify(candidate, archive), into: &events)
        case .other:
            let isAsked = options.takesFilesForPasses
            try report(octets, at: item.location, isAsked: isAsked, into: &events)
        case let contents:
            try open(contents, octets, of: item, into: &events)
        }
    }

    /// A copy if other programs may change the octets; the octets themselves if they exceed the
    /// limit.
    private func copy(of octets: SpooledBytes, limit: Int) throws(FileError) -> SpooledBytes {
        guard octets.mayChange else { return octets }
        return try ByteSource(octets).octets(limit: limit, judge.spool) ?? octets
    }

    /// Opens the next member of a container; the rest is queued.
    private mutating func openFirst(
        of members: ArraySlice<Contents.Member>, in container: PendingItem,
        into events: inout [Event]
    ) {
        guard let member = members.first else { return }
        var rest = members.dropFirst()
        // An archive is reported once, and each member of it that claims to be a pass.
        let isAsked = member.declaration.isClaim
        if member.unreadFormat != nil, !isAsked {
            rest.removeAll { $0.unreadFormat != nil && !$0.declaration.isClaim }
        }
        if !rest.isEmpty {
            waiting.append(
                PendingItem(
                    location: container.location, kind: .members(rest), depth: container.depth,
                    message: container.message))
        }
        var item = container
        item.location = container.location.member(member.name, member.declaration)
        if let format = member.unreadFormat {
            return reportUnread(
                format, isAsked ? item.location : container.location, into: &events)
        }
        guard budgets.decoding.takeMember() else {
            return stop(item.location, into: &events)
        }
        let octets: SpooledBytes
        do throws(ZipError) {
            octets = try member.octets(limit: budgets.decoding.octets, spool: judge.spool)
        } catch {
            switch error {
            case .file(let error): events.append(item.location.failure(error))
            default: events.append(item.location.problem(.member(error)))
            }
            budgets.decoding.take(member.costOfRefusal(error, options.containers.archive))
            return
        }
        do throws(FileError) {
            try look(octets, of: item, into: &events)
        } catch {
            events.append(item.location.failure(error))
        }
    }

    /// Examines decoded data from a container.
    private mutating func look(
        _ octets: SpooledBytes, of item: PendingItem, isMail: Bool = false,
        into events: inout [Event]
    ) throws(FileError) {
        guard budgets.decoding.take(octets.count) else {
            return stop(item.location, into: &events)
        }
        let contents = try contents(of: octets, in: item)
        switch contents {
        case .pass(let archive):
            let candidate = Candidate(pass: octets, at: item.location)
            judge.report(try verify(candidate, archive), into: &events)
        case .other where isMail:
            try open(.mail(.message), octets, of: item, into: &events)
        case .other:
            try report(octets, at: item.location, into: &events)
        default:
            try open(contents, octets, of: item, into: &events)
        }
    }

    /// Drops queued items after a limit was exceeded; within an archive, only the items of the
    /// message that exceeded it.
    private mutating func stop(_ location: PartLocation, into events: inout [Event]) {
        if budgets.message.exceeded != nil {
            waiting.removeAll { !$0.isClaim && budgets.includes($0.message) }
            guard let limit = budgets.message.takeExceeded() else { return }
            events.append(location.problem(.limit(limit)))
        } else {
            waiting.removeAll { !$0.isClaim }
            guard let limit = budgets.decoding.takeLimit() else { return }
            events.append(location.problem(.limit(limit)))
        }
    }

    private mutating func contents(
        of octets: SpooledBytes, _ hint: ContentKind.Hint = .isFile, in item: PendingItem
    ) throws(FileError) -> Contents {
        var limits = options.containers
        if item.location.message != nil {
            limits.archive.entries = min(limits.archive.entries, options.message.entries)
        }
        let contents = try budgets.decoding.contents(
            of: octets, item.location.header.contentHint.union(hint), types: options.types,
            limits: limits)
        // Other bytes before a pass may look like mail.
        if case .mail = contents, item.location.declaration.isClaim,
            let pass = try Contents.pass(in: octets, limits: limits)
        {
            return pass
        }
        return contents
    }

    /// Reports octets that are not a pass, if they are said to be one.
    private mutating func report(
        _ octets: SpooledBytes, at location: PartLocation, isAsked: Bool = false,
        into events: inout [Event]
    ) throws(FileError) {
        guard let candidate = Candidate(other: octets, at: location, isAsked: isAsked) else {
            return
        }
        judge.report(try verify(candidate), into: &events)
    }

    /// Reports content in a format that is not read.
    private mutating func reportUnread(
        _ format: UnreadFormat, _ location: PartLocation, into events: inout [Event]
    ) {
        let isSource = location.message == nil && location.part.isEmpty
        let isAsked = location.declaration.isClaim || isNamed && isSource
        events.append(location.problem(.formatNotRead(format), isIncidental: !isAsked))
        judge.noteUnread()
    }

    /// Verifies a candidate. Inflation beyond the usual amount counts as unpacked data.
    private mutating func verify(_ candidate: Candidate, _ archive: ZipArchive? = nil)
        throws(FileError) -> FoundPass
    {
        var (candidate, archive) = (candidate, archive)
        // Exactly the judged bytes must be stored, and the open archive reads the original.
        if candidate.octets.mayChange {
            let limit = options.verifier.limits.archive
            candidate = candidate.copied(to: try copy(of: candidate.octets, limit: limit))
            archive = nil
        }
        let found = judge.verify(candidate, archive)
        budgets.message.takeWork(candidate.octets.count + found.verification.inflated)
        let usual = candidate.octets.count * options.containers.verifiedRatio
        budgets.decoding.takeVerified(max(0, found.verification.inflated - usual))
        return found
    }

    /// Opens a container; its contents are queued.
    private mutating func open(
        _ contents: Contents, _ octets: SpooledBytes, of item: PendingItem,
        into events: inout [Event]
    ) throws(FileError) {
        let location = item.location
        if case .resourceFork = contents { return }
        guard item.depth < options.containers.depth else {
            events.append(location.problem(.limit(contents.depthLimit)))
            return
        }
        if case .unread(let format) = contents {
            return reportUnread(format, location, into: &events)
        }
        if location.declaration.isClaim {
            waiting.append(item.inner(.claim(octets, reported: judge.reported), at: location))
        }
        switch contents {
        case .container(let members, let problems):
            for problem in problems { events.append(location.problem(.container(problem))) }
            waiting.append(item.inner(.members(members[...]), at: location))
        case .mail(let format):
            open(ByteSource(octets), as: format, item, at: location)
        case .damagedMail:
            let bytes = ByteSource(try MailRepair.repaired(ByteSource(octets), judge.spool))
            let head = try ContentHead(of: bytes, location.header.contentHint)
            open(bytes, as: head.kind.mailFormat ?? .message, item, at: location)
        case .archive(let format):
            let archive = try reader(octets, format, in: item)
            waiting.append(item.inner(.archive(archive), at: location))
        case .archives(let archives):
            waiting.append(item.inner(.archives(archives[...]), at: location))
        case .damagedArchive(let error, let starts):
            let archive = try reader(octets, .zip, in: item, starts: starts)
            waiting.append(item.inner(.archiveEnd(octets, archive, error), at: location))
            waiting.append(item.inner(.archive(archive), at: location))
        case .compressed(let format):
            try decompress(octets, format, of: item, into: &events)
        case .cms:
            try open(cms: octets, of: item, into: &events)
        case .openPGP:
            try open(openPGP: octets, of: item, into: &events)
        case .refused(let error):
            if !location.declaration.isClaim {
                events.append(location.problem(.archiveTooLarge(error)))
            }
        case .pass, .other, .resourceFork, .unread:
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
            case .noContent, .notAMessage, .unsupported: return
            case .encrypted: return reportUnread(.encryptedCMS, item.location, into: &events)
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

    /// Opens the data of an OpenPGP message.
    private mutating func open(
        openPGP octets: SpooledBytes, of item: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        switch try OpenPGPMessage(octets, spool: judge.spool) {
        case .encrypted:
            reportUnread(.encryptedOpenPGP, item.location, into: &events)
        case .compressed(let algorithm, let packets):
            try decompress(packets, CompressionFormat(algorithm), of: item, into: &events)
        case .literal(let file):
            let name = file.header.names.first ?? "data"
            var member = item.opened
            member.location = item.location.member(name, options.types.declaration(file.header))
            try look(try file.body(judge.spool), of: member, into: &events)
        case nil:
            break
        }
    }

    /// Opens compressed octets.
    private mutating func decompress(
        _ octets: SpooledBytes, _ format: CompressionFormat, of item: PendingItem,
        isMail: Bool = false,
        into events: inout [Event]
    ) throws(FileError) {
        var limits = options.compression
        limits.total = min(limits.total, budgets.decoding.octets)
        if item.location.message != nil {
            limits.memory = min(limits.memory, options.message.decompressionMemory)
        }
        // The first read decompresses a whole block.
        budgets.message.takeWork(format == .bzip2 ? 900_000 : 64 << 10)
        let decompressor = Decompressor(ByteSource(octets), format, limits: limits)
        // Most compressed data in mail is unrelated to passes, which its beginning shows.
        let hint = item.location.header.contentHint.union(.isFile)
        let head = try ContentHead(of: ByteSource(stream: decompressor), hint)
        guard isMail || item.location.declaration.mayHoldPasses(head.kind) else {
            // If it cannot be read at all, it may hold anything.
            if head.bytes.isEmpty, let failure = decompressor.failure {
                events.append(item.location.problem(.compression(failure)))
            }
            return
        }
        if let format = head.kind.unreadFormat {
            return reportUnread(format, item.location, into: &events)
        }
        let stream = ByteSource(stream: decompressor, prefix: head.bytes)
        guard let inner = try stream.octets(limit: budgets.decoding.octets, judge.spool) else {
            return stop(item.location, into: &events)
        }
        if let failure = decompressor.failure {
            events.append(item.location.problem(.compression(failure)))
        }
        try look(inner, of: item.opened, isMail: isMail, into: &events)
    }

    /// Reads the next batch of a mailbox; its findings are judged before the next one.
    private mutating func readOn(
        _ mailbox: NestedMailbox, of item: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        let isInMessage = item.location.message != nil
        let most = isInMessage ? budgets.message.messagesLeft : Int.max
        guard let batch = try mailbox.next(messages: most) else {
            if mailbox.isCut, budgets.message.reportsMessages() {
                let limit = Problem.Limit.messages(options.message.messages)
                events.append(item.location.problem(.limit(limit)))
            }
            return
        }
        // A text was counted as a part where it was found.
        openedParts += max(mailbox.partCount - (mailbox.isText ? 1 : 0), 0)
        if isInMessage {
            budgets.message.takeMessages(mailbox.messageCount)
        } else {
            openedMessages += mailbox.messageCount
        }
        waiting.append(item)
        for inner in batch.reversed() {
            let location = item.location.message(inner.message, in: mailbox)
            var message = item.message
            if !isInMessage, !mailbox.isText {
                let number = mailbox.firstNumber + inner.message.index
                message = .init(number: number, size: inner.size)
                budgets.note(message: number)
            }
            for case .part(let part, let declaration) in inner.findings.reversed() {
                waiting.append(
                    PendingItem(
                        location: mailbox.isText
                            ? location.partOfText(part.number, declaration)
                            : location.part(part.number, declaration),
                        kind: .part(part), depth: item.depth, message: message))
            }
        }
        for inner in batch {
            let location = item.location.message(inner.message, in: mailbox)
            for case .problem(let problem) in inner.findings {
                let part = location.part(problem.part, .none)
                events.append(part.problem(.message(problem.kind)))
            }
        }
    }

    /// Queues mail, which is read in batches.
    private mutating func open(
        _ bytes: ByteSource, as format: MailFormat, _ item: PendingItem, at location: PartLocation
    ) {
        waiting.append(item.inner(mailbox(bytes, format), at: location))
    }

    private func mailbox(_ bytes: ByteSource, _ format: MailFormat) -> PendingItem.Kind {
        .mailbox(NestedMailbox(bytes, format, firstNumber: budgets.messageCount + 1, options))
    }

    private func reader(
        _ octets: SpooledBytes, _ format: ArchiveFormat, in item: PendingItem, starts: [Int] = []
    ) throws(FileError) -> ArchiveReader {
        var limits = options.archives
        limits.total = min(limits.total, budgets.decoding.octets)
        if item.location.message != nil {
            limits.memory = min(limits.memory, options.message.decompressionMemory)
            limits.entries = min(limits.entries, options.message.entries)
        }
        return try ArchiveReader(ByteSource(octets), format, limits: limits, starts: starts)
    }

    /// Opens the next file of an archive; the rest is queued.
    private mutating func openNext(
        in archive: ArchiveReader, of item: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        let next = try archive.next()
        let skipped = archive.takeSkipped()
        budgets.message.takeWork(skipped)
        let file: ArchiveFile
        switch next {
        case nil: return
        case .problem(let error):
            // Judged as a whole, a file that claims to be a pass is reported as malformed.
            if error.isLimit || !isUnmetClaim(item) {
                events.append(item.location.problem(.archive(error)))
            }
            waiting.append(item)
            return
        case .encrypted(let format):
            reportUnread(UnreadFormat(format), item.location, into: &events)
            waiting.append(item)
            return
        case .file(let found): file = found
        }
        waiting.append(item)
        guard budgets.decoding.take(skipped) else { return stop(item.location, into: &events) }
        let location = item.location.member(
            file.name, options.types.declaration(ofMember: file.name))
        guard budgets.decoding.takeMember() else { return stop(location, into: &events) }
        let hint = location.header.contentHint.union(.isFile)
        let head = try ContentHead(of: ByteSource(stream: file.body), hint)
        let bytes = ByteSource(stream: file.body, prefix: head.bytes)
        if let format = head.kind.unreadFormat {
            return reportUnread(format, location, into: &events)
        }
        // An emlx file is read as a whole: its end is needed to check its length.
        if let format = head.kind.mailFormat, format == .message || format.isMailbox,
            !location.declaration.isClaim
        {
            let member = PendingItem(
                location: location, kind: .archive(archive), depth: item.depth,
                message: item.message)
            open(bytes, as: format, member, at: location)
        } else if location.declaration.mayHoldPasses(head.kind) {
            guard let octets = try bytes.octets(limit: budgets.decoding.octets, judge.spool) else {
                return stop(location, into: &events)
            }
            // The next step reports why.
            guard archive.isFileWhole else { return }
            let member = PendingItem(
                location: location, kind: .file(octets), depth: item.depth, message: item.message)
            try look(octets, of: member, into: &events)
        }
    }

    /// Ends a damaged ZIP archive: reports the damage, unless its reader did, and queues the intact
    /// archives in it.
    private mutating func finish(
        _ octets: SpooledBytes, _ archive: ArchiveReader, _ error: ZipError,
        of item: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        let ends = archive.starts.dropFirst() + [octets.count]
        let archives = zip(archive.starts, ends).map { octets.slice($0..<$1) }
        if !archives.isEmpty {
            waiting.append(item.inner(.archives(archives[...]), at: item.location))
        }
        guard !archive.hasProblems, !isUnmetClaim(item) else { return }
        let problem: ArchiveError =
            error == .notAnArchive ? .truncated : .damaged(.zip, reason: nil)
        events.append(item.location.problem(.archive(problem)))
    }

    /// Opens the next one of several archives.
    private mutating func openFirst(
        of archives: ArraySlice<SpooledBytes>, in item: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        guard let octets = archives.first else { return }
        if archives.count > 1 {
            waiting.append(
                PendingItem(
                    location: item.location, kind: .archives(archives.dropFirst()),
                    depth: item.depth, message: item.message))
        }
        guard budgets.decoding.takeMember() else { return stop(item.location, into: &events) }
        try look(octets, of: item, into: &events)
    }

    /// Whether the item claims to be a pass, and no pass was found in it so far.
    private func isUnmetClaim(_ item: PendingItem) -> Bool {
        guard item.location.declaration.isClaim,
            let claim = waiting.last(where: \.isClaim), case .claim(_, let reported) = claim.kind
        else { return false }
        return judge.reported == reported
    }

    /// Searches for links in a file that is neither mail nor a pass.
    mutating func searchLinks(
        in file: SpooledBytes, name: String, at location: PartLocation, into events: inout [Event]
    ) throws(FileError) {
        links.beginSource()
        try links.search(file, name: name, at: location, into: &events)
        let item = PendingItem(location: location, kind: .file(file), depth: 0)
        try judgeHeldByLinks(in: item, into: &events)
    }

    /// Judges the contents of the `data:` URLs found last in a text.
    private mutating func judgeHeldByLinks(
        in text: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        for url in links.takeHeld() {
            let header = PartHeader(contentType: url.contentType, contentDisposition: nil)
            let location = text.location.declared(options.types.declaration(header))
            guard budgets.decoding.takeMember() else { return stop(location, into: &events) }
            let octets = SpooledBytes(url.body)
            try look(octets, of: text.inner(.file(octets), at: location), into: &events)
        }
    }
}

extension PartLocation {
    fileprivate func message(
        _ message: MessageReference, in mailbox: NestedMailbox
    ) -> PartLocation {
        mailbox.isText ? self : self.message(message, isInMailbox: mailbox.format.isMailbox)
    }
}

extension Contents {
    /// The limit that is exceeded if the contents are nested too deeply.
    fileprivate var depthLimit: Problem.Limit {
        switch self {
        case .mail, .damagedMail: return .nesting
        default: return .depth
        }
    }
}

extension UnreadFormat {
    /// Encrypted files in an archive of this format.
    fileprivate init(_ format: ArchiveFormat) {
        switch format {
        case .sevenZip: self = .encrypted7z
        case .rar: self = .encryptedRAR
        case .zip, .tar, .cpio, .ar, .iso, .warc: self = .encryptedZip
        }
    }
}

extension CompressionFormat {
    fileprivate init(_ algorithm: OpenPGPMessage.Algorithm) {
        self =
            switch algorithm {
            case .deflate: .deflate
            case .zlib: .zlib
            case .bzip2: .bzip2
            }
    }
}
