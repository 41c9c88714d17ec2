internal import Localization
internal import PassImport
internal import PassLinks
internal import PassPresentation

/// A link in one line:
/// `link       https://example.com/ticket.pkpass  mail.mbox, message 13, part 1`.
func linkLine(_ found: FoundLink) -> String {
    let place = placeInWords(found.source, found.message, found.part)
    return [padded(localized("link"), to: 9), shown(found.link), place.escaped].joined(
        separator: "  ")
}

/// A link in a line of a terminal: `link  https://example.com/ticket.pkpass  mail.mbox, message 13`.
func linkLine(_ found: FoundLink, on terminal: Terminal) -> String {
    let lead = localized("link") + LineColumns.gap
    let place = FoundPlace(found.source, found.message)
    let url = shown(found.link)
    let widths = LineColumns(
        room: terminal.lineWidth - columns(lead), longestName: columns(url),
        beside: [.init(widths: place.widths, nameWidth: 60)])
    let placeWidth = widths.others[0]
    return lead
        + terminal.line([
            (url, widths.name), (place.fitted(to: placeWidth, on: terminal), placeWidth),
        ])
}

/// The URL, cut off if it contains a pass or is too long for a terminal.
private func shown(_ link: Link) -> String {
    let isData = DataURL.isData(link.url.utf8)
    guard isData || link.size != nil else { return link.url.escaped }
    let start = link.url.prefix(60)
    let size = link.size ?? link.url.utf8.count
    return start.escaped + (start.utf8.count < size ? "... (\(bytesForReader(size)))" : "")
}
