internal import Foundation
internal import Localization
internal import PassImport
internal import PassModel
internal import PassUpdates
internal import PassVerification

/// What a newer version of a pass says differently, as its person is told of it: each change by the
/// issuer's own message, and nothing of those that have none.
struct ToldChanges {
    /// All changes, also those that nobody is told of.
    let changes: [PassChange]
    private let new: Pass
    private let displayLocale: DisplayLocale

    init(from old: Pass, to new: Pass, _ displayLocale: DisplayLocale) {
        changes = new.changes(since: old, preferredLanguages: displayLocale.languages)
        self.new = new
        self.displayLocale = displayLocale
    }

    /// What an import changed; nil where it replaced no version.
    init?(by found: FoundPass, _ displayLocale: DisplayLocale) {
        guard let old = found.replaced, let new = found.verification.pass else { return nil }
        self.init(from: old, to: new, displayLocale)
    }

    /// What an update changed; nil where it replaced no version.
    init?(by report: UpdateReport, _ displayLocale: DisplayLocale) {
        guard let old = report.old, let new = report.new?.pass else { return nil }
        self.init(from: old, to: new, displayLocale)
    }

    /// `Your gate is now 7`, one for each change that has a message, as the issuer wrote it.
    var messages: [String] { changes.compactMap(displayLocale.message) }

    /// All messages in one line, escaped, with room for a few; empty where there is nothing to tell.
    var line: String {
        let messages = messages
        var shown = messages.prefix(3).map { clipped(inOneLine($0).escaped, to: 80) }
        if messages.count > 3 {
            shown.append(localized("and {count} more", ["count": "\(messages.count - 3)"]))
        }
        return shown.joined(separator: "; ")
    }

    var records: [ChangeRecord] { changes.map { ChangeRecord($0, displayLocale) } }

    /// For the desktop; nil where there is nothing to tell.
    var notice: ChangeNotice? {
        let messages = messages
        guard !messages.isEmpty else { return nil }
        let pass = new.localized(for: displayLocale.languages)
        let issuer = [pass.organizationName, pass.localizedDescription]
            .first { !$0.isEmpty }
        var lines = messages.prefix(4).map(inOneLine)
        if messages.count > 4 {
            lines.append(localized("and {count} more", ["count": "\(messages.count - 4)"]))
        }
        if let issuer { lines[0] = "\(inOneLine(issuer)): \(lines[0])" }
        return ChangeNotice(
            title: title,
            body: lines.map { clipped($0, to: 300) }.joined(separator: "\n"))
    }
}

extension ToldChanges {
    private var title: String {
        switch new.style {
        case .boardingPass: localized("Boarding pass changed")
        case .coupon: localized("Coupon changed")
        case .eventTicket: localized("Event ticket changed")
        case .storeCard: localized("Store card changed")
        case .generic, nil: localized("Pass changed")
        }
    }
}

extension DisplayLocale {
    /// A change in the issuer's words; nil for one that has none.
    func message(_ change: PassChange) -> String? {
        change.message(locale: locale, timeZone: timeZone, now: now)
    }

    /// What a person sees of a field.
    func shownText(of field: Field) -> String {
        field.shownText(locale: locale, timeZone: timeZone, now: now)
    }
}

extension Field {
    /// What the field says, dates and numbers as the pass writes them.
    var writtenText: String { attributedText?.text ?? value.description }
}

/// A text without its line breaks.
func inOneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
}
