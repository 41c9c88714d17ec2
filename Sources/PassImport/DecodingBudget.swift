import Archives
import Bytes
import MIME
import MailSource
import PassContainers
import PassDetection
import Platform

/// The budget for unpacking one message or file, nested contents included.
struct DecodingBudget {
    private(set) var octets: Int
    /// The budget for verification to inflate more than usual; separate, so that an expensive
    /// container does not affect the passes beside it.
    private var verified: Int
    /// The initial budget, in bytes.
    let total: Int
    private let limits: ContainerLimits
    private var isTold = false

    /// The numbers of members and directory entries that may follow.
    private struct Counts {
        var members: Int
        var entries: Int
        var isTold = false
    }

    private var outer: Counts
    /// Those of the last message in an archive or export.
    private var inner: Counts?
    private var isInMessage = false

    /// The budget for a message or file of `size` bytes: a large file on disk may unpack to more
    /// than any message may, and contain any number of members.
    init(_ limits: ContainerLimits, size: Int, isMail: Bool) {
        self.limits = limits
        total = max(limits.total, min(size, Int.max / limits.ratio) * limits.ratio)
        octets = total
        verified = total
        outer =
            isMail
            ? Counts(members: limits.members, entries: limits.entries)
            : Counts(members: .max, entries: .max)
    }

    private var counts: Counts {
        get { isInMessage ? inner ?? outer : outer }
        set { if isInMessage { inner = newValue } else { outer = newValue } }
    }

    /// Goes on with a message in an archive, or outside of one.
    mutating func goOn(isInMessage: Bool, isNew: Bool) {
        self.isInMessage = isInMessage
        guard isNew else { return }
        inner = Counts(members: limits.members, entries: limits.entries)
    }

    /// The number of directory entries that may follow.
    var entries: Int { counts.entries }

    /// Whether nothing more may be unpacked, in whatever message.
    var isSpent: Bool { octets == 0 || verified == 0 }

    /// The exhausted limit; returned only once, although a message has many parts.
    mutating func takeLimit() -> Problem.Limit? {
        if isSpent {
            guard !isTold else { return nil }
            isTold = true
            return .inflated(bytes: total)
        }
        guard !counts.isTold else { return nil }
        counts.isTold = true
        return counts.entries == 0 ? .entries(limits.entries) : .members(limits.members)
    }

    /// Examines octets, and counts the entries of an archive.
    mutating func contents(
        of bytes: SpooledBytes, _ hint: ContentKind.Hint, types: TypeMap, limits: ContainerLimits,
        texts: WantedText
    ) throws(FileError) -> Contents {
        var limits = limits
        limits.archive.total = total
        limits.archive.entry = max(limits.archive.entry, octets)
        return try Contents(
            bytes, hint, types: types, limits: limits, texts: texts,
            entriesLeft: &counts.entries)
    }

    /// Counts one member; false if the budget is exhausted.
    mutating func takeMember() -> Bool {
        counts.members -= 1
        return counts.members >= 0 && mayUnpack
    }

    /// Counts unpacked octets; false if the budget is exhausted.
    @discardableResult
    mutating func take(_ count: Int) -> Bool {
        octets -= min(count, octets)
        return mayUnpack
    }

    private var mayUnpack: Bool { !isSpent && counts.entries > 0 }

    /// Whether passes may still be verified.
    var mayVerify: Bool { verified > 0 }

    /// Counts bytes that verification inflated beyond the usual amount.
    mutating func takeVerified(_ count: Int) {
        verified -= min(count, verified)
    }
}
