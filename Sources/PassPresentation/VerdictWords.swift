internal import Localization
internal import PassStore
package import PassVerification

/// A verdict as the windows show it: icon, title and reasons.
package struct VerdictWords: Equatable {
    /// The name of an icon in the theme.
    package let icon: String
    /// A class of the style sheet.
    package let style: String
    package let title: String
    /// The signer and the signing time; nil if there is no signature or it cannot be trusted.
    package let signature: String?
    /// Reasons and warnings, as clauses.
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

    /// Maximum number of details shown.
    package static let limit = 50
}

extension String {
    /// The beginning of the text, whose length its author chose.
    package var shortenedName: String {
        let head = unicodeScalars.prefix(300)
        return head.endIndex == endIndex ? self : String(head) + "\u{2026}"
    }
}
