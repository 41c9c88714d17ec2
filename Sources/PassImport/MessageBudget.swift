import Glibc

/// What looking into one message may still cost: processor time, and bytes to decode and to search.
///
/// Once a limit is exceeded it stays so, however much of the message is read later.
struct MessageBudget {
    /// Why nothing more of the message is looked at.
    enum Limit {
        case time(seconds: Int)
        case work(bytes: Int)
        case reports(Int)

        var code: String {
            switch self {
            case .time: "limit-time"
            case .work: "limit-work"
            case .reports: "limit-reports"
            }
        }

        var detail: String {
            switch self {
            case .time(let seconds): "it took more than \(seconds) seconds of processor time"
            case .work(let bytes):
                "decoding and searching it would take more than \(bytes >> 20) MiB"
            case .reports(let count): "more than \(count) passes and problems lie in it"
            }
        }
    }

    /// Of the problems that a message cost too much.
    static let codes = [
        "limit-time", "limit-work", "limit-reports", "limit-messages", "limit-pieces",
    ]

    /// Nil while there is something left.
    private(set) var exceeded: Limit?
    /// Messages that the mailboxes in this one may still hold.
    private(set) var messagesLeft: Int
    private var isTold = false
    private var areMessagesTold = false

    private let limits: MessageLimits
    /// How much of the message was read, in bytes.
    private var size: Int
    /// Bytes that were decoded, inflated, verified or searched.
    private var work = 0
    private var seconds = 0.0
    private var reports = 0
    private var pieces = 0

    init(_ limits: MessageLimits, size: Int = 0) {
        self.limits = limits
        self.size = size
        messagesLeft = limits.messages
    }

    /// So much of the message was read, in bytes.
    mutating func note(size read: Int) {
        size = max(size, read)
    }

    /// Takes bytes that were decoded, inflated, verified or searched.
    mutating func takeWork(_ count: Int) {
        let (sum, isTooLarge) = work.addingReportingOverflow(count)
        work = isTooLarge ? .max : sum
        let most = limits.mostBytes(size)
        if work > most { exceeded = exceeded ?? .work(bytes: most) }
    }

    /// Takes the processor time of this thread since a moment of it.
    mutating func takeTime(since start: Double) {
        seconds += MessageBudget.processorSeconds - start
        let most = limits.mostSeconds(size)
        if seconds > most { exceeded = exceeded ?? .time(seconds: Int(most)) }
    }

    /// Takes passes, links and problems that were reported.
    mutating func takeReports(_ count: Int) {
        reports += count
        if reports >= limits.reports { exceeded = exceeded ?? .reports(limits.reports) }
    }

    /// Takes a piece of another message; returns whether there may be one more, and how many there are.
    mutating func takePiece() -> (isTaken: Bool, count: Int) {
        pieces += 1
        return (pieces <= limits.pieces, pieces)
    }

    /// Takes messages of a mailbox that lies in the message.
    mutating func takeMessages(_ count: Int) {
        messagesLeft = max(0, messagesLeft - count)
    }

    /// What was exceeded, the first time that it is asked.
    mutating func takeExceeded() -> Limit? {
        guard let exceeded, !isTold else { return nil }
        isTold = true
        return exceeded
    }

    /// Whether to report that mailboxes hold too many messages: true the first time that it is asked.
    mutating func reportsMessages() -> Bool {
        defer { areMessagesTold = true }
        return !areMessagesTold
    }

    /// A limit was exceeded and reported elsewhere.
    mutating func giveUp(_ limit: Limit) {
        exceeded = limit
        isTold = true
    }

    /// The processor time of this thread, in seconds.
    static var processorSeconds: Double {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
