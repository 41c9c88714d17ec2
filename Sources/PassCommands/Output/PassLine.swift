internal import Localization
internal import PassImport
internal import PassModel
internal import PassPresentation
internal import PassVerification

/// A found pass in one line:
/// `trusted    Boarding pass  Example Air, LIS -> OPO  pass.com.example/123  mail.mbox, message 13`.
/// The reasons for the verdict and the changes (` - Your gate is now 7`) follow.
func passLine(
    _ found: FoundPass, _ changes: ToldChanges?, _ displayLocale: DisplayLocale,
    on terminal: Terminal
) -> String {
    let verification = found.verification
    var columns: [String] = []
    if let imported = found.imported { columns.append(inColumn(imported)) }
    columns.append(paintedInColumn(verification.verdict, on: terminal))
    if let pass = verification.pass {
        columns.append(styleInColumn(pass.style))
        columns.append(clipped(displayLocale.headline(pass).escaped, to: 80))
        columns.append(pass.identity.description.shortenedName.escaped)
    } else {
        columns.append(styleInColumn(nil))
        if !found.name.isEmpty { columns.append(found.name.shortenedName.escaped) }
    }
    columns.append(placeInWords(found.source, found.message, found.part).escaped)

    var line = columns.joined(separator: "  ")
    if verification.verdict != .trusted, !verification.reasons.isEmpty {
        line += " - " + reasonsInWords(found)
    }
    let told = changes?.line ?? ""
    return told.isEmpty ? line : "\(line) - \(told)"
}
