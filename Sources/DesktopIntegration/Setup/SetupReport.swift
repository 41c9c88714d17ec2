internal import Localization
internal import PassPresentation
package import PassSession

/// The result of setup, in lines for the user.
package struct SetupReport {
    /// A change that was made, or is planned.
    package enum Deed: CaseIterable {
        case wrote, updated, set, added, removed, restored
        /// Nothing had to be changed.
        case unchanged
        /// Not changed, since it is not as setup made it.
        case kept

        func word(isPlan: Bool) -> String {
            switch self {
            case .wrote: isPlan ? localized("would write") : localized("wrote")
            case .updated: isPlan ? localized("would update") : localized("updated")
            case .set: isPlan ? localized("would set") : localized("set")
            case .added: isPlan ? localized("would add") : localized("added")
            case .removed: isPlan ? localized("would remove") : localized("removed")
            case .restored: isPlan ? localized("would restore") : localized("restored")
            case .unchanged: localized("unchanged")
            case .kept: localized("kept")
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
        let words = Deed.allCases.map { $0.word(isPlan: isPlan) }
        let word = padded(deed.word(isPlan: isPlan), to: words.map(columns).max() ?? 0)
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
