internal import Localization
package import PassStore
package import PassVerification

extension Prospect {
    /// The state in the library of a pass with this verdict; nil if the library does not contain
    /// it.
    package func standing(of verdict: Verdict, _ displayLocale: DisplayLocale) -> String? {
        guard let stored else { return nil }
        let front = stored.current
        let number: KeyValuePairs = ["number": "\(stored.id)"]
        let date = front.signedAt.map(displayLocale.shortMoment)
        let dated: KeyValuePairs = ["number": "\(stored.id)", "date": date ?? ""]
        let judged: KeyValuePairs = [
            "number": "\(stored.id)", "verdict": front.verdict.phrase.localized,
        ]
        let isJudgedAlike = front.verdict == verdict
        switch admission {
        case .added: return nil
        case .unchanged where isHistory:
            return date == nil
                ? localized(
                    "already in the library, in the history of number {number}; the current version is not signed",
                    number)
                : localized(
                    "already in the library, in the history of number {number}; the current version was signed {date}",
                    dated)
        case .unchanged where isJudgedAlike:
            return localized("already in the library, number {number}", number)
        case .unchanged:
            return localized("already in the library, number {number}, as {verdict}", judged)
        case .updated where !isJudgedAlike:
            return localized(
                "would replace number {number}, which is {verdict}", judged)
        case .updated:
            return date == nil
                ? localized(
                    "newer: would replace number {number}, which is not signed",
                    number)
                : localized(
                    "newer: would replace number {number}, which was signed {date}",
                    dated)
        case .older where !isJudgedAlike:
            return localized(
                "number {number} is a {verdict} version of this pass and stays current; this one would join its history",
                judged)
        case .older:
            return date == nil
                ? localized(
                    "number {number}, which is not signed, is newer and stays current; this one would join its history",
                    number)
                : localized(
                    "number {number}, which was signed {date}, is newer and stays current; this one would join its history",
                    dated)
        }
    }

    /// What the library already has of a pass with this verdict, as a sentence for a window; nil
    /// for nothing.
    package func sentence(on verdict: Verdict, _ displayLocale: DisplayLocale) -> String? {
        guard let stored else { return nil }
        let front = stored.current
        let date = displayLocale.shortMoment(front.signedAt ?? front.importedAt)
        switch admission {
        case .added: return nil
        case .unchanged where isHistory:
            return localized("Already in the library, as an older version")
        case .unchanged: return localized("Already in the library")
        case .updated where front.verdict != verdict:
            return switch front.verdict {
            case .trusted: localized("Replaces the version in the library, which is trusted")
            case .unsigned: localized("Replaces the version in the library, which is not signed")
            // Worse verdicts are never accepted.
            case .untrusted, .tampered, .malformed:
                localized("Replaces the version in the library, which is not trusted")
            }
        case .updated: return localized("Replaces the version of {date}", ["date": date])
        case .older:
            return localized("The library has a newer version, of {date}", ["date": date])
        }
    }
}
