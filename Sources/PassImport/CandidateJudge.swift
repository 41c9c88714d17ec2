import Archives
import Bytes
import Compression
import MIME
import MailSource
import PassContainers
import PassDetection
import PassVerification

/// Decides what a part or a file is, opens what may contain passes, and has each pass verified.
///
/// What has to be opened waits in a list, the next one last, so that nothing recurses however deep
/// things lie in one another.
struct CandidateJudge {
    /// Parts of the mails that were opened, multiparts aside.
    private(set) var openedParts = 0

    /// Pieces of messages, which may be in other mails.
    private var fragments: [Fragment] = []

    private let options: ImportOptions
    /// Made when it is first asked. Belongs to one worker, as this value does.
    private var fileTypes: FileTypes?
    /// How many octets wait in results for their turn to be imported.
    private(set) var held = 0
    private var waiting: [Closed] = []
    /// How many events were taken with earlier results.
    private var taken = 0
    private var budget: DecodingBudget
    private var links: LinkSearch

    init(_ options: ImportOptions) {
        self.options = options
        budget = DecodingBudget(options.containers, size: 0)
        links = LinkSearch(options)
    }

    /// Something that was found and not looked into yet.
    private struct Closed {
        var place: Place
        let form: Form
        /// How many things were opened to get at it.
        let depth: Int

        enum Form {
            case part(CollectedPart)
            case file(Octets)
            case member(Contents.Member)
            case mailbox(NestedMailbox)
            case tar(TarReader)
            /// What claims to be a pass and was opened as something else, when so many events had been
            /// told: if none came of it, it is a malformed pass.
            case claim(Octets, told: Int)
        }

        /// The same, when one more thing around it was opened.
        var opened: Closed { Closed(place: place, form: form, depth: depth + 1) }
    }

    /// The results were taken, and what they hold with them.
    mutating func forgetHeld(_ events: Int) {
        taken += events
        held = 0
        openedParts = 0
    }

    mutating func takeFragments() -> [Fragment] {
        defer { fragments = [] }
        return fragments
    }

    /// A message or a file begins, of `size` bytes: what may be decoded is counted from here.
    mutating func beginSource(size: Int = 0) {
        budget = DecodingBudget(options.containers, size: size)
        links.beginSource()
    }

    /// Looks for links in a file that is neither mail nor pass.
    mutating func searchLinks(
        in file: Octets, name: String, at place: Place, into events: inout [Event]
    ) throws(FileError) {
        links.beginSource()
        try links.search(file, name: name, at: place, into: &events)
    }

    /// A file, whose bytes others may still change, waits to be judged.
    mutating func await(file: Octets, at place: Place) {
        beginSource(size: file.count)
        waiting = [Closed(place: place, form: .file(file), depth: 0)]
    }

    /// A tar archive of a size that nobody knows waits to be judged.
    mutating func await(tar: ByteSource, at place: Place) {
        beginSource(size: Int.max)
        waiting = [Closed(place: place, form: .tar(TarReader(tar)), depth: 1)]
    }

    /// Whether something waits.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Judges a part of a message, in each way that it can be decoded, until one gives a pass that
    /// is intact or something that can be opened.
    mutating func judge(_ part: CollectedPart, at place: Place, into events: inout [Event]) {
        judge(Closed(place: place, form: .part(part), depth: 0), into: &events)
    }

    /// Judges a file that belongs to the message at hand, and costs what it is.
    mutating func judge(file: Octets, at place: Place, into events: inout [Event]) {
        let ofMessage = budget
        beginSource(size: file.count)
        judge(Closed(place: place, form: .file(file), depth: 0), into: &events)
        budget = ofMessage
    }

    /// Judges what lies in a mail that was put together.
    mutating func judge(mail: Octets, at place: Place, into events: inout [Event]) {
        let mailbox = NestedMailbox(ByteSource(mail), .message, options)
        judge(Closed(place: place, form: .mailbox(mailbox), depth: 1), into: &events)
    }

    private mutating func judge(_ first: Closed, into events: inout [Event]) {
        waiting = [first]
        while isWaiting { judgeNext(into: &events) }
    }

    /// Judges the next thing that waits, or opens it.
    mutating func judgeNext(into events: inout [Event]) {
        guard let next = waiting.popLast() else { return }
        do throws(FileError) {
            try open(next, into: &events)
        } catch {
            events.append(next.place.problem("unreadable", "\(error)"))
        }
        if budget.entries == 0 { stop(next.place, into: &events) }
    }

    private mutating func open(_ closed: Closed, into events: inout [Event]) throws(FileError) {
        switch closed.form {
        case .part(let part): try open(part, of: closed, into: &events)
        case .file(let octets): try open(file: octets, of: closed, into: &events)
        case .member(let member): open(member, of: closed, into: &events)
        case .mailbox(let mailbox): try readOn(mailbox, of: closed, into: &events)
        case .tar(let archive): try openNext(in: archive, of: closed, into: &events)
        case .claim(let octets, let told):
            if taken + events.count == told {
                report(verify(octets, closed.place, isPass: false), into: &events)
            }
        }
    }

    private mutating func open(
        _ part: CollectedPart, of closed: Closed, into events: inout [Event]
    ) throws(FileError) {
        switch part.kind {
        case .fragment:
            guard let partial = part.header.partial else { break }
            fragments.append(
                Fragment(
                    place: closed.place, partial: partial, body: part.body,
                    eventsBefore: events.count))
            return
        case .text(let form):
            return try links.search(part, form, at: closed.place, into: &events)
        case .externalBody(let external):
            return try links.report(external, part, at: closed.place, into: &events)
        case .file, .message:
            break
        }
        if part.header.isTakenOut, part.isEmpty {
            // In archives the file may be another member.
            guard closed.depth == 0, isClaimed(closed.place) else { return }
            let detail = "the attachment was taken out of the message, and its file is not there"
            events.append(closed.place.problem("attachment-missing", detail))
            return
        }
        var best: FoundPass?
        var first: Octets?
        decodings: for decoding in part.decodings {
            let octets = try BodyDecoder.decode(part.body, decoding, spool: spool)
            if first == nil { first = octets }
            // What a message holds itself costs no more than it is long, until it is verified.
            guard budget.take(closed.depth == 0 ? 0 : octets.count) else {
                return stop(closed.place, into: &events)
            }
            switch contents(of: octets) {
            case .pass:
                let found = verify(octets, closed.place, isPass: true)
                let isIntact = found.verification.verified != nil
                if isIntact || best?.verification.verdict ?? .malformed == .malformed {
                    best = found
                }
                if isIntact { break decodings }
            case .other(let isArchive):
                // Decoded as it was meant, and none: most are office files.
                if isArchive { break decodings }
            case let contents:
                return try open(contents, octets, of: closed, into: &events)
            }
        }
        if let best {
            report(best, into: &events)
        } else if let first, part.kind == .message {
            try open(.mail(.message), first, of: closed, into: &events)
        } else if let first, isClaimed(closed.place) {
            report(verify(first, closed.place, isPass: false), into: &events)
        }
    }

    private mutating func open(
        file: Octets, of closed: Closed, into events: inout [Event]
    ) throws(FileError) {
        let contents = contents(of: file)
        let isPass: Bool
        switch contents {
        case .pass:
            isPass = true
        case .other:
            guard options.takesFilesForPasses || isClaimed(closed.place) else { return }
            isPass = false
        default:
            return try open(contents, file, of: closed, into: &events)
        }
        // What is judged is what is kept: from here on a copy that is ours alone. What is larger
        // than any pass is refused without one.
        let limit = options.verifier.limits.archive
        let octets = try ByteSource(file).octets(limit: limit, spool) ?? file
        report(verify(octets, closed.place, isPass: isPass), into: &events)
    }

    private mutating func open(
        _ member: Contents.Member, of closed: Closed, into events: inout [Event]
    ) {
        guard budget.takeMember() else {
            return stop(closed.place, into: &events)
        }
        let octets: Octets
        do throws(ZipError) {
            octets = try member.octets(limit: budget.octets, spool: spool)
        } catch {
            events.append(closed.place.problem("unreadable", "\(error)"))
            budget.take(member.costOfRefusal(error, options.containers.archive))
            return
        }
        do throws(FileError) {
            try look(octets, of: closed, into: &events)
        } catch {
            events.append(closed.place.problem("unreadable", "\(error)"))
        }
    }

    /// Looks into what was decoded on the way to `closed`.
    private mutating func look(
        _ octets: Octets, of closed: Closed, isMail: Bool = false, into events: inout [Event]
    ) throws(FileError) {
        guard budget.take(octets.count) else {
            return stop(closed.place, into: &events)
        }
        let contents = contents(of: octets)
        switch contents {
        case .pass:
            report(verify(octets, closed.place, isPass: true), into: &events)
        case .other where isMail:
            try open(.mail(.message), octets, of: closed, into: &events)
        case .other:
            guard isClaimed(closed.place) else { return }
            report(verify(octets, closed.place, isPass: false), into: &events)
        default:
            try open(contents, octets, of: closed, into: &events)
        }
    }

    /// Opens what contains something else: its contents wait to be looked into.
    private mutating func open(
        _ contents: Contents, _ octets: Octets, of closed: Closed, into events: inout [Event]
    ) throws(FileError) {
        let place = closed.place
        if case .resourceFork = contents { return }
        guard closed.depth < options.containers.depth else {
            events.append(place.problem(contents.depthCode, "it is packed into too many others"))
            return
        }
        if isClaimed(place) {
            waiting.append(
                Closed(place: place, form: .claim(octets, told: taken + events.count), depth: 0))
        }
        let depth = closed.depth + 1
        switch contents {
        case .container(let members, let problems):
            for problem in problems { events.append(place.problem(problem.code, problem.detail)) }
            for member in members.reversed() {
                let inner = place.member(member.name, member.header)
                waiting.append(Closed(place: inner, form: .member(member), depth: depth))
            }
        case .mail(let kind):
            let mailbox = NestedMailbox(ByteSource(octets), kind, options)
            waiting.append(Closed(place: place, form: .mailbox(mailbox), depth: depth))
        case .tar:
            let archive = TarReader(ByteSource(octets))
            waiting.append(Closed(place: place, form: .tar(archive), depth: depth))
        case .compressed(let format):
            try decompress(octets, format, of: closed, into: &events)
        case .cms:
            try open(cms: octets, of: closed, into: &events)
        case .refused(let error):
            if !isClaimed(place) { events.append(place.problem("limit-archive", "\(error)")) }
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
            content = try EncapsulatedContent(of: octets, spool: spool)
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
        guard isMail || Contents.mayHoldPasses(prefix) || isClaimed(closed.place) else { return }
        let stream = ByteSource(stream: decompressor, prefix: prefix)
        guard let inner = try stream.octets(limit: budget.octets, spool) else {
            return stop(closed.place, into: &events)
        }
        if let failure = decompressor.failure {
            events.append(closed.place.problem("damaged-compression", "\(failure)"))
        }
        try look(inner, of: closed.opened, isMail: isMail, into: &events)
    }

    /// Reads the next piece of a mailbox; what was found in it comes before the rest.
    private mutating func readOn(
        _ mailbox: NestedMailbox, of closed: Closed, into events: inout [Event]
    ) throws(FileError) {
        guard let letters = try mailbox.next() else { return }
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
                events.append(part.problem(problem.code, problem.detail))
            }
        }
    }

    /// Opens the next file of a tar archive; the rest comes when that is done.
    private mutating func openNext(
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
        if FileSignature(prefix.span) == nil, kind == .message || kind.isMailbox, !isClaimed(place)
        {
            let mailbox = NestedMailbox(bytes, kind, options)
            waiting.append(Closed(place: place, form: .mailbox(mailbox), depth: depth))
        } else if Contents.mayHoldPasses(prefix) || isClaimed(place) {
            guard let octets = try bytes.octets(limit: budget.octets, spool) else {
                return stop(place, into: &events)
            }
            try look(
                octets, of: Closed(place: place, form: .file(octets), depth: depth), into: &events)
        }
    }

    private mutating func stop(_ place: Place, into events: inout [Event]) {
        waiting.removeAll()
        guard let limit = budget.takeLimit() else { return }
        events.append(place.problem(limit.code, limit.detail))
    }

    private mutating func contents(of octets: Octets) -> Contents {
        var limits = options.containers
        limits.archive.total = budget.total
        return Contents(
            octets, types: options.types, limits: limits, entriesLeft: &budget.entries)
    }

    func isClaimed(_ place: Place) -> Bool {
        !options.types.evidence(place.header).isEmpty
    }

    /// Passes wait in memory while they are few, and in files when a piece of work is full of them.
    private var spool: SpoolPolicy {
        var policy = options.spool
        if held > options.heldInMemory { policy.memory = 0 }
        return policy
    }

    /// What libmagic says of the bytes.
    mutating func mediaType(of octets: Octets) -> String? {
        let types = fileTypes ?? FileTypes()
        fileTypes = types
        return types.mediaType(of: octets)
    }

    private mutating func verify(_ octets: Octets, _ place: Place, isPass: Bool) -> FoundPass {
        let types = options.types
        var evidence = types.evidence(place.header)
        if isPass { evidence.insert(.content) }
        let verification = options.verifier.verify(octets)
        let usual = octets.count * options.containers.verifiedRatio
        budget.take(max(0, verification.inflated - usual))
        return FoundPass(
            source: place.source, message: place.message, part: place.part,
            name: types.preferredName(place.header),
            mediaType: types.preferredMediaType(place.header), evidence: evidence,
            verification: verification,
            otherType: isPass ? nil : otherType(of: octets))
    }

    /// What can be said of something that is no pass, mostly by libmagic. That it is a ZIP archive, or bytes, tells
    /// a person nothing.
    private mutating func otherType(of octets: Octets) -> String? {
        if octets.isEmpty { return "an empty file" }
        guard let type = mediaType(of: octets), type != "application/zip",
            type != "application/octet-stream"
        else { return nil }
        return type
    }

    /// Who only looks keeps no passes: a run finds more of them than memory holds.
    private mutating func report(_ found: FoundPass, into events: inout [Event]) {
        var found = found
        let isAdmitted =
            options.library != nil && options.policy.admits(found.verification.verdict)
        if !isAdmitted { found.verification.verified = nil }
        if let pass = found.verification.verified { held += pass.size }
        events.append(.pass(found))
    }
}

extension Contents {
    /// The code of the problem that such contents lie too deep in others.
    fileprivate var depthCode: String {
        if case .mail = self { return "limit-nesting" }
        return "limit-depth"
    }
}
