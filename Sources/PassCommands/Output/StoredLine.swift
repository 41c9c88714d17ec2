internal import Foundation
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassStore

/// Passes of the library, one per line, followed by recent changes:
/// `Your gate is now 7 (today 14:03)`.
func storedLines(
    _ passes: [StoredPass], _ changes: RecentChanges, _ displayLocale: DisplayLocale,
    _ terminal: Terminal
) -> [String] {
    aligned(
        passes.map { stored in
            let number = "\(stored.id)"
            let columns = [
                String(repeating: " ", count: max(4 - number.count, 0)) + number,
                styleInWords(stored.current.style),
                clipped(stored.current.headline.escaped, to: 60),
                stored.current.relevantDate.map(displayLocale.shortMoment) ?? "",
                standing(stored.current, displayLocale, terminal),
                stored.identity.description.escaped,
            ]
            let news = changes[stored]?.line ?? ""
            let moment = displayLocale.recentMoment(stored.changedAt)
            return news.isEmpty ? columns : columns + ["\(news) (\(moment))"]
        })
}

/// The verdict, and whether the pass is voided or expired.
private func standing(
    _ version: StoredVersion, _ displayLocale: DisplayLocale, _ terminal: Terminal
) -> String {
    var words = [painted(version.verdict, on: terminal)]
    if version.isVoided { words.append(localized("voided")) }
    if let date = version.expirationDate, date <= displayLocale.now {
        words.append(localized("expired"))
    }
    return words.joined(separator: ", ")
}
