internal import Localization
package import PassImport
package import PassVerification

/// The totals in one line: `9 passes (7 trusted, 2 unsigned) in 120 messages ...`.
///
/// - Parameters:
///   - followsLinks: Whether links to folders were followed.
///   - mark: Printed before the number of passes with a verdict, to explain the marks in the lines
///     above.
package func summaryLine(
    _ summary: Summary, followsLinks: Bool = false, mark: (Verdict) -> String = { _ in "" }
) -> String {
    let verdicts: [Verdict] = [.trusted, .untrusted, .unsigned, .tampered, .malformed]
    let counts = verdicts.compactMap { verdict in
        summary.verdicts[verdict].flatMap { $0 > 0 ? mark(verdict) + counted(verdict, $0) : nil }
    }
    let none = summary.unchanged > 0 ? localized("no new passes") : localized("no passes")
    var found =
        summary.candidates == 0
        ? none : counted("{count} pass", "{count} passes", summary.candidates)
    if !counts.isEmpty { found += " (\(counts.joined(separator: ", ")))" }
    if let links = summary.links {
        let number =
            links == 0 ? localized("no links") : counted("{count} link", "{count} links", links)
        found = localized("{passes} and {links}", ["passes": found, "links": number])
    }
    var places = [
        counted("{count} source", "{count} sources", summary.sources),
        bytesForReader(summary.bytes),
    ]
    if summary.messages > 0 {
        places.insert(counted("{count} message", "{count} messages", summary.messages), at: 0)
    }
    var line = localized(
        "{passes} in {places}", ["passes": found, "places": places.joined(separator: ", ")])
    if summary.seconds >= 0.001 {
        let seconds = String((summary.seconds * 1000).rounded() / 1000)
        line += localized(
            " in {count} s", ["count": seconds.replacing(".", with: localized("."))])
    }
    if summary.unchanged > 0 {
        let unchanged = counted(
            "{count} unchanged since last time", "{count} unchanged since last time",
            summary.unchanged)
        line += "; \(unchanged)" + localized(" (--all reads them too)")
    }
    if summary.linksNotFollowed > 0 {
        line += "; " + linksClause(summary, followsLinks: followsLinks)
    }
    if summary.problems > 0 {
        line += "; " + counted("{count} problem", "{count} problems", summary.problems)
    }
    return line
}

/// The number of links that were not followed, with the option that follows them.
///
/// - Parameter followsLinks: Whether links to folders were followed.
package func linksClause(_ summary: Summary, followsLinks: Bool) -> String {
    let clause = counted(
        "{count} symbolic link not followed", "{count} symbolic links not followed",
        summary.linksNotFollowed)
    return clause
        + (followsLinks ? "" : localized(" (--follow-symlinks follows those to folders)"))
}
