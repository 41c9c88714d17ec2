internal import PassPresentation
package import PassSession

/// What setup has to say, when it is done.
package struct SetupReport {
    /// One thing that was done, or would be.
    package enum Deed: String {
        case wrote, updated, set, added, removed, restored
        /// There was nothing to do.
        case unchanged
        /// It is not setup's to change.
        case left

        var planned: String {
            switch self {
            case .wrote: "would write"
            case .updated: "would update"
            case .set: "would set"
            case .added: "would add"
            case .removed: "would remove"
            case .restored: "would restore"
            case .unchanged, .left: rawValue
            }
        }
    }

    /// Nothing is done: it is said what would be.
    package let isPlan: Bool
    package private(set) var lines: [String] = []
    package private(set) var problems: [Failure] = []

    init(isPlan: Bool) {
        self.isPlan = isPlan
    }

    package mutating func add(_ deed: Deed, _ what: String, _ detail: String? = nil) {
        let word = padded(isPlan ? deed.planned : deed.rawValue, to: isPlan ? 13 : 9)
        lines.append("\(word)  \(what)" + (detail.map { "  (\($0))" } ?? ""))
    }

    mutating func addNothing(_ line: String) {
        lines.append(line)
    }

    package mutating func add(_ problem: Failure) {
        problems.append(problem)
    }

    /// Does one thing; what fails is a problem, and no reason not to do the rest.
    package mutating func attempt(
        _ deed: Deed, _ what: String, _ detail: String? = nil, _ work: () throws(Failure) -> Void
    ) {
        do throws(Failure) {
            if !isPlan { try work() }
            add(deed, what, detail)
        } catch {
            add(error)
        }
    }
}
