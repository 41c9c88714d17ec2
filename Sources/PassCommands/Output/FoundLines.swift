internal import Foundation
internal import Localization
internal import PassImport
internal import PassModel
internal import PassPresentation
internal import PassVerification

/// Lines about passes and links as they are found. On a terminal they fit its width; in full, as in
/// files and pipes, they contain the name of the pass and its location.
struct FoundLines: Sendable {
    private let displayLocale: DisplayLocale
    private let terminal: Terminal
    private let isFull: Bool
    /// The width of a date.
    private let dateWidth: Int

    /// - Parameter isFull: Whether lines are in full on a terminal as well.
    init(isFull: Bool, _ displayLocale: DisplayLocale, on terminal: Terminal) {
        self.displayLocale = displayLocale
        self.terminal = terminal
        self.isFull = isFull || !terminal.isTerminal
        dateWidth = self.isFull ? 0 : displayLocale.shortMomentWidth
    }

    /// The line about a pass, or a few lines on a terminal.
    ///
    /// - Parameter shared: Holds back reasons that several passes may have; nil to print them here.
    func text(
        _ found: FoundPass, _ changes: ToldChanges?, sharing shared: inout SharedReasons?
    ) -> String {
        isFull
            ? passLine(found, changes, displayLocale, on: terminal)
            : fitted(found, changes, &shared).joined(separator: "\n")
    }

    func text(_ found: FoundPass, _ changes: ToldChanges?) -> String {
        var shared: SharedReasons?
        return text(found, changes, sharing: &shared)
    }

    /// The line about a link.
    func text(_ found: FoundLink) -> String {
        isFull ? linkLine(found) : linkLine(found, on: terminal)
    }

    /// `✓ added    Example Air, LIS -> OPO    2024-05-01 10:00  Boarding pass  mail.mbox`.
    ///
    /// The reasons for the verdict and the changes follow, each on lines of their own.
    private func fitted(
        _ found: FoundPass, _ changes: ToldChanges?, _ shared: inout SharedReasons?
    ) -> [String] {
        let verification = found.verification
        let pass = verification.pass
        let place = FoundPlace(found.source, found.message)
        let name = (pass.map(displayLocale.headline) ?? found.name).shortenedName.escaped
        let shownName = name.isEmpty ? place.text : name
        let style = styleInColumn(pass?.style)

        var lead = mark(verification.verdict, on: terminal)
        if let imported = found.imported { lead += inColumn(imported) + LineColumns.gap }
        // Results are printed as they are found, so widths cannot depend on later ones.
        let widths = LineColumns(
            room: terminal.lineWidth - columns(lead), longestName: 50,
            beside: [
                .init(widths: dateWidth...dateWidth, nameWidth: 12),
                .init(widths: FoundPlace.leastWidth...100, nameWidth: 38),
                .init(widths: columns(style)...columns(style), nameWidth: 38),
            ])
        let (dateWidth, placeWidth, styleWidth) = (
            widths.others[0], widths.others[1], widths.others[2]
        )
        let line = terminal.line([
            (shownName, widths.name),
            (pass?.relevantDate.map(displayLocale.shortMoment) ?? "", dateWidth),
            (style, styleWidth), (place.fitted(to: placeWidth, on: terminal), placeWidth),
        ])
        let reasons = VerdictReasons(found)
        var below: [String] = []
        // Without its file, a pass that is not trusted cannot be examined.
        if reasons != nil, placeWidth == 0, !place.isEvident(from: shownName) {
            below += terminal.indented(place.text)
        }
        let before = shared?.take(reasons, on: terminal) ?? []
        if shared == nil, let reasons { below += reasons.lines(on: terminal) }
        if let told = changes?.line, !told.isEmpty { below += terminal.indented(told) }
        return before + [lead + line] + below
    }
}

extension DisplayLocale {
    /// The width of the widest date in a list.
    fileprivate var shortMomentWidth: Int {
        // The names of months may differ in width: 28 December 2028, 22:58 UTC, and a date in each
        // month before it.
        let (last, month) = (1_861_657_080.0, 30.4 * 86_400)
        let dates = (0..<12).map { Date(timeIntervalSince1970: last - Double($0) * month) }
        return dates.map { columns(shortMoment($0)) }.max() ?? 0
    }
}
