internal import CGTK
internal import Foundation
internal import Localization
internal import PassCommands
internal import PassModel
internal import PassPresentation

/// The back of a pass: its fields, and what a person can do on the web with it.
@MainActor
final class BackView {
    let widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 12)

    /// How much of it is laid out, before a person who turned the pass sees anything.
    private struct Budget {
        var fields = 200
        /// Of all texts, in Unicode scalars.
        var scalars = 20_000
        var links = 100

        var isSpent: Bool { fields <= 0 || scalars <= 0 }
    }

    private var budget = Budget()

    init(_ pass: Pass, _ displayLocale: DisplayLocale) {
        widget.classed("pass-back")
        let translated = pass.localized(for: displayLocale.languages)
        let fields = translated.fields.additionalInfo + translated.fields.back
        var shown = 0
        for field in fields where !budget.isSpent {
            add(field, displayLocale)
            shown += 1
        }
        for (link, url) in pass.links.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            // `bagPolicyURL` says enough to a person without its `URL`.
            addLink(link.rawValue.replacing("URL", with: ""), url)
        }
        if shown < fields.count {
            let count = String(fields.count - shown)
            widget.append(Label(localized("and {count} more", ["count": count])))
        }
        if fields.isEmpty, pass.links.isEmpty {
            widget.append(Label(localized("Nothing is written on the back.")).classed("dim-label"))
        }
    }

    private func add(_ field: Field, _ displayLocale: DisplayLocale) {
        budget.fields -= 1
        let part = Box(GTK_ORIENTATION_VERTICAL, spacing: 2)
        if let label = field.label?.shortenedName, !label.isEmpty {
            budget.scalars -= label.unicodeScalars.count
            part.append(Label(label).classed("dim-label", "caption"))
        }
        let text = field.shownText(
            locale: displayLocale.locale, timeZone: displayLocale.timeZone, now: displayLocale.now)
        let head = String(text.unicodeScalars.prefix(Label.longest + 1))
        budget.scalars -= head.unicodeScalars.count
        part.append(Label(head, isSelectable: true))
        widget.append(part)
        let detected = field.attributedText == nil ? links(in: text) : []
        for link in (field.attributedText?.links ?? []).prefix(20) { addLink(link.text, link.url) }
        for link in detected.prefix(20) { addLink(link.absoluteString, link) }
    }

    /// A link says where it leads: its text is the issuer's, and may name another place.
    private func addLink(_ text: String, _ url: URL) {
        let schemes = ["http", "https", "tel", "mailto"]
        guard budget.links > 0, let scheme = url.scheme?.lowercased(), schemes.contains(scheme)
        else { return }
        budget.links -= 1
        let address = url.absoluteString.escaped
        let title = text.isEmpty || text == address ? nil : text.inOneLine
        widget.append(LinkButton(title, address))
    }
}

/// Opens an address with the program for it. Whatever the issuer calls it, the address is seen and heard.
private final class LinkButton: Widget {
    init(_ title: String?, _ address: String) {
        unsafe super.init(gtk_link_button_new_with_label(address, nil))
        let lines = Box(GTK_ORIENTATION_VERTICAL, spacing: 0)
        if let title { lines.append(Label(title).inOneLine().width(atMost: 36)) }
        let place = Label(address.shortenedName).inOneLine().width(atMost: 36)
        lines.append(title == nil ? place : place.classed("dim-label", "caption"))
        unsafe gtk_button_set_child(cast(), lines.pointer)
        tooltip = address.shortenedName
        setSpokenText([title, address.shortenedName].compactMap(\.self).joined(separator: ", "))
        aligned(horizontally: GTK_ALIGN_START)
    }
}

/// Addresses on the web in a text; a text is looked through to a limit.
private func links(in text: String) -> [URL] {
    text.prefix(20_000).split(whereSeparator: \.isWhitespace).compactMap { word in
        let isAddress = ["https://", "http://", "mailto:", "tel:"].contains { word.hasPrefix($0) }
        guard isAddress, word.utf8.count <= 2000 else { return nil }
        return URL(string: word.trimmingCharacters(in: CharacterSet(charactersIn: ".,;:)>\"'")))
    }
}
