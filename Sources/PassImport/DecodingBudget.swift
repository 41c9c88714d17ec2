import PassContainers

/// What may still be unpacked of one message or file: of all that lies in one another in it.
struct DecodingBudget {
    /// Why nothing more is unpacked.
    struct Limit {
        let code: String
        let detail: String
    }

    private(set) var octets: Int
    private var membersLeft: Int
    private let limits: ContainerLimits

    init(_ limits: ContainerLimits) {
        self.limits = limits
        octets = limits.total
        membersLeft = limits.members
    }

    /// What was spent.
    var limit: Limit {
        if octets == 0 {
            Limit(
                code: "limit-inflated",
                detail: "more than \(limits.total >> 20) MiB are packed in it")
        } else {
            Limit(
                code: "limit-members",
                detail: "more than \(limits.members) members are packed in it")
        }
    }

    /// Takes one member; false if there may be none.
    mutating func takeMember() -> Bool {
        membersLeft -= 1
        return membersLeft >= 0 && octets > 0
    }

    /// Takes octets that were unpacked; false if they were too many.
    @discardableResult
    mutating func take(_ count: Int) -> Bool {
        octets -= min(count, octets)
        return octets > 0
    }
}
