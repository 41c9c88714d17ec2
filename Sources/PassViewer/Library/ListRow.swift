internal import Foundation
internal import PassStore

/// A row of the list.
enum ListRow: Hashable, Sendable {
    case heading(PassSection)
    case pass(StoredPass.ID)

    /// The string that represents the row in GTK's list model.
    var key: String {
        switch self {
        case .heading(let section): "#\(section.rawValue)"
        case .pass(let id): "\(id)"
        }
    }

    /// The rows for these passes, in Wallet's order: by section; relevant passes by date, the
    /// others by their latest change.
    static func arranged(
        _ passes: some Sequence<StoredPass>, at places: [StoredPass.ID: PassPlace]
    ) -> [ListRow] {
        var parts: [PassSection: [(pass: StoredPass, date: Date?)]] = [:]
        for pass in passes {
            guard let place = places[pass.id] else { continue }
            parts[place.section, default: []].append((pass, place.date))
        }
        return PassSection.allCases.flatMap { section -> [ListRow] in
            guard let passes = parts[section] else { return [] }
            let sorted = passes.sorted { left, right in
                switch section {
                case .now, .upcoming:
                    if let first = left.date, let second = right.date, first != second {
                        return first < second
                    }
                case .other, .past:
                    let dates = (left.pass.current.importedAt, right.pass.current.importedAt)
                    if dates.0 != dates.1 { return dates.0 > dates.1 }
                }
                return left.pass.id > right.pass.id
            }
            return [.heading(section)] + sorted.map { .pass($0.pass.id) }
        }
    }

    /// The rows that match, without headings of empty sections.
    static func rows(
        _ rows: [ListRow], where isShown: (StoredPass.ID) -> Bool
    ) -> [ListRow] {
        var shown: [ListRow] = []
        for row in rows {
            if case .pass(let id) = row, !isShown(id) { continue }
            if case .heading = row, case .heading? = shown.last { shown.removeLast() }
            shown.append(row)
        }
        if case .heading? = shown.last { shown.removeLast() }
        return shown
    }
}
