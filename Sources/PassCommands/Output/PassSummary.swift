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
        var facts: [(label: String, text: String)] = []
        let meaning = verification.verdict.meaning.localized
        facts.append((localized("Verdict"), "\(verification.verdict.phrase.localized): \(meaning)"))
        let reasons = verification.reasons.map { $0.phrase.localized.escaped }
        facts += reasons.prefix(3).map { (localized("Reason"), $0) }
        if reasons.count > 3 {
            facts.append(("", localized("and {count} more", ["count": "\(reasons.count - 3)"])))
        }
        if let type = found.otherType {
            let note = localized("it looks like {type}", ["type": type.phrase.localized])
            facts.append((localized("Note"), note.escaped))
        }
        if let signature { facts.append((localized("Signed"), signature)) }
        let place = placeInWords(found.source, found.message, found.part).escaped
        facts.append((localized("From"), clipped(place, to: 300)))
        if let standing = prospect?.standing(of: verification.verdict, displayLocale) {
            facts.append((localized("Library"), standing))
        }

        let labels = max(facts.map { columns($0.label) }.max() ?? 0, 8)
        return facts.enumerated().flatMap { index, one in
            let lines = fact(one.label, one.text, width: terminal.width, labels: labels)
            return index == 0 ? paintedVerdict(in: lines) : lines
        }
    }

    private func paintedVerdict(in lines: [String]) -> [String] {
        let word = verification.verdict.phrase.localized
        // The verdict is never wrapped, since it is shorter than the smallest width.
        return lines.enumerated().map { index, line in
            index > 0
                ? line
                : line.replacing(
                    word, with: painted(verification.verdict, on: terminal), maxReplacements: 1)
        }
    }

    private var signature: String? {
        guard let signer = verification.signer else { return nil }
        let name = "'\(clipped(signer.commonName, to: 80))'"
        let anchor =
            signer.anchor.map { localized(", under {name}", ["name": clipped($0, to: 80)]) } ?? ""
        let date = verification.signedAt.map(displayLocale.shortMoment)
        let signed =
            if let date {
                localized("{date} by {name}", ["date": date, "name": name])
            } else {
                localized("by {name}", ["name": name])
            }
        return (signed + anchor).escaped
    }
}
