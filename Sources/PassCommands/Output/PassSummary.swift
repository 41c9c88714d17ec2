internal import Foundation
internal import PassImport
internal import PassModel
internal import PassStore
internal import PassVerification

/// A pass for one who has to decide whether to add it: what it says, behind a margin, and below it
/// what is to be said of it.
struct PassSummary {
    let found: FoundPass
    /// Nil for what can never be added.
    let prospect: Prospect?
    /// What it says differently from the one that it would replace.
    let changes: [String]
    let reader: Reader
    let terminal: Terminal

    /// In lines: a pass may say as much as it likes, and the verdict still has to be in sight.
    static let longest = 40

    private var verification: Verification { found.verification }

    var lines: [String] {
        let margin = Margin(terminal: terminal)
        var lines: [String] = []
        if let pass = verification.pass {
            var inner = terminal
            inner.width = margin.width
            lines += margin.around(
                PassCard(pass: pass, reader: reader, terminal: inner).summary,
                limit: PassSummary.longest)
            lines.append("")
        }
        lines += facts
        if !changes.isEmpty {
            lines += ["", "  What changed:"]
            lines += margin.around(changes, limit: PassSummary.longest)
        }
        return lines
    }

    private var facts: [String] {
        let width = terminal.width
        var lines = verdict
        let reasons = verification.reasons.map(\.detail.escaped)
        for reason in reasons.prefix(3) { lines += fact("Reason", reason, width: width) }
        if reasons.count > 3 { lines += fact("", "and \(reasons.count - 3) more", width: width) }
        if let type = found.otherType {
            lines += fact("Note", "it looks like \(type)".escaped, width: width)
        }
        if let signature { lines += fact("Signed", signature, width: width) }
        let place = placeInWords(found.source, found.message, found.part).escaped
        lines += fact("From", clipped(place, to: 300), width: width)
        if let standing { lines += fact("Library", standing, width: width) }
        return lines
    }

    private var verdict: [String] {
        let word = verification.verdict.rawValue
        let lines = fact(
            "Verdict", "\(word): \(meaning(of: verification.verdict))", width: terminal.width)
        // Our own words, which are no longer than the least width.
        return lines.enumerated().map { index, line in
            index > 0
                ? line
                : line.replacing(
                    word, with: painted(verification.verdict, on: terminal), maxReplacements: 1)
        }
    }

    private var signature: String? {
        guard let signer = verification.signer else { return nil }
        let moment = verification.signedAt.map { "\(reader.shortMoment($0)) " } ?? ""
        let anchor = signer.anchor.map { ", under \(clipped($0, to: 80))" } ?? ""
        return "\(moment)by '\(clipped(signer.commonName, to: 80))'\(anchor)".escaped
    }

    /// What the library has of this pass; nil for nothing.
    private var standing: String? {
        guard let prospect, let stored = prospect.stored else { return nil }
        let number = "number \(stored.id)"
        let front = stored.current
        let other = front.signedAt.map { "was signed \(reader.shortMoment($0))" } ?? "is not signed"
        let isJudgedAlike = front.verdict == verification.verdict
        switch prospect.admission {
        case .added: return nil
        case .unchanged where prospect.isHistory:
            return "it is there, in the history of \(number); the one in front \(other)"
        case .unchanged:
            return "it is there, \(number)" + (isJudgedAlike ? "" : ", as \(front.verdict)")
        case .updated where !isJudgedAlike:
            return "this one would replace \(number), which is \(front.verdict)"
        case .updated:
            return "this one is newer and would replace \(number), which \(other)"
        case .older where !isJudgedAlike:
            return
                "\(number) is a \(front.verdict) version of this pass and stays in front; this one "
                + "would join its history"
        case .older:
            return
                "\(number), which \(other), is newer and stays in front; this one would join its "
                + "history"
        }
    }
}
