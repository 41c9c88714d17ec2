internal import Foundation
internal import Localization
package import PassImport
package import PassModel
package import PassUpdates
internal import PassVerification

/// The differences between two versions of a pass, in the issuer's own messages where the issuer
/// provides them.
package struct ToldChanges {
    /// All changes, including those without a message.
    package let changes: [PassChange]
    package let new: Pass
    package let displayLocale: DisplayLocale
    /// Whether the issuer has declared the pass void.
    package let wasVoided: Bool

    package init(from old: Pass, to new: Pass, _ displayLocale: DisplayLocale) {
        changes = new.changes(since: old, preferredLanguages: displayLocale.languages)
        self.new = new
        wasVoided = new.isVoided && !old.isVoided
        self.displayLocale = displayLocale
    }

    /// The changes of an import; nil if it replaced no version.
    package init?(by found: FoundPass, _ displayLocale: DisplayLocale) {
        guard let old = found.replaced, let new = found.verification.pass else { return nil }
        self.init(from: old, to: new, displayLocale)
    }

    /// The changes of an update; nil if it replaced no version.
    package init?(by report: UpdateReport, _ displayLocale: DisplayLocale) {
        guard let old = report.old, let new = report.new?.pass else { return nil }
        self.init(from: old, to: new, displayLocale)
    }

    /// The issuer's messages, such as `Your gate is now 7`, one per change that has one.
    package var messages: [String] { changes.compactMap(displayLocale.message) }

    /// The first messages in one line, escaped; empty if there are none.
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
    /// The issuer's message for a change; nil if it has none.
    package func message(_ change: PassChange) -> String? {
        change.message(locale: locale, timeZone: timeZone, now: now)
    }

    /// The displayed text of a field.
    package func shownText(of field: Field) -> String {
        field.shownText(locale: locale, timeZone: timeZone, now: now)
    }
}

extension Field {
    /// The text of the field, with dates and numbers as written in the pass.
    package var writtenText: String { attributedText?.text ?? value.description }
}

/// The text with line breaks and tabs, which are white space in a pass, replaced by spaces.
package func inOneLine(_ text: String) -> String {
    text.split { $0.isNewline || $0 == "\t" }.joined(separator: " ")
}
