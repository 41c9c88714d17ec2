internal import PassPresentation
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

    /// The rows for these passes, by section.
    static func arranged(
        _ passes: some Sequence<StoredPass>, at places: [StoredPass.ID: PassPlace]
    ) -> [ListRow] {
        PassSection.arranged(passes) { places[$0.id] }.flatMap { part in
            [.heading(part.section)] + part.passes.map { .pass($0.id) }
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
