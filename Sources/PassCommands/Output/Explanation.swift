internal import Foundation
internal import PassImport
internal import PassModel
internal import PassVerification

/// The verdict on a pass, and every check that led to it, in words that its issuer can act on.
struct Explanation {
    private let found: FoundPass
    private let reader: Reader
    private let terminal: Terminal

    init(_ found: FoundPass, in shell: Shell) {
        self.found = found
        reader = Reader(shell.environment, language: nil)
        terminal = shell.console.output
    }

    private var verification: Verification { found.verification }

    var lines: [String] {
        let place = placeInWords(found.source, found.message, found.part)
        var lines = ["\(place.escaped): \(painted(verification.verdict, on: terminal))"]
        if let pass = verification.pass {
            let name = "\(pass.passTypeIdentifier)/\(pass.serialNumber)"
            let words = [styleInWords(pass.style), reader.headline(pass), name].map(\.escaped)
            lines.append("  " + words.joined(separator: "  "))
        }
        lines.append("")
        let asked = verification.checks.filter { $0.outcome != .skipped }
        let skipped = verification.checks.filter { $0.outcome == .skipped }
        // One failure stops most questions: that they were not asked says nothing one by one.
        let isStopped = skipped.count > 2
        lines += aligned(
            (isStopped ? asked : verification.checks).map {
                ["  " + outcome($0), named($0), $0.detail.escaped]
            })
        if isStopped {
            lines.append("  \(terminal.paint("skipped", .faint))  \(skipped.count) more: not asked")
        }
        let facts = facts
        if !facts.isEmpty { lines += [""] + aligned(facts) }
        return lines
    }

    private var facts: [[String]] {
        var rows: [[String]] = []
        if let signer = verification.signer {
            let team = signer.teamIdentifier.map { " (team \($0))" } ?? ""
            let anchor = signer.anchor.map { ", under \($0)" } ?? ""
            rows.append(["  signed by", "\(signer.commonName)\(team)\(anchor)".escaped])
            rows.append([
                "  valid",
                "\(timestamp(signer.notBefore)) to \(timestamp(signer.notAfter))",
            ])
        }
        if let date = verification.signedAt { rows.append(["  signed at", timestamp(date)]) }
        rows += verification.reasons.map { ["  reason", "\($0.detail) [\($0.code)]".escaped] }
        rows += verification.notes.map { ["  note", "\($0.detail) [\($0.code)]".escaped] }
        if let type = found.otherType { rows.append(["  note", "it looks like \(type)".escaped]) }
        rows.append([
            "  verdict",
            "\(painted(verification.verdict, on: terminal)): \(meaning(of: verification.verdict))",
        ])
        return rows
    }

    private func named(_ check: Check) -> String {
        check.name.replacing("-", with: " ").escaped
    }

    private func outcome(_ check: Check) -> String {
        switch check.outcome {
        case .passed: terminal.paint("passed", .green)
        case .failed: terminal.paint("failed", .red)
        case .skipped: terminal.paint("skipped", .faint)
        }
    }
}
