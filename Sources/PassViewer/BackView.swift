internal import CGTK
internal import Foundation
internal import Localization
internal import PassAddresses
internal import PassModel
internal import PassPresentation

/// The back of a pass: its fields, contacts and links, and its later events.
@MainActor
final class BackView {
    let widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 12)

    /// Limits on what is laid out, so that the back appears without delay.
    private struct Budget {
        var fields = 200
        /// Sum over all texts, in Unicode scalars.
        var scalars = 20_000
        var links = 100

        var isSpent: Bool { fields <= 0 || scalars <= 0 }
    }

    private var budget = Budget()

    init(_ pass: Pass, _ displayLocale: DisplayLocale) {
        widget.classed("pass-back")
        let translated = pass.localized(for: displayLocale.languages)
        let fields = translated.fields.additionalInfo + translated.fields.back
        let leftOut = add(fields, displayLocale)
        for address in pass.addresses { add(address) }
        var entries = translated.upcomingEntries[...]
        while !budget.isSpent, let entry = entries.popFirst() { add(entry, displayLocale) }
        if leftOut + entries.count > 0 {
            let count = String(leftOut + entries.count)
            widget.append(Label(localized("and {count} more", ["count": count])))
        }
        if fields.isEmpty, pass.addresses.isEmpty, translated.upcomingEntries.isEmpty {
            widget.append(Label(localized("The back is empty.")).classed("dim-label"))
        }
    }

    /// Adds a later event of a pass for several events.
    private func add(_ entry: UpcomingEntry, _ displayLocale: DisplayLocale) {
        budget.fields -= 1
        let head = Box(GTK_ORIENTATION_VERTICAL, spacing: 2)
        let name = entry.name.shortenedName
        budget.scalars -= name.unicodeScalars.count
        head.append(Label(name).classed("heading"))
        if let date = displayLocale.date(of: entry) { head.append(Label(date)) }
        widget.append(head)
        _ = add(entry.fields.additionalInfo + entry.fields.back, displayLocale)
        for address in entry.addresses { add(address) }
    }

    /// Adds as many fields as the budget allows.
    ///
    /// - Returns: The number of others.
    private func add(_ fields: [Field], _ displayLocale: DisplayLocale) -> Int {
        var rest = fields[...]
        while !budget.isSpent, let field = rest.popFirst() { add(field, displayLocale) }
        return rest.count
    }

    /// Adds a link, or the text alone if it is not a valid address.
    private func add(_ address: PassAddress) {
        if let url = address.url { return addLink(address.title, url) }
        guard !budget.isSpent else { return }
        budget.fields -= 1
        let part = Box(GTK_ORIENTATION_VERTICAL, spacing: 2)
        part.append(Label(address.title).classed("dim-label", "caption"))
        let text = address.text.shortenedName
        budget.scalars -= text.unicodeScalars.count
        part.append(Label(text, isSelectable: true))
        widget.append(part)
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

    /// Shows the address below the link: the text is the issuer's and may name another address.
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

/// Opens a URL in the default program. Its label and accessible name always contain the URL.
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

/// The web addresses in a text, of which only the beginning is searched.
private func links(in text: String) -> [URL] {
    text.prefix(20_000).split(whereSeparator: \.isWhitespace).compactMap { word in
        let isAddress = ["https://", "http://", "mailto:", "tel:"].contains { word.hasPrefix($0) }
        guard isAddress, word.utf8.count <= 2000 else { return nil }
        return URL(string: word.trimmingCharacters(in: CharacterSet(charactersIn: ".,;:)>\"'")))
    }
}
