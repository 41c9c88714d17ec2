internal import Localization
internal import PassStore
public import PassVerification

/// The verdict on a pass, and the reasons for it, in the reader's language.
///
/// ```swift
/// let words = VerdictWords(verification, displayLocale)
/// print(words.title, words.signature ?? "", words.details.joined(separator: "\n"))
/// ```
public struct VerdictWords: Equatable, Sendable {
    /// The verdict itself.
    public let verdict: Verdict
    /// The verdict in a few words.
    public let title: String
    /// Who signed the pass, and when, escaped; nil without a signer.
    public let signature: String?
    /// Why Apple's Wallet would refuse the pass although its signature is good, escaped; nil if
    /// nothing is known against it.
    public let walletRefusal: String?
    /// The reasons for the verdict, then the notes, as escaped clauses; at most 50.
    public let details: [String]

    /// Puts the result of a verification into words.
    ///
    /// For example: `VerdictWords(verification, otherType: "PDF document", displayLocale).title`
    ///
    /// - Parameters:
    ///   - verification: The result of verifying the pass.
    ///   - otherType: The type of the file if it is not a pass, as libmagic names it.
    ///   - isLost: Whether the pass was trusted when it was added to the library.
    ///   - displayLocale: How the date of the signature is written.
    public init(
        _ verification: Verification, otherType: String? = nil, isLost: Bool = false,
        _ displayLocale: DisplayLocale
    ) {
        verdict = verification.verdict
        title =
            switch verification.verdict {
            case .trusted: localized("Trusted")
            case .untrusted where isLost:
                localized("No longer vouched for: you no longer trust its authority")
            case .untrusted: localized("Not trusted: no known authority vouches for the signer")
            case .unsigned: localized("Not signed: anyone could have made this pass")
            case .tampered: localized("Changed after it was signed")
            case .malformed: localized("This cannot be read as a pass")
            }
        signature = verification.signer.map { signer in
            let name = signer.commonName.shortenedName.escaped
            let date = verification.signedAt.map(displayLocale.shortMoment)
            guard let date else { return localized("Signed by {name}", ["name": name]) }
            return localized("Signed by {name} on {date}", ["name": name, "date": date])
        }
        walletRefusal = verification.walletRefusalPhrase?.localized.shortenedName.escaped
        var details = verification.reasons.map(\.phrase.localized)
        if let otherType { details.append(localized("it looks like {type}", ["type": otherType])) }
        if let anchor = verification.signer?.anchor {
            details.append(localized("the certificate leads to {name}", ["name": anchor.name]))
        }
        details += verification.notes.map(\.phrase.localized)
        self.details = details.prefix(VerdictWords.limit).map { $0.shortenedName.escaped }
    }

    /// Maximum number of details shown.
    private static let limit = 50
}

extension Verification {
    /// Why Apple's Wallet would refuse the pass although its signature is good; nil if nothing is
    /// known against it.
    ///
    /// For example: `if let refusal = verification.walletRefusalPhrase { print(refusal.localized) }`
    public var walletRefusalPhrase: Phrase? {
        let refusals = walletRefusals
        guard !refusals.isEmpty else { return nil }
        return Phrase(
            "Wallet would refuse this pass: {reason}",
            ["reason": .phrase(.joined(refusals.map(\.phrase), separator: "; "))])
    }
}

extension String {
    /// The beginning of the text, whose length its author chose.
    package var shortenedName: String {
        let head = unicodeScalars.prefix(300)
        return head.endIndex == endIndex ? self : String(head) + "\u{2026}"
    }
}
