internal import Foundation
internal import Localization
package import PassImport
package import PassModel
package import PassUpdates
internal import PassVerification

/// What a newer version of a pass says differently, as its person is told of it: each change by the
/// issuer's own message, and nothing of those that have none.
package struct ToldChanges {
    /// All changes, also those that nobody is told of.
    package let changes: [PassChange]
    package let new: Pass
    package let displayLocale: DisplayLocale

    package init(from old: Pass, to new: Pass, _ displayLocale: DisplayLocale) {
        changes = new.changes(since: old, preferredLanguages: displayLocale.languages)
        self.new = new
        self.displayLocale = displayLocale
    }

    /// What an import changed; nil where it replaced no version.
    package init?(by found: FoundPass, _ displayLocale: DisplayLocale) {
        guard let old = found.replaced, let new = found.verification.pass else { return nil }
        self.init(from: old, to: new, displayLocale)
    }

    /// What an update changed; nil where it replaced no version.
    package init?(by report: UpdateReport, _ displayLocale: DisplayLocale) {
        guard let old = report.old, let new = report.new?.pass else { return nil }
        self.init(from: old, to: new, displayLocale)
    }

    /// `Your gate is now 7`, one for each change that has a message, as the issuer wrote it.
    package var messages: [String] { changes.compactMap(displayLocale.message) }

    /// All messages in one line, escaped, with room for a few; empty where there is nothing to tell.
    package var line: String {
        let messages = messages
        var shown = messages.prefix(3).map { clipped(inOneLine($0).escaped, to: 80) }
        if messages.count > 3 {
            shown.append(localized("and {count} more", ["count": "\(messages.count - 3)"]))
        }
        return shown.joined(separator: "; ")
    }
}

extension DisplayLocale {
    /// A change in the issuer's words; nil for one that has none.
    package func message(_ change: PassChange) -> String? {
        change.message(locale: locale, timeZone: timeZone, now: now)
    }

    /// What a person sees of a field.
    package func shownText(of field: Field) -> String {
        field.shownText(locale: locale, timeZone: timeZone, now: now)
    }
}

extension Field {
    /// What the field says, dates and numbers as the pass writes them.
    package var writtenText: String { attributedText?.text ?? value.description }
}

/// A text without its line breaks.
package func inOneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
}
