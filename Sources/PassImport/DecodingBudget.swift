import PassContainers

/// What may still be unpacked of one message or file: of all that lies in one another in it.
struct DecodingBudget {
    /// Why nothing more is unpacked.
    struct Limit {
        let code: String
        let detail: String
    }

    private(set) var octets: Int
    /// What verifying passes may still inflate beyond the usual: a container that costs too much costs
    /// the passes beside it nothing.
    private var verified: Int
    var entries: Int
    private var membersLeft: Int
    /// Of what was there at the beginning, in bytes.
    let total: Int
    private let members: Int
    private let mostEntries: Int
    private var isTold = false

    /// The budget of something of `size` bytes: a large file on disk may hold more than any mail.
    init(_ limits: ContainerLimits, size: Int) {
        total = max(limits.total, min(size, Int.max / limits.ratio) * limits.ratio)
        members = max(limits.members, size / limits.memberSize)
        mostEntries = max(limits.entries, size / limits.memberSize)
        octets = total
        verified = total
        entries = mostEntries
        membersLeft = members
    }

    /// What was spent; nil when it was asked before, for one message has many parts.
    mutating func takeLimit() -> Limit? {
        guard !isTold else { return nil }
        isTold = true
        return if octets == 0 || verified == 0 {
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
        return octets > 0 && entries > 0 && mayVerify
    }

    /// Whether passes may still be verified.
    var mayVerify: Bool { verified > 0 }

    /// Takes what verifying a pass inflated beyond the usual.
    mutating func takeVerified(_ count: Int) {
        verified -= min(count, verified)
    }
}
