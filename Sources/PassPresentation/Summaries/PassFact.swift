internal import Localization
package import PassImport
internal import PassModel
package import PassStore
internal import PassUpdates
package import PassVerification

/// A labelled fact about a pass, such as `Signed by  Pass Type ID: pass.com.example`. The text is
/// escaped.
package struct PassFact: Equatable, Sendable {
    package let label: String
    package let text: String
    /// The verdict whose word begins the text, so that it can be coloured; nil for other facts.
    package let verdict: Verdict?

    init(_ label: String, _ text: String, _ verdict: Verdict? = nil) {
        self.label = label
        self.text = text.escaped
        self.verdict = verdict
    }
}

extension FoundPass {
    /// The facts for a user who decides whether to add the pass, the verdict first.
    ///
    /// - Parameter prospect: What the library would do with the pass; nil if it can never be added.
    package func facts(_ prospect: Prospect?, _ displayLocale: DisplayLocale) -> [PassFact] {
        let verdict = verification.verdict
        let words = "\(verdict.phrase.localized): \(verdict.meaning.localized)"
        var facts = [PassFact(localized("Verdict"), words, verdict)]
        let reasons = verification.reasons
        facts += reasons.prefix(3).map { PassFact(localized("Reason"), $0.phrase.localized) }
        if reasons.count > 3 {
            let more = localized("and {count} more", ["count": "\(reasons.count - 3)"])
            facts.append(PassFact("", more))
        }
        facts += verification.notes.aboutDrawnBarcodes.map {
            PassFact(localized("Note"), $0.phrase.localized)
        }
        if let otherType {
            let type = otherType.phrase.localized
            facts.append(
                PassFact(localized("Note"), localized("it looks like {type}", ["type": type])))
        }
        if let signature = signature(displayLocale) {
            facts.append(PassFact(localized("Signed"), signature))
        }
        let place = clipped(placeInWords(source, message, part).escaped, to: 300)
        facts.append(PassFact(localized("From"), place))
        if let standing = prospect?.standing(of: verdict, displayLocale) {
            facts.append(PassFact(localized("Library"), standing))
        }
        return facts
    }

    private func signature(_ displayLocale: DisplayLocale) -> String? {
        guard let signer = verification.signer else { return nil }
        let name = "'\(clipped(signer.commonName, to: 80))'"
        let anchor = anchorClause(signer.anchor.map { clipped($0.name, to: 80) })
        guard let date = verification.signedAt.map(displayLocale.shortMoment) else {
            return localized("by {name}", ["name": name]) + anchor
        }
        return localized("{date} by {name}", ["date": date, "name": name]) + anchor
    }
}

extension Sequence<Finding> {
    /// The notes on barcodes that are not drawn as declared, which scanners may reject; at most three.
    package var aboutDrawnBarcodes: [Finding] {
        let notes = filter { finding in
            switch finding {
            case .oddity(.barcodeNotInEncoding): true
            default: false
            }
        }
        return Array(notes.prefix(3))
    }
}

extension StoredPass {
    /// The verdict on a version of the pass, its signature and its origins.
    ///
    /// - Parameters:
    ///   - verification: Of the version as it is now: the user may trust other authorities than at
    ///     the import.
    ///   - isUpdated: Whether the library updates passes automatically.
    ///   - allOrigins: Whether to include all origins, instead of the first, the last and the
    ///     number of the others.
    package func facts(
        of version: StoredVersion, _ verification: Verification, isUpdated: Bool,
        allOrigins: Bool, _ displayLocale: DisplayLocale
    ) -> [PassFact] {
        func verdictFact(_ label: String, _ verdict: Verdict, _ reason: String = "") -> PassFact {
            PassFact(label, verdict.phrase.localized + reason, verdict)
        }
        let isLost = version.isVouchedFor(by: verification) == false
        let loss = isLost ? ", " + localized("no longer vouched for") : ""
        var facts = [verdictFact(localized("Verdict"), version.verdict, loss)]
        if verification.verdict != version.verdict {
            let reason = verification.reasons.first.map { " - \($0.phrase.localized)" } ?? ""
            facts.append(verdictFact(localized("Today"), verification.verdict, reason))
        }
        if let date = version.signedAt {
            facts.append(PassFact(localized("Signed"), displayLocale.moment(date)))
        }
        if let signer = verification.signer {
            let name = signer.commonName + anchorClause(signer.anchor?.name)
            facts.append(PassFact(localized("Signed by"), name))
        }
        facts += version.reasons.map { PassFact(localized("Reason"), $0.phrase.localized) }
        facts += version.notes.map { PassFact(localized("Note"), $0.phrase.localized) }
        let more = version.origins.count - 2
        for (index, origin) in version.origins.enumerated() {
            if allOrigins || index == 0 || index > more {
                let lines = [origin.inWords] + origin.mail(displayLocale)
                facts += lines.enumerated().map { PassFact($0 == 0 ? localized("From") : "", $1) }
            } else if index == 1 {
                facts.append(PassFact("", localized("and {count} more", ["count": grouped(more)])))
            }
        }
        facts.append(PassFact(localized("Imported"), displayLocale.moment(version.importedAt)))
        if !updatesAutomatically {
            facts.append(PassFact(localized("Automatic updates"), localized("off")))
        } else if !isUpdated, verification.pass.flatMap(WebService.init) != nil {
            facts.append(PassFact(localized("Automatic updates"), localized("off for all passes")))
        }
        if !showsNotifications {
            facts.append(PassFact(localized("Notifications"), localized("off")))
        }
        facts.append(PassFact(localized("Name"), identity.description))
        facts.append(PassFact(localized("Number"), "\(id)"))
        facts.append(PassFact("SHA-256", version.sha256))
        return facts
    }
}

extension Origin {
    /// The sender, date and subject of the message in one line; empty if none is known.
    fileprivate func mail(_ displayLocale: DisplayLocale) -> [String] {
        let parts = [from, date.map(displayLocale.shortMoment), subject].compactMap(\.self)
        let known = parts.filter { !$0.isEmpty }
        return known.isEmpty ? [] : [known.joined(separator: ", ")]
    }
}

private func anchorClause(_ anchor: String?) -> String {
    anchor.map { localized(", under {name}", ["name": $0]) } ?? ""
}
