import Bytes
import MIME
import PassDetection
import PassModel
import PassVerification
import Platform

/// A fragment of a message (message/partial; RFC 2046, 5.2.2).
struct Fragment: Sendable {
    var location: PartLocation
    let partial: PartialMessage
    let body: SpooledBytes
    /// The number of events before it in the same result.
    let eventsBefore: Int
}

/// Collects message fragments in any order and from any mailboxes, and has each message judged: as
/// a whole once it is complete, otherwise in runs of consecutive fragments, each of which may
/// contain a whole pass.
struct PartialMessageAssembler {
    private var unpacker: Unpacker
    private let options: ImportOptions
    private var sets: [ExactText: FragmentSet] = [:]
    /// The identifiers of the sets and of some removed ones, oldest first, from `oldest` on.
    private var order: [ExactText] = []
    private var oldest = 0
    private var count = 0
    /// The identifiers of completed messages.
    private var joined: Set<ExactText> = []
    private var isFinishing = false
    /// Incomplete messages that no fragment will complete any more, next one last.
    private var givenUp: [FragmentSet] = []
    /// The number of incomplete messages by the source of their first fragment. A mailbox may hold
    /// any number of them, so that most are only counted.
    private var incomplete: [String: Int] = [:]
    /// The runs of fragments of the last one, next one last.
    private var runs: [[Fragment]] = []
    /// Whether the unpacker judges such a run.
    private var isJudgingRun = false
    /// The result being processed, and the numbers of its events and fragments already returned.
    private var result: WorkResult?
    private var given = (events: 0, fragments: 0)

    /// The fragments of one message by number.
    private struct FragmentSet {
        var fragments: [Int: Fragment] = [:]
        var total: Int?

        /// All fragments in order, if complete; superfluous ones with the same identifier are
        /// ignored.
        var whole: [Fragment]? {
            guard let total, fragments.count >= total else { return nil }
            let whole = (1...total).compactMap { fragments[$0] }
            return whole.count == total ? whole : nil
        }
        var first: Fragment? { fragments.min { $0.key < $1.key }?.value }

        /// The runs of consecutive fragments, in reverse order.
        var runs: [[Fragment]] {
            var runs: [[Fragment]] = []
            var last: Int?
            for (number, fragment) in fragments.sorted(by: { $0.key < $1.key }) {
                if let last, last + 1 == number {
                    runs[runs.count - 1].append(fragment)
                } else {
                    runs.append([fragment])
                }
                last = number
            }
            return runs.reversed()
        }

        /// The problem to report if fragments are still missing at the end.
        var complaint: Problem.Kind {
            .incomplete(pieces: Array(fragments.keys.sorted().prefix(20)), total: total)
        }
    }

    init(_ options: ImportOptions) {
        self.options = options
        unpacker = Unpacker(options)
    }

    /// Begins a result; `next` returns it.
    mutating func take(_ result: WorkResult) {
        self.result = result
        given = (0, 0)
    }

    /// Gives up all incomplete messages; `next` returns the findings in them.
    mutating func finish() {
        isFinishing = true
        take(WorkResult())
    }

    /// The next part of the result, including, in order, the findings in messages that its
    /// fragments completed; nil at the end. The last part contains everything other than events.
    mutating func next() -> WorkResult? {
        guard var result else { return nil }
        if result.fragments.isEmpty, givenUp.isEmpty, !isFinishing {
            self.result = nil
            return result
        }
        var events: [Event] = []
        while events.count < options.heldEvents, unpacker.held <= options.heldInMemory {
            if unpacker.isWaiting {
                judgeNext(into: &events)
            } else if let run = runs.popLast() {
                isJudgingRun = true
                join(run, into: &events)
            } else if let set = givenUp.popLast() {
                if let location = set.first?.location {
                    incomplete[location.source, default: 0] += 1
                    if incomplete[location.source, default: 0] <= options.message.listed {
                        events.append(location.problem(set.complaint))
                    }
                }
                runs = set.runs
            } else if isFinishing, !sets.isEmpty {
                giveUpOldest()
            } else if given.fragments < result.fragments.count {
                let fragment = result.fragments[given.fragments]
                events += result.events[given.events..<fragment.eventsBefore]
                given = (fragment.eventsBefore, given.fragments + 1)
                add(fragment, into: &events)
            } else {
                if isFinishing { reportUnlisted(into: &events) }
                result.events = events + result.events[given.events...]
                result.parts += unpacker.openedParts
                result.messages += unpacker.openedMessages
                result.fragments = []
                unpacker.forgetHeld()
                self.result = nil
                return result
            }
        }
        var part = WorkResult(source: result.source, events: events)
        (part.parts, part.messages) = (unpacker.openedParts, unpacker.openedMessages)
        (part.ends, part.isCutOff) = (result.ends, result.isCutOff)
        unpacker.forgetHeld()
        return part
    }

    /// Reports the numbers of incomplete messages that were not listed.
    private mutating func reportUnlisted(into events: inout [Event]) {
        for (source, count) in incomplete.sorted(by: { $0.key < $1.key })
        where count > options.message.listed {
            let rest = Problem.Kind.moreProblems(count - options.message.listed, areLasting: false)
            events.append(PartLocation(source).problem(rest))
        }
        incomplete = [:]
    }

    private mutating func judgeNext(into events: inout [Event]) {
        let before = events.count
        unpacker.judgeNext(into: &events)
        // The part at the end of a run may be cut, which is reported already.
        if isJudgingRun {
            let kept = events[before...].filter { !$0.isMalformedPass }
            events.replaceSubrange(before..., with: kept)
        }
        guard !unpacker.isWaiting else { return }
        isJudgingRun = false
        reportNested(into: &events)
    }

    private mutating func add(_ fragment: Fragment, into events: inout [Event]) {
        let identifier = ExactText(fragment.partial.identifier)
        // If two folders contain the same message, its fragments occur twice.
        if joined.contains(identifier) { return }
        if sets[identifier] == nil { order.append(identifier) }
        var set = sets[identifier] ?? FragmentSet()
        guard set.fragments[fragment.partial.number] == nil else { return }
        set.fragments[fragment.partial.number] = fragment
        if let total = fragment.partial.total { set.total = total }
        sets[identifier] = set
        count += 1
        if let whole = set.whole {
            remove(identifier)
            joined.insert(identifier)
            join(whole, into: &events)
        }
        while count > options.fragments { giveUpOldest() }
    }

    private mutating func giveUpOldest() {
        guard oldest < order.count else { return }
        let identifier = order[oldest]
        oldest += 1
        if oldest > order.count / 2 {
            order.removeFirst(oldest)
            oldest = 0
        }
        guard let set = sets[identifier] else { return }
        remove(identifier)
        givenUp.insert(set, at: 0)
    }

    private mutating func remove(_ identifier: ExactText) {
        count -= sets.removeValue(forKey: identifier)?.fragments.count ?? 0
    }

    private mutating func join(_ fragments: [Fragment], into events: inout [Event]) {
        guard let location = fragments.first?.location else { return }
        do throws(FileError) {
            var whole = OctetsWriter(options.spool)
            // Without the first fragment, the header is missing.
            if fragments.first?.partial.number != 1 { try whole.append(TextMessage.header) }
            for fragment in fragments {
                var last: UInt8 = 0x0A
                try fragment.body.forEachPiece { piece throws(FileError) in
                    try whole.append(piece)
                    if !piece.isEmpty { last = piece[piece.count - 1] }
                    return true
                }
                // RFC 2046, 5.2.2: messages are split only at line ends.
                if last != 0x0A { try whole.append(0x0A) }
            }
            unpacker.enqueue(mail: try whole.finish(), at: location)
        } catch {
            events.append(location.failure(error))
        }
    }

    private mutating func reportNested(into events: inout [Event]) {
        for fragment in unpacker.takeFragments() {
            events.append(fragment.location.problem(.limit(.nestedPieces)))
        }
    }
}

extension Event {
    fileprivate var isMalformedPass: Bool {
        switch self {
        case .pass(let found): return found.verification.verdict == .malformed
        case .problem(let problem):
            if case .moreMalformed = problem.kind { return true }
            return false
        case .link: return false
        }
    }
}
