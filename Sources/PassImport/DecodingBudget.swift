import Glibc
import PassContainers

/// What may still be done for one message or file: for it and for all that lies in it.
struct DecodingBudget {
    /// Why nothing more is done.
    struct Limit {
        let code: String
        let detail: String

        static func time(_ seconds: Double) -> Limit {
            Limit(
                code: "limit-time",
                detail: "it took more than \(Int(seconds)) seconds of processor time")
        }
    }

    /// Bytes that may still be unpacked.
    private(set) var octets: Int
    /// What verifying passes may still inflate beyond the usual: a container that costs too much costs
    /// the passes beside it nothing.
    private var verified: Int
    var entries: Int
    private var membersLeft: Int
    private var messagesLeft: Int
    /// Of what was there at the beginning, in bytes.
    let total: Int
    private let members: Int
    private let mostEntries: Int
    private let limits: MessageLimits
    /// Of the message or file, in bytes, as far as it was read.
    private var size: Int
    /// Bytes that were decoded, inflated, verified or searched.
    private var work = 0
    /// Processor time, in seconds.
    private var seconds = 0.0
    private var isTold = false

    /// The budget of something of `size` bytes: a large file on disk may hold more than any mail.
    init(_ containers: ContainerLimits, _ limits: MessageLimits, size: Int) {
        total = max(
            containers.total, min(size, Int.max / containers.ratio) * containers.ratio)
        members = max(containers.members, size / containers.memberSize)
        mostEntries = max(containers.entries, size / containers.memberSize)
        octets = total
        verified = total
        entries = mostEntries
        membersLeft = members
        messagesLeft = limits.messages
        self.limits = limits
        self.size = size
    }

    /// Whether all is spent that processor time, work and messages may cost: nothing more is looked at.
    var isSpent: Bool {
        seconds > mostSeconds || work > mostWork || messagesLeft < 0
    }

    private var mostSeconds: Double { limits.mostSeconds(size) }

    private var mostWork: Int { limits.mostBytes(size) }

    /// What was spent; nil when it was asked before, for one message has many parts.
    mutating func takeLimit() -> Limit? {
        guard !isTold else { return nil }
        isTold = true
        return if seconds > mostSeconds {
            Limit.time(mostSeconds)
        } else if work > mostWork {
            Limit(
                code: "limit-work",
                detail: "more than \(mostWork >> 20) MiB had to be decoded or searched")
        } else if messagesLeft < 0 {
            Limit(
                code: "limit-messages",
                detail: "the mailboxes in it hold more than \(limits.messages) messages")
        } else if octets == 0 || verified == 0 {
            Limit(
                code: "limit-inflated",
                detail: "more than \(total >> 20) MiB are packed in it")
        } else if entries == 0 {
            Limit(
                code: "limit-entries",
                detail: "the archives in it have more than \(mostEntries) entries")
        } else {
            Limit(
                code: "limit-members",
                detail: "more than \(members) members are packed in it")
        }
    }

    /// Takes one member; false if there may be none.
    mutating func takeMember() -> Bool {
        membersLeft -= 1
        return membersLeft >= 0 && octets > 0 && entries > 0 && mayVerify
    }

    /// Takes octets that were unpacked; false if they were too many.
    @discardableResult
    mutating func take(_ count: Int) -> Bool {
        octets -= min(count, octets)
        takeWork(count)
        return octets > 0 && entries > 0 && mayVerify
    }

    /// Whether passes may still be verified.
    var mayVerify: Bool { verified > 0 && !isSpent }

    /// Takes what verifying a pass inflated beyond the usual.
    mutating func takeVerified(_ count: Int) {
        verified -= min(count, verified)
    }

    /// Takes bytes that were decoded, inflated, verified or searched.
    mutating func takeWork(_ count: Int) {
        let (sum, isTooLarge) = work.addingReportingOverflow(count)
        work = isTooLarge ? .max : sum
    }

    /// Takes messages of a mailbox that lies in the message at hand.
    mutating func takeMessages(_ count: Int) {
        messagesLeft -= count
    }

    /// Another message of the same archive begins: its time and its work are counted anew.
    mutating func beginMessage() {
        (seconds, work) = (0, 0)
        isTold = false
    }

    /// So much of the message at hand was read, in bytes.
    mutating func note(size read: Int) {
        size = max(size, read)
    }

    /// Takes the processor time of this thread since a moment of it.
    mutating func takeTime(since start: Double) {
        seconds += DecodingBudget.processorSeconds - start
    }

    /// The processor time of this thread, in seconds.
    static var processorSeconds: Double {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
