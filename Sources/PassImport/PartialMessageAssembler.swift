import Bytes
import MIME
import PassDetection

/// A piece of a message that was sent in pieces (message/partial; RFC 2046, 5.2.2).
struct Fragment: Sendable {
    var location: PartLocation
    let partial: PartialMessage
    let body: SpooledBytes
    /// How many events of the same result stand before it.
    let eventsBefore: Int
}

/// Keeps the pieces of messages until the last one of each is there, in whatever order and mailbox
/// they come, and has the whole judged.
struct PartialMessageAssembler {
    private var unpacker: Unpacker
    private let options: ImportOptions
    private var sets: [String: FragmentSet] = [:]
    /// The identifiers of the sets, the oldest first.
    private var order: [String] = []
    private var count = 0
    /// The identifiers of messages that became whole.
    private var joined: Set<String> = []
    /// The result that was taken, and how much of it was given back.
    private var result: WorkResult?
    private var given = (events: 0, fragments: 0)

    /// The pieces of one message, by their numbers.
    private struct FragmentSet {
        var fragments: [Int: Fragment] = [:]
        var total: Int?

        /// All pieces from 1 to the last one, once they are there; what else bears the identifier is
        /// none of them.
        var whole: [Fragment]? {
            guard let total, fragments.count >= total else { return nil }
            let whole = (1...total).compactMap { fragments[$0] }
            return whole.count == total ? whole : nil
        }
        var first: Fragment? { fragments.min { $0.key < $1.key }?.value }

        /// What there is to say of it while it is not whole.
        var complaint: String {
            let numbers = fragments.keys.sorted().prefix(20).map(String.init)
            let of = total.map { " of \($0)" } ?? ""
            return "a message was sent in pieces, of which only \(numbers.joined(separator: ", "))"
                + "\(of) came"
        }
    }

    init(_ options: ImportOptions) {
        self.options = options
        unpacker = Unpacker(options)
    }

    /// Takes a result; `next` gives it back.
    mutating func take(_ result: WorkResult) {
        self.result = result
        given = (0, 0)
    }

    /// The next part of the result that was taken, with what was found in messages that became whole with
    /// one of its pieces, each in its place; nil at its end. The last part has all but the events.
    mutating func next() -> WorkResult? {
        guard var result else { return nil }
        if result.fragments.isEmpty {
            self.result = nil
            return result
        }
        var events: [Event] = []
        while events.count < options.heldEvents, unpacker.judge.held <= options.heldInMemory {
            if unpacker.isWaiting {
                unpacker.judgeNext(into: &events)
                if !unpacker.isWaiting { reportNested(into: &events) }
            } else if given.fragments < result.fragments.count {
                let fragment = result.fragments[given.fragments]
                events += result.events[given.events..<fragment.eventsBefore]
                given = (fragment.eventsBefore, given.fragments + 1)
                add(fragment, into: &events)
            } else {
                result.events = events + result.events[given.events...]
                result.parts += unpacker.openedParts
                result.fragments = []
                unpacker.forgetHeld()
                self.result = nil
                return result
            }
        }
        var part = WorkResult(source: result.source, events: events)
        part.parts = unpacker.openedParts
        (part.ends, part.isCutOff) = (result.ends, result.isCutOff)
        unpacker.forgetHeld()
        return part
    }

    /// What there is to say of the messages that did not become whole.
    mutating func finish() -> [Event] {
        var events: [Event] = []
        while !order.isEmpty { giveUpOldest(into: &events) }
        return events
    }

    private mutating func add(_ fragment: Fragment, into events: inout [Event]) {
        let identifier = fragment.partial.identifier
        // The same mail in two folders: its pieces come again.
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
        while count > options.fragments { giveUpOldest(into: &events) }
    }

    private mutating func giveUpOldest(into events: inout [Event]) {
        guard let oldest = order.first, let set = sets[oldest] else { return }
        remove(oldest)
        if let location = set.first?.location {
            events.append(location.problem("partial-incomplete", set.complaint))
        }
    }

    private mutating func remove(_ identifier: String) {
        count -= sets.removeValue(forKey: identifier)?.fragments.count ?? 0
        order.removeAll { $0 == identifier }
    }

    private mutating func join(_ fragments: [Fragment], into events: inout [Event]) {
        guard let location = fragments.first?.location else { return }
        do throws(FileError) {
            var whole = OctetsWriter(options.spool)
            for fragment in fragments {
                var last: UInt8 = 0x0A
                try fragment.body.forEachPiece { piece throws(FileError) in
                    try whole.append(piece)
                    if !piece.isEmpty { last = piece[piece.count - 1] }
                    return true
                }
                // RFC 2046, 5.2.2: messages are cut at line ends only.
                if last != 0x0A { try whole.append(0x0A) }
            }
            unpacker.enqueue(mail: try whole.finish(), at: location)
        } catch {
            events.append(location.failure(error))
        }
    }
    private mutating func reportNested(into events: inout [Event]) {
        for fragment in unpacker.takeFragments() {
            events.append(
                fragment.location.problem(
                    "limit-nesting", "a message in pieces lies in another one"))
        }
    }
}
