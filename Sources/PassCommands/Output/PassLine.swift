package import PassImport
internal import PassModel
internal import PassVerification

/// A pass that was found, in one line for a person:
/// `trusted    Boarding pass  Example Air, LIS -> OPO  pass.com.example/123  mail.mbox, message 13`.
/// Behind it the reasons for a verdict, and what changed: ` - Your gate is now 7`.
func passLine(
    _ found: FoundPass, _ changes: ToldChanges?, _ reader: Reader, on terminal: Terminal
) -> String {
    let verification = found.verification
    var columns: [String] = []
    if let imported = found.imported { columns.append(padded(imported.rawValue, to: 9)) }
    columns.append(painted(verification.verdict, to: 9, on: terminal))
    if let pass = verification.pass {
        columns.append(padded(styleInWords(pass.style), to: 13))
        columns.append(clipped(reader.headline(pass).escaped, to: 80))
        columns.append("\(pass.passTypeIdentifier)/\(pass.serialNumber)".escaped)
    } else {
        columns.append(padded("-", to: 13))
        if !found.name.isEmpty { columns.append(found.name.escaped) }
    }
    columns.append(placeInWords(found.source, found.message, found.part).escaped)

    var line = columns.joined(separator: "  ")
    if verification.verdict != .trusted, !verification.reasons.isEmpty {
        line += " - " + reasonsInWords(found)
    }
    let told = changes?.line ?? ""
    return told.isEmpty ? line : "\(line) - \(told)"
}

private func reasonsInWords(_ found: FoundPass) -> String {
    var reasons = found.verification.reasons.map(\.detail.escaped).joined(separator: "; ")
    // A web page in place of a pass says more to a person than that it is no ZIP archive.
    if let type = found.otherType {
        reasons += " (it looks like \(type.escaped))"
    }
    return reasons
}

/// Why a pass does not enter the library, as a clause behind the place where it is.
func refusalClause(_ found: FoundPass) -> String {
    let place = placeInWords(found.source, found.message, found.part).escaped
    let verification = found.verification
    let reasons = reasonsInWords(found)
    return "\(place): the pass is \(verification.verdict.rawValue) and was refused"
        + (reasons.isEmpty ? "" : ": \(reasons)")
}

/// What went wrong, as a clause behind the place where it did.
func problemClause(_ problem: Problem) -> String {
    let place = placeInWords(problem.source, problem.message, problem.part ?? "")
    return "\(place): \(clause(problem.detail))".escaped
}

/// Where something lies: `mail.mbox, message 13, part 1.2`. People count messages from 1.
package func placeInWords(
    _ source: String, _ message: MessageReference?, _ part: String
) -> String {
    var place = source == "-" ? "standard input" : abbreviated(source)
    if let message { place += ", message \(message.index + 1)" }
    if !part.isEmpty { place += ", part \(part)" }
    return place
}

/// A verdict in its colour, with spaces up to a width.
func painted(_ verdict: Verdict, to width: Int = 0, on terminal: Terminal) -> String {
    let colour: Colour =
        switch verdict {
        case .trusted: .green
        case .untrusted, .unsigned: .yellow
        case .tampered, .malformed: .red
        }
    let spaces = padded(verdict.rawValue, to: width).dropFirst(verdict.rawValue.count)
    return terminal.paint(verdict.rawValue, colour) + spaces
}

/// A verdict as a person may take it.
func meaning(of verdict: Verdict) -> String {
    switch verdict {
    case .trusted: "as its issuer signed it, and the signer is vouched for"
    case .untrusted: "as somebody signed it, but the signer is not vouched for"
    case .unsigned: "anybody may have made it"
    case .tampered: "not what its signer signed"
    case .malformed: "cannot be read as a pass"
    }
}

/// All of a scan or an import in one line: `9 passes (7 trusted, 2 unsigned) in 120 messages ...`.
func summaryLine(_ summary: Summary) -> String {
    let verdicts: [Verdict] = [.trusted, .untrusted, .unsigned, .tampered, .malformed]
    let counts = verdicts.compactMap { verdict in
        summary.verdicts[verdict].flatMap { $0 > 0 ? "\(grouped($0)) \(verdict)" : nil }
    }
    let none = summary.unchanged > 0 ? "no new passes" : "no passes"
    var line = summary.candidates == 0 ? none : counted(summary.candidates, "pass", "passes")
    if !counts.isEmpty { line += " (\(counts.joined(separator: ", ")))" }
    if let links = summary.links {
        line += links == 0 ? " and no links" : " and " + counted(links, "link", "links")
    }
    line += " in "
    if summary.messages > 0 { line += counted(summary.messages, "message", "messages") + ", " }
    line += counted(summary.sources, "source", "sources") + ", " + bytesInWords(summary.bytes)
    if summary.seconds >= 0.001 {
        line += " in \(String((summary.seconds * 1000).rounded() / 1000)) s"
    }
    if summary.unchanged > 0 {
        line += "; \(grouped(summary.unchanged)) unchanged since the last time"
        line += " (--all reads them too)"
    }
    if summary.problems > 0 { line += "; " + counted(summary.problems, "problem", "problems") }
    return line
}

/// A sentence as the program's own messages are written: it begins in lower case and has no full stop.
func clause(_ sentence: String) -> String {
    var clause = Substring(sentence)
    while clause.hasSuffix(".") || clause.hasSuffix("\n") { clause.removeLast() }
    guard let first = clause.first, first.isUppercase else { return String(clause) }
    // An abbreviation (`ZIP`) or a name in code (`pass.json`) stays as it is.
    let second = clause.dropFirst().first
    guard second?.isLowercase == true || second == " " else { return String(clause) }
    return first.lowercased() + clause.dropFirst()
}
