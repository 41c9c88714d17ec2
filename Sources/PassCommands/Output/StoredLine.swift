internal import Foundation
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassStore
internal import PassVerification

/// Passes of the library, one per line. On a terminal they fit its width, unless they are wanted in
/// full.
///
/// - Parameter past: Listed after the others, below a heading.
func storedLines(
    _ passes: [StoredPass], past: [StoredPass] = [], trusting anchors: TrustAnchors,
    _ changes: RecentChanges, _ displayLocale: DisplayLocale, isFull: Bool, on terminal: Terminal
) -> [String] {
    var lines =
        isFull || !terminal.isTerminal
        ? fullLines(passes + past, anchors, changes, displayLocale, terminal).map { [$0] }
        : fittedLines(passes + past, anchors, changes, displayLocale, terminal)
    if !past.isEmpty {
        let heading = terminal.paint(PassSection.past.title, .bold)
        lines.insert(passes.isEmpty ? [heading] : ["", heading], at: passes.count)
    }
    return lines.flatMap(\.self)
}

/// In full, followed by recent changes: `Your gate is now 7 (today 14:03)`.
private func fullLines(
    _ passes: [StoredPass], _ anchors: TrustAnchors, _ changes: RecentChanges,
    _ displayLocale: DisplayLocale, _ terminal: Terminal
) -> [String] {
    aligned(
        passes.map { stored in
            let number = "\(stored.id)"
            let columns = [
                String(repeating: " ", count: max(4 - number.count, 0)) + number,
                styleInWords(stored.current.style),
                clipped(displayLocale.headline(stored.current).escaped, to: 60),
                stored.current.relevantDate.map(displayLocale.shortMoment) ?? "",
                standing(stored, anchors, displayLocale, terminal),
                stored.identity.description.shortenedName.escaped,
            ]
            let news = news(of: stored, changes, displayLocale)
            return news.isEmpty ? columns : columns + [news]
        })
}

/// `✓ 3  Example Air, LIS -> OPO  2024-05-01 10:00  expired  Boarding pass`, with recent changes on
/// a line of their own.
private func fittedLines(
    _ passes: [StoredPass], _ anchors: TrustAnchors, _ changes: RecentChanges,
    _ displayLocale: DisplayLocale, _ terminal: Terminal
) -> [[String]] {
    let rows = passes.map { stored in
        let current = stored.current
        return (
            stored: stored, name: displayLocale.headline(current).shortenedName.escaped,
            date: (PassPlace(of: current, now: displayLocale.now).date ?? current.relevantDate)
                .map(displayLocale.shortMoment) ?? "",
            standing: remarks(stored, anchors, displayLocale, terminal),
            style: styleInWords(current.style)
        )
    }
    func longest(_ texts: [String]) -> Int { texts.map(columns).max() ?? 0 }
    let digits = rows.map { "\($0.stored.id)".count }.max() ?? 0
    let leadWidth = longest(rows.prefix(1).map { mark($0.stored.current.verdict, on: terminal) })
    let (date, standing) = (longest(rows.map(\.date)), longest(rows.map(\.standing)))
    let style = longest(rows.map(\.style))
    let widths = LineColumns(
        room: terminal.lineWidth - leadWidth - digits - LineColumns.gap.count,
        longestName: longest(rows.map(\.name)),
        beside: [
            .init(widths: date...date, nameWidth: 12),
            .init(widths: standing...standing, nameWidth: 20),
            .init(widths: style...style, nameWidth: 36),
        ])
    let (dateWidth, standingWidth, styleWidth) = (
        widths.others[0], widths.others[1], widths.others[2]
    )
    return rows.map { row in
        let number = "\(row.stored.id)"
        let line = terminal.line([
            (String(repeating: " ", count: digits - number.count) + number, digits),
            (row.name, widths.name), (row.date, dateWidth), (row.standing, standingWidth),
            (row.style, styleWidth),
        ])
        let below = [
            standingWidth > 0 ? "" : row.standing, news(of: row.stored, changes, displayLocale),
        ]
        // A check mark would say that the pass is trusted.
        let isLost = row.stored.isVouchedFor(by: anchors) == false && terminal.hasSymbols
        let verdict = isLost ? .untrusted : row.stored.current.verdict
        return [mark(verdict, on: terminal) + line]
            + below.filter { !$0.isEmpty }.flatMap(terminal.indented)
    }
}

private func news(
    of stored: StoredPass, _ changes: RecentChanges, _ displayLocale: DisplayLocale
) -> String {
    let news = changes[stored]?.line ?? ""
    return news.isEmpty ? "" : "\(news) (\(displayLocale.recentMoment(stored.current.importedAt)))"
}

/// The verdict, and whether the pass is no longer vouched for, voided or expired.
private func standing(
    _ stored: StoredPass, _ anchors: TrustAnchors, _ displayLocale: DisplayLocale,
    _ terminal: Terminal
) -> String {
    ([painted(stored.current.verdict, on: terminal)] + validity(stored, anchors, displayLocale))
        .joined(separator: ", ")
}

/// Like the standing, without a verdict that the beginning of the line makes clear.
private func remarks(
    _ stored: StoredPass, _ anchors: TrustAnchors, _ displayLocale: DisplayLocale,
    _ terminal: Terminal
) -> String {
    let verdict = stored.current.verdict
    let isClear = verdict == .trusted || !terminal.hasSymbols
    return ((isClear ? [] : [verdict.phrase.localized]) + validity(stored, anchors, displayLocale))
        .joined(separator: ", ")
}

private func validity(
    _ stored: StoredPass, _ anchors: TrustAnchors, _ displayLocale: DisplayLocale
) -> [String] {
    let version = stored.current
    let isExpired = version.expirationDate.map { $0 <= displayLocale.now } ?? false
    return (stored.isVouchedFor(by: anchors) == false ? [localized("no longer vouched for")] : [])
        + (version.isVoided ? [localized("voided")] : [])
        + (isExpired ? [localized("expired")] : [])
}
