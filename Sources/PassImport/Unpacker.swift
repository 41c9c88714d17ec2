import Archives
import Bytes
import MIME
import MailSource
import PassContainers
import PassVerification
import Platform

/// Recognises parts and files, opens those that may contain passes, and has each pass judged.
///
/// Items are kept on a stack, so that nothing recurses, however deep the nesting.
struct Unpacker {
    /// The number of parts in opened messages, multiparts excluded.
    var openedParts = 0

    /// Fragments of messages, which may be completed by other messages.
    private(set) var fragments: [Fragment] = []

    let options: ImportOptions
    var judge: CandidateVerifier
    var waiting: [PendingItem] = []
    var budget: DecodingBudget
    var links: LinkSearch
    /// The budget of the current message or file, except for messages in it with their own budgets.
    private var outerCost: MessageBudget
    /// The budget of the last of these messages.
    private var innerCost: (number: Int, budget: MessageBudget)?
    /// The number of the current message in the archive; 0 outside of one.
    private var number = 0
    /// The number of messages found in the archive so far.
    var messageCount = 0
    /// The budgets and links of the message, saved while an attachment stored beside it is judged.
    private var ofMessage: (DecodingBudget, MessageBudget, LinkSearch)?

    init(_ options: ImportOptions) {
        self.options = options
        judge = CandidateVerifier(options)
        budget = DecodingBudget(options.containers, size: 0)
        outerCost = MessageBudget(options.message)
        links = LinkSearch(options)
    }

    /// Called after the results, and the data in them, were taken.
    mutating func forgetHeld() {
        judge.forgetHeld()
        openedParts = 0
    }

    mutating func takeFragments() -> [Fragment] {
        defer { fragments = [] }
        return fragments
    }

    /// Begins a message or file of `size` bytes: resets the budgets.
    mutating func beginSource(size: Int = 0) {
        budget = DecodingBudget(options.containers, size: size)
        outerCost = MessageBudget(options.message, size: size)
        innerCost = nil
        links.beginSource()
        (number, messageCount) = (0, 0)
    }

    /// The budget of the current message.
    var cost: MessageBudget {
        get { number == 0 ? outerCost : innerCost?.budget ?? outerCost }
        set {
            if number == 0 { outerCost = newValue } else { innerCost?.budget = newValue }
        }
    }

    /// Queues a file that other programs may still modify.
    mutating func enqueue(file: SpooledBytes, at location: PartLocation) {
        beginSource(size: file.count)
        waiting = [PendingItem(location: location, kind: .file(file), depth: 0)]
    }

    /// Queues a tar archive of unknown size.
    mutating func enqueue(tar: ByteSource, at location: PartLocation) {
        beginSource(size: Int.max)
        waiting = [PendingItem(location: location, kind: .tar(TarReader(tar)), depth: 1)]
    }

    /// Whether items are queued.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Queues a part of the current message. It is decoded in each possible way until that gives an
    /// intact pass or a container.
    mutating func enqueue(_ part: CollectedPart, at location: PartLocation) {
        waiting = [PendingItem(location: location, kind: .part(part), depth: 0)]
    }

    /// Queues a file that belongs to the current message, with its own budget.
    mutating func enqueue(fileBeside file: SpooledBytes, at location: PartLocation) {
        ofMessage = (budget, outerCost, links)
        enqueue(file: file, at: location)
    }

    /// Queues the contents of a message assembled from fragments.
    mutating func enqueue(mail: SpooledBytes, at location: PartLocation) {
        beginSource(size: mail.count)
        let mailbox = NestedMailbox(ByteSource(mail), .message, options)
        waiting = [PendingItem(location: location, kind: .mailbox(mailbox), depth: 1)]
    }

    /// Judges or opens the next item.
    mutating func judgeNext(into events: inout [Event]) {
        guard let next = waiting.popLast() else { return }
        begin(next.message)
        let start = MessageBudget.processorSeconds
        let reported = events.count
        do throws(FileError) {
            if cost.exceeded != nil, !next.isClaim {
                stop(next.location, into: &events)
            } else {
                try open(next, into: &events)
            }
        } catch {
            events.append(next.location.failure(error))
        }
        cost.takeTime(since: start)
        cost.takeReports(events.count - reported)
        if budget.entries == 0 { stop(next.location, into: &events) }
        if waiting.isEmpty, let saved = ofMessage.take() { (budget, outerCost, links) = saved }
    }

    private mutating func begin(_ message: PendingItem.InnerMessage) {
        number = message.number
        guard number > 0 else { return }
        if innerCost?.number != number {
            innerCost = (number, MessageBudget(options.message))
            links.beginSource()
        }
        innerCost?.budget.note(size: message.size)
    }

    private mutating func open(_ item: PendingItem, into events: inout [Event]) throws(FileError) {
        switch item.kind {
        case .part(let part): try open(part, of: item, into: &events)
        case .file(let octets): try open(file: octets, of: item, into: &events)
        case .members(let members): openFirst(of: members, in: item, into: &events)
        case .mailbox(let mailbox): try readOn(mailbox, of: item, into: &events)
        case .tar(let archive): try openNext(in: archive, of: item, into: &events)
        case .claim(let octets, let reported):
            if judge.reported == reported {
                judge.report(verify(octets, item.location, isPass: false), into: &events)
            }
        }
    }

    private mutating func open(
        _ part: CollectedPart, of item: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        switch part.kind {
        case .fragment:
            guard let partial = part.header.partial else { break }
            let piece = cost.takePiece()
            guard piece.isTaken else {
                guard piece.count == options.message.pieces + 1 else { return }
                let limit = Problem.Limit.pieces(options.message.pieces)
                events.append(item.location.problem(.limit(limit)))
                return
            }
            fragments.append(
                Fragment(
                    location: item.location, partial: partial, body: part.body,
                    eventsBefore: events.count))
            return
        case .text(let form):
            cost.takeWork(part.body.count)
            try links.search(part, form, at: item.location, into: &events)
            return try judgeHeldByLinks(in: item, into: &events)
        case .externalBody(let external):
            return try links.report(external, part, at: item.location, into: &events)
        case .file, .message:
            break
        }
        if part.header.isTakenOut, part.isEmpty {
            // In an archive, the file may be another member.
            guard item.depth == 0, judge.isClaimed(item.location) else { return }
            events.append(item.location.problem(.attachmentMissing))
            return
        }
        var best: FoundPass?
        var first: SpooledBytes?
        decodings: for decoding in part.decodings {
            let octets = try BodyDecoder.decode(part.body, decoding, spool: judge.spool)
            if first == nil { first = octets }
            cost.takeWork(part.body.count)
            // The message's own parts do not count as unpacked, since they are no larger than the
            // message.
            guard cost.exceeded == nil,
                item.depth == 0 ? budget.mayVerify : budget.take(octets.count)
            else {
                return stop(item.location, into: &events)
            }
            switch contents(of: octets, in: item) {
            case .pass:
                let found = verify(octets, item.location, isPass: true)
                let isIntact = found.verification.verified != nil
                if isIntact || best?.verification.verdict ?? .malformed == .malformed {
                    best = found
                }
                if isIntact { break decodings }
            case .other(let isArchive):
                // Decoded correctly, but not a pass: usually an Office file.
                if isArchive { break decodings }
            case let contents:
                return try open(contents, octets, of: item, into: &events)
            }
        }
        if let best {
            judge.report(best, into: &events)
        } else if let first, part.kind == .message {
            try open(.mail(.message), first, of: item, into: &events)
        } else if let first, judge.isClaimed(item.location) {
            judge.report(verify(first, item.location, isPass: false), into: &events)
        }
    }

    private mutating func open(
        file: SpooledBytes, of item: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        let contents = contents(of: file, in: item)
        let isPass: Bool
        switch contents {
        case .pass:
            isPass = true
        case .other:
            guard options.takesFilesForPasses || judge.isClaimed(item.location) else { return }
            isPass = false
        default:
            return try open(contents, file, of: item, into: &events)
        }
        // Copy the file before judging it, so that exactly the judged bytes are stored. Files
        // larger than any pass are refused without a copy.
        let limit = options.verifier.limits.archive
        let octets = try ByteSource(file).octets(limit: limit, judge.spool) ?? file
        judge.report(verify(octets, item.location, isPass: isPass), into: &events)
    }

    /// Opens the next member of a container; the rest is queued.
    private mutating func openFirst(
        of members: ArraySlice<Contents.Member>, in container: PendingItem,
        into events: inout [Event]
    ) {
        guard let member = members.first else { return }
        let rest = members.dropFirst()
        if !rest.isEmpty {
            waiting.append(
                PendingItem(
                    location: container.location, kind: .members(rest), depth: container.depth,
                    message: container.message))
        }
        var item = container
        item.location = container.location.member(member.name, member.header)
        guard budget.takeMember() else {
            return stop(item.location, into: &events)
        }
        let octets: SpooledBytes
        do throws(ZipError) {
            octets = try member.octets(limit: budget.octets, spool: judge.spool)
        } catch {
            if case .file(let error) = error {
                events.append(item.location.failure(error))
            } else {
                events.append(item.location.problem(.member(error)))
            }
            budget.take(member.costOfRefusal(error, options.containers.archive))
            return
        }
        do throws(FileError) {
            try look(octets, of: item, into: &events)
        } catch {
            events.append(item.location.failure(error))
        }
    }

    /// Examines decoded data from a container.
    mutating func look(
        _ octets: SpooledBytes, of item: PendingItem, isMail: Bool = false,
        into events: inout [Event]
    ) throws(FileError) {
        guard budget.take(octets.count) else {
            return stop(item.location, into: &events)
        }
        let contents = contents(of: octets, in: item)
        switch contents {
        case .pass:
            judge.report(verify(octets, item.location, isPass: true), into: &events)
        case .other where isMail:
            try open(.mail(.message), octets, of: item, into: &events)
        case .other:
            guard judge.isClaimed(item.location) else { return }
            judge.report(verify(octets, item.location, isPass: false), into: &events)
        default:
            try open(contents, octets, of: item, into: &events)
        }
    }

    /// Drops queued items after a limit was exceeded; within an archive, only the items of the
    /// message that exceeded it.
    mutating func stop(_ location: PartLocation, into events: inout [Event]) {
        if cost.exceeded != nil {
            waiting.removeAll { !$0.isClaim && $0.message.number == number }
            guard let limit = cost.takeExceeded() else { return }
            events.append(location.problem(.limit(limit)))
        } else {
            waiting.removeAll { !$0.isClaim }
            guard let limit = budget.takeLimit() else { return }
            events.append(location.problem(.limit(limit)))
        }
    }

    private mutating func contents(of octets: SpooledBytes, in item: PendingItem) -> Contents {
        var limits = options.containers
        if item.location.message != nil {
            limits.archive.entries = min(limits.archive.entries, options.message.entries)
        }
        limits.archive.total = budget.total
        limits.archive.entry = max(limits.archive.entry, budget.octets)
        return Contents(
            octets, types: options.types, limits: limits, entriesLeft: &budget.entries)
    }

    /// Verifies a possible pass. Inflation beyond the usual amount counts as unpacked data.
    mutating func verify(_ octets: SpooledBytes, _ location: PartLocation, isPass: Bool)
        -> FoundPass
    {
        let found = judge.verify(octets, location, isPass: isPass)
        cost.takeWork(octets.count + found.verification.inflated)
        let usual = octets.count * options.containers.verifiedRatio
        budget.takeVerified(max(0, found.verification.inflated - usual))
        return found
    }
}
