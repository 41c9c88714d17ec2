internal import Foundation
internal import Localization
package import PassModel

/// The visible differences between two versions of a pass.
package struct PassChanges {
    package let old: Pass
    package let new: Pass
    package let displayLocale: DisplayLocale

    package init(old: Pass, new: Pass, displayLocale: DisplayLocale) {
        self.old = old
        self.new = new
        self.displayLocale = displayLocale
    }

    /// Lines such as `Gate  4 -> 7`, escaped; empty if no visible content differs.
    package var lines: [String] { lines { row($0) } }

    /// Like ``lines``, but with the issuer's message for each change that has one: `Your gate is
    /// now 7`.
    var linesWithMessages: [String] {
        let changes = new.changes(since: old, preferredLanguages: displayLocale.languages)
        let told = changes.compactMap(displayLocale.message).map {
            clipped(inOneLine($0).escaped, to: 120)
        }
        return told + lines { displayLocale.message($0) == nil ? row($0) : nil }
    }

    private func lines(_ row: (PassChange) -> [String]?) -> [String] {
        let (before, after) = (headings(old), headings(new))
        let (laterBefore, laterAfter) = (facts(old), facts(new))
        return aligned(
            rows(before, after)
                + new.changes(since: old, preferredLanguages: displayLocale.languages).compactMap(
                    row)
                + rows(laterBefore, laterAfter))
    }

    private func headings(_ pass: Pass) -> [(label: String, value: String)] {
        let shown = pass.localized(for: displayLocale.languages)
        return [
            (localized("Issuer"), shown.organizationName),
            (localized("Logo text"), shown.logoText ?? ""),
            (localized("Description"), shown.localizedDescription),
        ]
    }

    private func facts(_ pass: Pass) -> [(label: String, value: String)] {
        let codes = pass.barcodes.map { "\(barcodeInWords($0.format)) \($0.message)" }
        return [
            (localized("Code"), codes.joined(separator: ", ")),
            (localized("Relevant"), pass.relevantDate.map(displayLocale.shortMoment) ?? ""),
            (localized("Expires"), pass.expirationDate.map(displayLocale.shortMoment) ?? ""),
            (
                localized("Validity"),
                pass.isVoided ? localized("voided") : localized("not voided")
            ),
        ]
    }

    /// Compares values pairwise; both arrays have the same labels.
    private func rows(
        _ before: [(label: String, value: String)], _ after: [(label: String, value: String)]
    ) -> [[String]] {
        zip(before, after).filter { $0.value != $1.value }.map { old, new in
            [new.label, change(old.value, new.value)]
        }
    }

    private func row(_ change: PassChange) -> [String] {
        let label = change.label ?? ""
        var texts = (
            change.old.map(displayLocale.shownText) ?? "",
            change.new.map(displayLocale.shownText) ?? ""
        )
        // Two different times may both be shown as "tomorrow".
        if texts.0 == texts.1 {
            texts = (change.old?.writtenText ?? "", change.new?.writtenText ?? "")
        }
        return [
            shown(label.isEmpty ? change.key : label), self.change(texts.0, texts.1),
        ]
    }

    /// The change as text. An empty value counts as absent.
    private func change(_ old: String, _ new: String) -> String {
        if old.isEmpty { return localized("new: {text}", ["text": shown(new)]) }
        if new.isEmpty { return localized("removed: {text}", ["text": shown(old)]) }
        return "\(shown(old)) -> \(shown(new))"
    }

    /// The text in one line, short enough that two texts fit side by side.
    private func shown(_ text: String) -> String {
        clipped(inOneLine(text).escaped, to: 60)
    }
}
