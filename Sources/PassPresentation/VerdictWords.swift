internal import Localization
internal import PassStore
package import PassVerification

/// A verdict as a person takes it in at a glance, and what stands behind it.
package struct VerdictWords: Equatable {
    /// Of the theme.
    package let icon: String
    /// A class of the style sheet.
    package let style: String
    package let title: String
    /// Who signed, and when; nil where nobody did, or nothing is to be believed about it.
    package let signature: String?
    /// Why, and what is odd, as clauses.
    package let details: [String]

    package init(
        _ verification: Verification, otherType: String? = nil, _ displayLocale: DisplayLocale
    ) {
        switch verification.verdict {
        case .trusted:
            (icon, style) = ("emblem-ok-symbolic", "verdict-trusted")
            title = localized("Trusted")
        case .untrusted:
            (icon, style) = ("dialog-warning-symbolic", "verdict-doubtful")
            title = localized("Not trusted: nobody vouches for who signed this pass")
        case .unsigned:
            (icon, style) = ("dialog-warning-symbolic", "verdict-doubtful")
            title = localized("Nobody signed this pass: anybody may have made it")
        case .tampered:
            (icon, style) = ("dialog-error-symbolic", "verdict-refused")
            title = localized("Changed after it was signed")
        case .malformed:
            (icon, style) = ("dialog-error-symbolic", "verdict-refused")
            title = localized("This cannot be read as a pass")
        }
        signature = verification.signer.map { signer in
            let name = signer.commonName.shortenedName.escaped
            let date = verification.signedAt.map(displayLocale.shortMoment)
            guard let date else { return localized("Signed by {name}", ["name": name]) }
            return localized("Signed by {name} on {date}", ["name": name, "date": date])
        }
        var details = verification.reasons.map { translated($0.detail) }
        if let otherType { details.append(localized("it looks like {type}", ["type": otherType])) }
        if let anchor = verification.signer?.anchor {
            details.append(localized("the certificate leads to {name}", ["name": anchor]))
        }
        details += verification.notes.map { translated($0.detail) }
        self.details = details.prefix(VerdictWords.limit).map { $0.shortenedName.escaped }
    }

    /// Nobody reads more.
    package static let limit = 50
}

extension String {
    /// The beginning of a text that its author chose as long as he liked.
    package var shortenedName: String {
        let head = unicodeScalars.prefix(300)
        return head.endIndex == endIndex ? self : String(head) + "\u{2026}"
    }
}
