import Archives
import Bytes
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
    private(set) var entries: Int
    private var membersLeft: Int
    /// The initial budget, in bytes.
    let total: Int
    private let members: Int
    private let mostEntries: Int
    private var isTold = false

    /// The budget for a message or file of `size` bytes: a large file on disk may contain more than
    /// any message may.
    init(_ limits: ContainerLimits, size: Int) {
        total = max(limits.total, min(size, Int.max / limits.ratio) * limits.ratio)
        members = max(limits.members, size / limits.memberSize)
        mostEntries = max(limits.entries, size / limits.memberSize)
        octets = total
        verified = total
        entries = mostEntries
        membersLeft = members
    }

    /// The exhausted limit; returned only once, although a message has many parts.
    mutating func takeLimit() -> Problem.Limit? {
        guard !isTold else { return nil }
        isTold = true
        return if octets == 0 || verified == 0 {
            .inflated(bytes: total)
        } else if entries == 0 {
            .entries(mostEntries)
        } else {
            .members(members)
        }
    }

    /// Examines octets, and counts the entries of an archive.
    mutating func contents(
        of bytes: SpooledBytes, _ hint: ContentKind.Hint, types: TypeMap, limits: ContainerLimits
    ) throws(FileError) -> Contents {
        var limits = limits
        limits.archive.total = total
        limits.archive.entry = max(limits.archive.entry, octets)
        return try Contents(bytes, hint, types: types, limits: limits, entriesLeft: &entries)
    }

    /// Counts one member; false if the budget is exhausted.
    mutating func takeMember() -> Bool {
        membersLeft -= 1
        return membersLeft >= 0 && octets > 0 && entries > 0 && mayVerify
    }

    /// Counts unpacked octets; false if the budget is exhausted.
    @discardableResult
    mutating func take(_ count: Int) -> Bool {
        octets -= min(count, octets)
        return octets > 0 && entries > 0 && mayVerify
    }

    /// Whether passes may still be verified.
    var mayVerify: Bool { verified > 0 }

    /// Counts bytes that verification inflated beyond the usual amount.
    mutating func takeVerified(_ count: Int) {
        verified -= min(count, verified)
    }
}
