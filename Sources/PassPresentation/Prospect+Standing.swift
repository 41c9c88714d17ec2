internal import Localization
package import PassStore
package import PassVerification

extension Prospect {
    /// What the library already has of a pass with this verdict; nil for nothing.
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
                    "it is there, in the history of number {number}; the one in front is not signed",
                    number)
                : localized(
                    "it is there, in the history of number {number}; the one in front was signed {date}",
                    dated)
        case .unchanged where isJudgedAlike:
            return localized("it is there, number {number}", number)
        case .unchanged: return localized("it is there, number {number}, as {verdict}", judged)
        case .updated where !isJudgedAlike:
            return localized(
                "this one would replace number {number}, which is {verdict}", judged)
        case .updated:
            return date == nil
                ? localized(
                    "this one is newer and would replace number {number}, which is not signed",
                    number)
                : localized(
                    "this one is newer and would replace number {number}, which was signed {date}",
                    dated)
        case .older where !isJudgedAlike:
            return localized(
                "number {number} is a {verdict} version of this pass and stays in front; this one would join its history",
                judged)
        case .older:
            return date == nil
                ? localized(
                    "number {number}, which is not signed, is newer and stays in front; this one would join its history",
                    number)
                : localized(
                    "number {number}, which was signed {date}, is newer and stays in front; this one would join its history",
                    dated)
        }
    }
}
