internal import Foundation
internal import Localization
internal import PassImport
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassVerification

/// The verdict on a pass with every check behind it, in terms that its issuer can act on.
struct Explanation {
    private let found: FoundPass
    private let displayLocale: DisplayLocale
    private let terminal: Terminal

    init(_ found: FoundPass, in shell: Shell) {
        self.found = found
        displayLocale = DisplayLocale(shell.environment, language: nil)
        terminal = shell.console.output
    }

    private var verification: Verification { found.verification }

    var lines: [String] {
        let place = placeInWords(found.source, found.message, found.part)
        var lines = ["\(place.escaped): \(painted(verification.verdict, on: terminal))"]
        if let pass = verification.pass {
            let name = "\(pass.passTypeIdentifier)/\(pass.serialNumber)"
            let words = [styleInWords(pass.style), displayLocale.headline(pass), name].map(
                \.escaped)
            lines.append("  " + words.joined(separator: "  "))
        }
        lines.append("")
        let asked = verification.checks.filter { $0.outcome != .skipped }
        let skipped = verification.checks.filter { $0.outcome == .skipped }
        // After a failure most checks are skipped; listing each one would say little.
        let isStopped = skipped.count > 2
        lines += terminal.table(
            (isStopped ? asked : verification.checks).map {
                ["  " + outcome($0), $0.name.phrase.localized, $0.phrase.localized.escaped]
            })
        if isStopped {
            let rest = localized(
                "{count} more: an earlier check failed", ["count": "\(skipped.count)"])
            let skipped = terminal.paint(localized("skipped"), .faint)
            lines.append("  \(skipped)  \(rest)")
        }
        let facts = facts
        if !facts.isEmpty { lines += [""] + terminal.table(facts) }
        return lines
    }

    private var facts: [[String]] {
        var rows: [[String]] = []
        if let signer = verification.signer {
            let team =
                signer.teamIdentifier.map { localized(" (team {name})", ["name": $0]) } ?? ""
            let anchor = signer.anchor.map { localized(", under {name}", ["name": $0.name]) } ?? ""
            rows.append([
                localized("signed by"), "\(signer.commonName)\(team)\(anchor)".escaped,
            ])
            let period: KeyValuePairs = [
                "start": displayLocale.shortMoment(signer.notBefore),
                "end": displayLocale.shortMoment(signer.notAfter),
            ]
            rows.append([localized("valid"), localized("{start} to {end}", period)])
        }
        if let date = verification.signedAt {
            rows.append([localized("signed at"), displayLocale.shortMoment(date)])
        }
        rows += verification.reasons.map {
            [localized("reason"), "\($0.phrase.localized) [\($0.code)]".escaped]
        }
        rows += verification.notes.map {
            [localized("note"), "\($0.phrase.localized) [\($0.code)]".escaped]
        }
        if let refusal = verification.walletRefusalPhrase {
            rows.append([localized("note"), refusal.localized.escaped])
        }
        if let type = found.otherType {
            rows.append([
                localized("note"),
                localized("it looks like {type}", ["type": type.phrase.localized]).escaped,
            ])
        }
        rows.append([
            localized("verdict"),
            "\(painted(verification.verdict, on: terminal)): \(verification.verdict.meaning.localized)",
        ])
        return rows.map { ["  \($0[0])"] + $0.dropFirst() }
    }

    private func outcome(_ check: Check) -> String {
        switch check.outcome {
        case .passed: terminal.paint(localized("passed"), .green)
        case .failed: terminal.paint(localized("failed"), .red)
        case .skipped: terminal.paint(localized("skipped"), .faint)
        }
    }
}
