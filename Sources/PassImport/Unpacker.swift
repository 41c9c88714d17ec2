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
    private var isDownload = false
    /// Whether the source held mail, or anything that claimed to be a pass.
    private var heldMail = false
    private var waiting: [PendingItem] = []
    private var budgets: UnpackingBudgets
    private var links: LinkSearch
    /// The budgets and links of the message, saved while an attachment stored beside it is judged.
    private var ofMessage: (UnpackingBudgets, LinkSearch)?
    private var listed: ListedEvents
    /// The number of events that were listed or counted already.
    private var trimmed = 0
    /// Whether the queued items are from a message that has not ended yet.
    private var isInMessage = false

    init(_ options: ImportOptions) {
        self.options = options
        judge = CandidateVerifier(options)
        budgets = UnpackingBudgets(options)
        links = LinkSearch(options)
        listed = ListedEvents(limit: options.message.listed)
    }

    /// The size of passes in results waiting to be imported, in bytes.
    var held: Int { judge.held }

    /// Begins a source; `download` is set if it was fetched. `isNamed`: the user named it.
    mutating func begin(download: DownloadedFile?, isNamed: Bool) {
        judge.begin(download: download)
        self.isNamed = isNamed
        isDownload = download != nil
        heldMail = false
    }

    /// Whether damage is reported. Folders are full of damaged archives that have nothing to do with
    /// mail, such as the test data of other programs.
    func reportsDamage(in location: PartLocation) -> Bool {
        isNamed || isDownload || heldMail || location.message != nil
            || location.declaration.isClaim || location.header.contentHint.contains(.isMail)
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

    /// Begins a message of `size` bytes, or a file outside of mail: resets the budgets.
    mutating func beginSource(size: Int = 0, isMail: Bool = true) {
        isInMessage = false
        budgets = UnpackingBudgets(options, size: size, isMail: isMail)
        links.beginSource()
    }

    /// Queues a file that other programs may still modify.
    mutating func enqueue(file: SpooledBytes, at location: PartLocation) {
        beginSource(size: file.count, isMail: location.message != nil)
        waiting = [PendingItem(location: location, kind: .file(file), depth: 0)]
    }

    /// Queues an archive of unknown size.
    mutating func enqueue(
        archive: ByteSource, _ format: ArchiveFormat, at location: PartLocation
    ) throws(FileError) {
        beginSource(size: Int.max, isMail: false)
        let reader = try ArchiveReader(archive, format, limits: options.archives)
        waiting = [
            PendingItem(
                location: location, kind: .archive(reader, heldFolders(format)), depth: 1)
        ]
    }

    /// Whether items are queued.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Queues a part of the current message. It is decoded in each possible way until that gives an
    /// intact pass or a container.
    mutating func enqueue(_ part: CollectedPart, at location: PartLocation) {
        isInMessage = true
        waiting = [PendingItem(location: location, kind: .part(part), depth: 0)]
    }

    /// Queues a file that belongs to the current message, with its own budgets.
    mutating func enqueue(fileBeside file: SpooledBytes, at location: PartLocation) {
        ofMessage = (budgets, links)
        enqueue(file: file, at: location)
        isInMessage = true
    }

    /// Ends the message whose parts were judged.
    mutating func endMessage(into events: inout [Event]) { listed.end(into: &events) }

    /// Reports a problem that was found in the message before its parts are judged.
    mutating func report(_ problem: Event, into events: inout [Event]) {
        events.append(problem)
        listed.trim(&events, from: events.count - 1)
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
        if budgets.goOn(with: next.message) {
            links.beginSource()
            listed.end(into: &events)
        }
        let start = MessageBudget.processorSeconds
        let reported = events.count
        trimmed = reported
        do throws(FileError) {
            if budgets.message.exceeded != nil, !next.isClaim {
                stop(next.location, into: &events)
            } else {
                try open(next, into: &events)
            }
        } catch {
            events.append(next.location.failure(error))
        }
        listed.trim(&events, from: trimmed)
        budgets.message.takeTime(since: start)
        budgets.message.takeReports(events.count - reported)
        if budgets.decoding.entries == 0 { stop(next.location, into: &events) }
        if waiting.isEmpty, !isInMessage { listed.end(into: &events) }
        if waiting.isEmpty, let saved = ofMessage.take() { (budgets, links) = saved }
    }

    private mutating func open(_ item: PendingItem, into events: inout [Event]) throws(FileError) {
        switch item.kind {
        case .part(let part): try open(part, of: item, into: &events)
        case .file(let octets): try open(file: octets, of: item, into: &events)
        case .members(let members): try openNext(of: members, in: item, into: &events)
        case .mailbox(let mailbox): try readOn(mailbox, of: item, into: &events)
        case .archive(let archive, let folders):
            try openNext(in: archive, folders, of: item, into: &events)
        case .archiveEnd(let octets, let archive, let error):
            try finish(octets, archive, error, of: item, into: &events)
        case .archives(let archives): try openFirst(of: archives, in: item, into: &events)
        case .claim(let octets, let reported):
            if judge.reported == reported {
                let isAsked = options.takesFilesForPasses
                try report(octets, at: item.location, isAsked: isAsked, into: &events)
            }
        case .pass(let found, let reported):
            if judge.reported == reported { judge.report(found, into: &events) }
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
        if part.isLeftOut { return reportRemoval(of: part, at: item.location, into: &events) }
        if part.header.isTakenOut, part.isEmpty {
            // In an archive, the file may be another member.
            guard item.depth == 0, item.location.declaration.isClaim else { return }
            events.append(item.location.problem(.attachmentMissing))
            return
        }
        if part.body.count < ZipArchive.smallest, part.kind == .file,
            item.location.declaration.isClaim, listed.countsMalformed(at: item.location)
        {
            return
        }
        var best: (pass: FoundPass, archive: ZipArchive)?
        var first: SpooledBytes?
        var damaged: (Contents, SpooledBytes)?
        decodings: for decoding in part.decodings {
            let octets = try BodyDecoder.decode(part.body, decoding, spool: judge.spool)
            let isKnown = first.map(octets.isCopy) ?? false
            if first == nil { first = octets }
            budgets.message.takeWork(part.body.count)
            // The message's own parts do not count as unpacked, since they are no larger than the
            // message.
            guard budgets.message.exceeded == nil,
                item.depth == 0 ? budgets.decoding.mayVerify : budgets.decoding.take(octets.count)
            else {
                return stop(item.location, into: &events)
            }
            // Unlikely decodings mostly give the same.
            if isKnown { continue }
            let contents = try contents(of: octets, [], in: item)
            switch contents {
            case .pass(let archive):
                let found = try verify(Candidate(pass: octets, at: item.location), archive)
                let isIntact = found.verification.verified != nil
                if isIntact || best?.pass.verification.verdict ?? .malformed == .malformed {
                    best = (found, archive)
                }
                if isIntact { break decodings }
            case .other(let isArchive):
                // Decoded correctly, but not a pass: usually an Office file. In a message with many
                // malformed passes, short ones are not decoded in unlikely ways.
                if isArchive || part.body.count < 1 << 10 && listed.isFull(at: item.location) {
                    break decodings
                }
            case .damagedArchive:
                // Another decoding may give an intact one.
                if damaged == nil { damaged = (contents, octets) }
            default:
                return try open(contents, octets, of: item, into: &events)
            }
        }
        if let best {
            try report(best.pass, in: best.archive, of: item, into: &events)
        } else if let (contents, octets) = damaged {
            try open(contents, octets, of: item, into: &events)
        } else if part.header.isAltered, item.location.declaration.isClaim {
            reportRemoval(of: part, at: item.location, into: &events)
        } else if let first, part.kind == .message {
            try open(.mail(.message), first, of: item, into: &events)
        } else if let first {
            if part.header.isTextInBase64 { try search(text: first, of: item, into: &events) }
            try report(first, at: item.location, into: &events)
        }
    }

    /// Reports a part that claims to be a pass and was removed by a mail program.
    private func reportRemoval(
        of part: CollectedPart, at location: PartLocation, into events: inout [Event]
    ) {
        guard part.header.isAltered, location.declaration.isClaim else { return }
        let detached = part.header.detachedTo.map { Problem.Kind.attachmentDetached(place: $0) }
        events.append(location.problem(detached ?? .attachmentRemoved))
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
            try report(try verify(candidate, archive), in: archive, of: item, into: &events)
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
    private mutating func openNext(
        of members: Contents.Members, in container: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        let next = try members.next()
        if !members.isOver { waiting.append(container) }
        if let problem = members.takeProblem(), reportsDamage(in: container.location) {
            events.append(container.location.problem(.container(problem)))
        }
        guard let member = next else { return }
        var item = container
        item.location = container.location.member(member.name, member.declaration)
        let isAsked = member.declaration.isClaim
        if let format = member.unreadFormat {
            // An archive is reported once, and each member of it that claims to be a pass.
            guard isAsked || !members.isUnreadReported else { return }
            members.isUnreadReported = members.isUnreadReported || !isAsked
            return reportUnread(
                format, isAsked ? item.location : container.location, into: &events)
        }
        guard budgets.takeMember() else {
            return stop(item.location, into: &events)
        }
        beginMember(of: container)
        if let (archive, files) = member.unpackedPass {
            do throws(FileError) {
                let others = files.filter {
                    $0.value.isSymbolicLink || UnpackedPass.isTranslation($0.key)
                }
                let (limit, spool) = (budgets.decoding.octets, judge.spool)
                try open(unpacked: member.name, Array(others.keys), of: container, into: &events) {
                    name throws(ZipError) in
                    guard let entry = files[name] else { return nil }
                    if entry.isSymbolicLink { return .link }
                    return .octets(try archive.octets(of: entry, limit: limit, policy: spool))
                }
            } catch {
                events.append(item.location.failure(error))
            }
            return
        }
        if isAsked, member.isSmallerThanArchive, listed.countsMalformed(at: item.location) {
            return
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
        _ octets: SpooledBytes, of item: PendingItem, isMail: Bool = false, form: TextForm? = nil,
        into events: inout [Event]
    ) throws(FileError) {
        guard budgets.decoding.take(octets.count) else {
            return stop(item.location, into: &events)
        }
        let contents = try contents(of: octets, in: item)
        switch contents {
        case .pass(let archive):
            let candidate = Candidate(pass: octets, at: item.location)
            try report(try verify(candidate, archive), in: archive, of: item, into: &events)
        case .other where isMail:
            try open(.mail(.message), octets, of: item, into: &events)
        case .other:
            let header = item.location.declaration.header
            let named = header.names.lazy.compactMap(TextForm.init(name:)).first
            if let form = form ?? named ?? TextForm(page: header) {
                try searchText(octets, form, of: item, into: &events)
            }
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
            let isForAll = budgets.decoding.isSpent
            waiting.removeAll { !$0.isClaim && (isForAll || budgets.includes($0.message)) }
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
        } else if item.depth == 0, !item.location.declaration.isClaim {
            limits.archive.entries = limits.sourceEntries
            limits.archive.directory = limits.sourceDirectory
        }
        heldMail = heldMail || item.location.declaration.isClaim
        let contents = try budgets.decoding.contents(
            of: octets, item.location.header.contentHint.union(hint), types: options.types,
            limits: limits, texts: options.links == nil ? .withFiles : .all)
        // Other bytes before a pass may look like mail.
        if case .mail = contents, item.location.declaration.isClaim,
            let pass = try Contents.pass(in: octets, limits: limits)
        {
            return pass
        }
        // Named like mail, it may begin with a line of another text (VIOLATIONS.md, B20).
        if case .other(isArchive: false) = contents, item.isNamedAsMail { return .mail(.message) }
        return contents
    }

    /// Reports a pass, and queues the members of its archive that may be passes themselves, unless
    /// its signature covers them. A stray pass.json does not make a bundle of passes one pass.
    private mutating func report(
        _ found: FoundPass, in archive: ZipArchive, of item: PendingItem,
        into events: inout [Event]
    ) throws(FileError) {
        let verdict = found.verification.verdict
        // Of an archive that the verifier refused, most files cannot be read.
        let isRefused = found.verification.reasons.contains {
            if case .archive = $0 { true } else { false }
        }
        guard verdict != .trusted, verdict != .untrusted,
            let members = try Contents.members(
                besidePassIn: archive, types: options.types, onlyClaims: isRefused)
        else { return judge.report(found, into: &events) }
        guard item.depth < options.containers.depth else {
            judge.report(found, into: &events)
            return events.append(item.location.problem(.limit(.depth)))
        }
        if verdict == .malformed || Contents.isPassStray(in: archive) {
            let pass = PendingItem.Kind.pass(found, reported: judge.reported)
            waiting.append(item.inner(pass, at: item.location))
        } else {
            judge.report(found, into: &events)
        }
        waiting.append(item.inner(.members(members), at: item.location))
    }

    /// Reports octets that are not a pass, if they are said to be one.
    private mutating func report(
        _ octets: SpooledBytes, at location: PartLocation, isAsked: Bool = false,
        into events: inout [Event]
    ) throws(FileError) {
        guard let candidate = Candidate(other: octets, at: location, isAsked: isAsked) else {
            return
        }
        if !isAsked, listed.countsMalformed(at: location) { return judge.noteUnread() }
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
        var isClaim = location.declaration.isClaim
        if case .damagedArchive = contents { isClaim = isClaimed(location) }
        if isClaim {
            waiting.append(item.inner(.claim(octets, reported: judge.reported), at: location))
        }
        switch contents {
        case .container(let members, let problems):
            for problem in problems { events.append(location.problem(.container(problem))) }
            waiting.append(item.inner(.members(members), at: location))
        case .mail(let format):
            open(ByteSource(octets), as: format, item, at: location)
        case .damagedMail:
            let repaired = try MailRepair.repaired(ByteSource(octets), judge.spool)
            let bytes = ByteSource(repaired)
            let head = try ContentHead(of: bytes, location.header.contentHint)
            if case .text = head.kind {
                return try look(repaired, of: item.opened, into: &events)
            }
            open(bytes, as: head.kind.mailFormat ?? .message, item, at: location)
        case .archive(let format):
            let archive = try reader(octets, format, in: item)
            waiting.append(item.inner(.archive(archive, heldFolders(format)), at: location))
        case .archives(let archives):
            waiting.append(item.inner(.archives(archives[...]), at: location))
        case .damagedArchive(let error, let starts):
            let archive = try reader(octets, .zip, in: item, starts: starts)
            waiting.append(item.inner(.archiveEnd(octets, archive, error), at: location))
            waiting.append(item.inner(.archive(archive, nil), at: location))
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
            guard item.isNamedAsMail else { return }
            open(ByteSource(octets), as: .message, item, at: item.location)
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
        guard
            isMail || item.location.declaration.mayHoldPasses(head.kind)
                || !head.bytes.isEmpty && TextForm(page: item.location.header) != nil
        else {
            // If it cannot be read at all, it may hold anything.
            if head.bytes.isEmpty, let failure = decompressor.failure,
                !failure.isDamage || reportsDamage(in: item.location)
            {
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
        if let failure = decompressor.failure,
            isMail || !failure.isDamage || reportsDamage(in: item.location)
        {
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
            if !isInMessage, !mailbox.isText {
                listed.trim(&events, from: trimmed)
                listed.end(into: &events)
                trimmed = events.count
            }
            let location = item.location.message(inner.message, in: mailbox)
            for finding in inner.findings {
                switch finding {
                case .problem(let problem):
                    let part = location.part(problem.part, .none)
                    events.append(part.problem(.message(problem.kind)))
                case .elsewhere(let number):
                    events.append(location.part(number, .none).problem(.attachmentElsewhere))
                case .part, .exceeded:
                    break
                }
            }
        }
    }

    /// Queues mail, which is read in batches.
    private mutating func open(
        _ bytes: ByteSource, as format: MailFormat, _ item: PendingItem, at location: PartLocation
    ) {
        heldMail = true
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
        in archive: ArchiveReader, _ folders: HeldFolders?, of item: PendingItem,
        into events: inout [Event]
    ) throws(FileError) {
        if let folder = folders?.takeFirst(isAtEnd: false) {
            waiting.append(item)
            return try open(folder, isDropped: true, of: item, into: &events)
        }
        let next = try archive.next()
        for link in archive.takeLinks() {
            let path = PassFolderPath(link)
            if let folders, folders.wants(path, size: 0) { folders.add(.link, at: path) }
        }
        let skipped = archive.takeSkipped()
        budgets.message.takeWork(skipped)
        let file: ArchiveFile
        switch next {
        case nil:
            guard let folder = folders?.takeFirst(isAtEnd: true) else { return }
            waiting.append(item)
            return try open(folder, isDropped: false, of: item, into: &events)
        case .problem(let error):
            // Judged as a whole, a file that claims to be a pass is reported as malformed.
            let isTold =
                error.isDamage
                ? reportsDamage(in: item.location) && !isUnmetClaim(item)
                : error.isLimit || !isUnmetClaim(item)
            if isTold {
                events.append(item.location.problem(.archive(error)))
            }
            waiting.append(item)
            return
        case .encrypted(let format):
            reportUnread(UnreadFormat(format), item.location, into: &events)
            waiting.append(item)
            return
        case .links:
            waiting.append(item)
            return
        case .file(let found): file = found
        }
        waiting.append(item)
        guard budgets.decoding.take(skipped) else { return stop(item.location, into: &events) }
        let location = item.location.member(
            file.name, options.types.declaration(ofMember: file.name))
        guard budgets.takeMember() else { return stop(location, into: &events) }
        beginMember(of: item)
        heldMail =
            heldMail || location.declaration.isClaim
            || PassFolderPath(file.name).marks.contains(.pass)
        let hint = location.header.contentHint.union(.isFile)
        let head = try ContentHead(of: ByteSource(stream: file.body), hint)
        var bytes = ByteSource(stream: file.body, prefix: head.bytes)
        if let folders {
            let path = PassFolderPath(file.name)
            if folders.wants(path, size: file.size) {
                guard let octets = try bytes.octets(limit: budgets.decoding.octets, judge.spool)
                else { return stop(location, into: &events) }
                // The next step reports why.
                guard archive.isFileWhole else { return }
                budgets.message.takeWork(octets.count)
                folders.add(.octets(octets), at: path)
                bytes = ByteSource(octets)
            } else if path.marks.contains(.pass), let size = file.size, size > folders.limit {
                let limit = Problem.Limit.inflated(bytes: folders.limit)
                events.append(location.problem(.limit(limit)))
            }
        }
        if let format = head.kind.unreadFormat {
            return reportUnread(format, location, into: &events)
        }
        // An emlx file is read as a whole: its end is needed to check its length.
        if let format = head.kind.mailFormat, format == .message || format.isMailbox,
            !location.declaration.isClaim
        {
            let member = PendingItem(
                location: location, kind: .archive(archive, folders), depth: item.depth,
                message: item.message)
            open(bytes, as: format, member, at: location)
        } else if location.declaration.mayHoldPasses(head.kind)
            || TextForm(page: location.header) != nil
        {
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

    /// Outside of mail, the limits of links are those of one member.
    private mutating func beginMember(of container: PendingItem) {
        if container.location.message == nil { links.beginSource() }
    }

    /// A web archive has addresses instead of folders.
    private func heldFolders(_ format: ArchiveFormat) -> HeldFolders? {
        format == .warc ? nil : HeldFolders(limit: options.containers.unpackedPasses)
    }

    /// Judges a folder of an archive if it holds a pass; `isDropped` if the archive was not read to
    /// its end, because the folders in it are too large.
    private mutating func open(
        _ folder: HeldFolders.Folder, isDropped: Bool, of item: PendingItem,
        into events: inout [Event]
    ) throws(FileError) {
        guard folder.isPass,
            !isDropped || UnpackedPass.isWhole(folder, options.verifier.limits)
        else {
            if isDropped, folder.marks.contains(.pass) {
                let limit = Problem.Limit.inflated(bytes: options.containers.unpackedPasses)
                events.append(location(of: folder.name, in: item).problem(.limit(limit)))
            }
            return
        }
        let others = folder.files.keys.filter {
            if case .link? = folder.files[$0] { true } else { UnpackedPass.isTranslation($0) }
        }
        try open(unpacked: folder.name, others, of: item, into: &events) { folder.files[$0] }
    }

    /// Judges a pass whose files are in a folder of an archive.
    private mutating func open(
        unpacked folder: String, _ others: [EntryName], of item: PendingItem,
        into events: inout [Event], read: (EntryName) throws(ZipError) -> UnpackedPass.File?
    ) throws(FileError) {
        var member = item
        member.location = location(of: folder, in: item)
        let octets: SpooledBytes
        do throws(ZipError) {
            octets = try UnpackedPass.packed(others, options, read: read)
        } catch {
            switch error {
            case .file(let error): throw error
            case .archiveTooLarge, .tooManyEntries:
                events.append(member.location.problem(.archiveTooLarge(error)))
            default: events.append(member.location.problem(.member(error)))
            }
            return
        }
        try look(octets, of: member, into: &events)
    }

    /// Files that are not in a folder are of the archive itself.
    private func location(of folder: String, in item: PendingItem) -> PartLocation {
        if [EntryName(""), EntryName(".")].contains(EntryName(folder)) { return item.location }
        return item.location.member(folder, options.types.declaration(ofMember: folder))
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
        guard !archive.hasProblems, !isUnmetClaim(item), reportsDamage(in: item.location) else {
            return
        }
        let problem: ArchiveError =
            error == .notAnArchive || error == .cutOff ? .truncated : .damaged(.zip, reason: nil)
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
        guard budgets.takeMember() else { return stop(item.location, into: &events) }
        var item = item
        // The names of members tell archives with several files apart.
        if archives.startIndex > 0,
            try Contents.pass(in: octets, limits: options.containers) != nil
        {
            item.location = item.location.archive(number: archives.startIndex + 1)
        }
        try look(octets, of: item, into: &events)
    }

    /// Whether the header says that it is a pass, or the user asked about this file.
    private func isClaimed(_ location: PartLocation) -> Bool {
        location.declaration.isClaim
            || options.takesFilesForPasses && location.message == nil && location.part.isEmpty
    }

    /// Whether the item claims to be a pass, and no pass was found in it so far.
    private func isUnmetClaim(_ item: PendingItem) -> Bool {
        isClaimed(item.location)
            && waiting.last(where: \.isClaim)?.reportedBefore == judge.reported
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

    /// Searches a text in a container, such as the body of an Outlook message.
    private mutating func searchText(
        _ octets: SpooledBytes, _ form: TextForm, of item: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        guard item.depth <= options.containers.depth else {
            events.append(item.location.problem(.limit(.depth)))
            return
        }
        budgets.message.takeWork(octets.count)
        try links.search(octets, form, at: item.location, into: &events)
        try judgeHeldByLinks(in: item, into: &events)
    }

    /// Judges the contents of the `data:` URLs found last in a text.
    private mutating func judgeHeldByLinks(
        in text: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        for url in links.takeHeld() {
            let header = PartHeader(contentType: url.contentType, contentDisposition: nil)
            let location = text.location.declared(options.types.declaration(header))
            guard budgets.takeMember() else { return stop(location, into: &events) }
            let octets = SpooledBytes(url.body)
            let item = text.inner(.file(octets), at: location)
            // A URL in such a text is judged here too, to the depth of containers.
            try look(octets, of: item, form: TextForm(contentType: url.contentType), into: &events)
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
