internal import Foundation
internal import Localization
internal import PassImport
internal import PassModel
internal import PassPresentation
internal import PassStore
internal import PassVerification

/// Describes a pass to a user who decides whether to add it: its content behind a margin, then the
/// verdict and other facts.
struct PassSummary {
    let found: FoundPass
    /// Nil if the pass can never be added.
    let prospect: Prospect?
    /// How it differs from the pass that it would replace.
    let changes: [String]
    let displayLocale: DisplayLocale
    let terminal: Terminal

    /// In lines: the verdict must stay visible below a long pass.
    static let longest = 40

    private var verification: Verification { found.verification }

    var lines: [String] {
        let margin = Margin(terminal: terminal)
        var lines: [String] = []
        if let pass = verification.pass {
            var inner = terminal
            inner.width = margin.width
            lines += margin.around(
                PassCard(pass: pass, displayLocale: displayLocale, terminal: inner).summary,
                limit: PassSummary.longest)
            lines.append("")
        }
        lines += facts
        if !changes.isEmpty {
            let heading = localized("What changed:")
            lines += ["", "  \(heading)"]
            lines += margin.around(changes, limit: PassSummary.longest)
        }
        return lines
    }

    private var facts: [String] {
        let facts = found.facts(prospect, displayLocale)
        let labels = max(facts.map { columns($0.label) }.max() ?? 0, 8)
        return facts.flatMap { fact in
            let room = max(terminal.width - labels - 4, 8)
            // The verdict is never wrapped, since it is shorter than the smallest width.
            return cut(fact.text, to: room).enumerated().map { index, piece in
                guard index == 0 else { return "  " + padded("", to: labels) + "  " + piece }
                let text = painted(piece, beginningWith: fact.verdict, on: terminal)
                return "  " + padded(fact.label, to: labels) + "  " + text
            }
        }
    }
}
