internal import PassPresentation
package import PassSession

/// The result of setup, in lines for the user.
package struct SetupReport {
    /// A change that was made, or is planned.
    package enum Deed: String {
        case wrote, updated, set, added, removed, restored
        /// Nothing had to be changed.
        case unchanged
        /// Left alone because setup may not change it.
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

    /// Whether changes are only reported, not made.
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

    /// Makes one change. An error is recorded, and setup continues.
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
