internal import Foundation
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassStore
internal import PassVerification

/// The verdict on a pass of the library, and where the pass came from.
struct Provenance {
    let stored: StoredPass
    let version: StoredVersion
    /// Verified now: the user may trust other authorities than at the import.
    let verification: Verification
    let displayLocale: DisplayLocale
    let terminal: Terminal

    var lines: [String] {
        var rows: [[String]] = [
            [localized("Verdict"), painted(version.verdict, on: terminal)]
        ]
        if verification.verdict != version.verdict {
            let reason = verification.reasons.first.map { " - \($0.phrase.localized)" } ?? ""
            rows.append([
                localized("Today"), painted(verification.verdict, on: terminal) + reason.escaped,
            ])
        }
        if let date = version.signedAt {
            rows.append([localized("Signed"), displayLocale.moment(date)])
        }
        if let signer = verification.signer {
            let anchor = signer.anchor.map { localized(", under {name}", ["name": $0]) } ?? ""
            rows.append([localized("Signed by"), "\(signer.commonName)\(anchor)".escaped])
        }
        rows += version.reasons.map { [localized("Reason"), $0.phrase.localized.escaped] }
        rows += version.notes.map { [localized("Note"), $0.phrase.localized.escaped] }
        rows += version.origins.flatMap { origin in
            let lines = [origin.inWords] + mail(origin)
            return lines.enumerated().map { [$0 == 0 ? localized("From") : "", $1] }
        }
        rows.append([localized("Imported"), displayLocale.moment(version.importedAt)])
        rows.append([localized("Name"), stored.identity.description.escaped])
        rows.append([localized("Number"), "\(stored.id)"])
        rows.append(["SHA-256", version.sha256])
        return aligned(rows).map { "  \($0)" }
    }

    private func mail(_ origin: Origin) -> [String] {
        let date = origin.date.map(displayLocale.shortMoment)
        let parts = [origin.from, date, origin.subject].compactMap(\.self).filter { !$0.isEmpty }
        return parts.isEmpty ? [] : [parts.joined(separator: ", ").escaped]
    }
}
