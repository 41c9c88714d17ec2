import Glibc

/// The budget for processing one message: CPU time, and bytes to decode and search.
///
/// An exceeded limit stays exceeded, even if more of the message is read later.
struct MessageBudget {
    /// Nil while no limit is exceeded.
    private(set) var exceeded: Problem.Limit?
    /// The number of messages that mailboxes in this one may still contain.
    private(set) var messagesLeft: Int
    private var isTold = false
    private var areMessagesTold = false

    private let limits: MessageLimits
    /// The number of bytes read of the message.
    private var size: Int
    /// The number of bytes decoded, inflated, verified or searched.
    private var work = 0
    private var seconds = 0.0
    private var reports = 0
    private var pieces = 0

    init(_ limits: MessageLimits, size: Int = 0) {
        self.limits = limits
        self.size = size
        messagesLeft = limits.messages
    }

    /// Records how much of the message was read, in bytes.
    mutating func note(size read: Int) {
        size = max(size, read)
    }

    /// Counts a member of a file that is not mail: a small one costs more than its size says.
    mutating func noteMember() {
        size += min(4096, Int.max - size)
    }

    /// Counts bytes that were decoded, inflated, verified or searched.
    mutating func takeWork(_ count: Int) {
        let (sum, isTooLarge) = work.addingReportingOverflow(count)
        work = isTooLarge ? .max : sum
        let most = limits.mostBytes(size)
        if work > most { exceeded = exceeded ?? .work(bytes: most) }
    }

    /// Counts the CPU time of this thread since `start`.
    mutating func takeTime(since start: Double) {
        seconds += MessageBudget.processorSeconds - start
        let most = limits.mostSeconds(size)
        if seconds > most { exceeded = exceeded ?? .time(seconds: Int(most)) }
    }

    /// Counts reported passes, links and problems.
    mutating func takeReports(_ count: Int) {
        reports += count
        if reports >= limits.reports { exceeded = exceeded ?? .reports(limits.reports) }
    }

    /// Counts a fragment of another message; returns the count, and whether it is within the limit.
    mutating func takePiece() -> (isTaken: Bool, count: Int) {
        pieces += 1
        return (pieces <= limits.pieces, pieces)
    }

    /// Counts messages of a mailbox within the message.
    mutating func takeMessages(_ count: Int) {
        messagesLeft = max(0, messagesLeft - count)
    }

    /// The exceeded limit; returned only once.
    mutating func takeExceeded() -> Problem.Limit? {
        guard let exceeded, !isTold else { return nil }
        isTold = true
        return exceeded
    }

    /// Whether to report that mailboxes contain too many messages; true only once.
    mutating func reportsMessages() -> Bool {
        defer { areMessagesTold = true }
        return !areMessagesTold
    }

    /// Records a limit that was exceeded and reported elsewhere.
    mutating func giveUp(_ limit: Problem.Limit) {
        exceeded = limit
        isTold = true
    }

    /// The CPU time of this thread, in seconds.
    static var processorSeconds: Double {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
