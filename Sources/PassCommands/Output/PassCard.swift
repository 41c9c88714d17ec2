internal import Barcodes
internal import Bytes
internal import Foundation
internal import Localization
internal import PassAddresses
internal import PassModel
internal import PassPresentation

/// The full content of a pass, for a terminal or for print.
struct PassCard {
    let pass: Pass
    let displayLocale: DisplayLocale
    let terminal: Terminal

    var lines: [String] {
        let localized = pass.localized(for: displayLocale.languages)
        let fields = localized.fields
        var sections =
            terminal.isTerminal && terminal.width >= TerminalCard.leastWidth
            ? card(localized) : front(localized)
        sections.append(localized.barcodes.prefix(ShownBarcode.limit).flatMap(code))
        sections.append(rows(fields.additionalInfo))
        sections.append(back(fields.back.map { ($0.label ?? "", shown($0)) }))
        sections.append(back(pass.addresses.map { ($0.title, $0.text) }))
        sections += localized.upcomingEntries.map(event)
        sections.append(places(localized.locations))
        return Array(sections.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    /// The card alone, with the reason if the pass is voided or expired.
    var cardAlone: [String] {
        guard terminal.width >= TerminalCard.leastWidth else { return summary }
        let localized = pass.localized(for: displayLocale.languages)
        let card = TerminalCard(localized, for: displayLocale, on: terminal).lines
        return pass.isVoided || pass.isExpired(at: displayLocale.now)
            ? card + [""] + validity : card
    }

    /// The front and the validity of a pass, with a shortened title.
    var summary: [String] {
        let sections = front(pass.localized(for: displayLocale.languages), titleWidth: 300)
        return Array(sections.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    /// The front as a card, followed by what the card left out.
    private func card(_ localized: LocalizedPass) -> [[String]] {
        let card = TerminalCard(localized, for: displayLocale, on: terminal)
        return [card.lines, title(localized, width: nil), rows(card.leftOut), validity]
    }

    private func front(_ localized: LocalizedPass, titleWidth: Int? = nil) -> [[String]] {
        let fields = localized.fields
        return [
            title(localized, width: titleWidth), rows(fields.header), rows(fields.primary),
            rows(fields.secondary + fields.auxiliary + fields.footer), validity,
        ]
    }

    /// The lines of the title: the name of the pass, and its texts that the name does not contain.
    /// Each is shortened to `width` if there is one.
    private func title(_ localized: LocalizedPass, width: Int?) -> [String] {
        func shown(_ text: String) -> String {
            let text = inOneLine(text).escaped
            let short = width.map { clipped(text, to: $0) } ?? text
            return short == text ? text : "\(short)..."
        }
        let kind = styleInWords(pass.style)
        let name = shown(displayLocale.headline(pass))
        func fitted(_ line: String) -> [String] {
            terminal.isTerminal ? wrapped(line, to: terminal.width) : [line]
        }
        let title = name.isEmpty ? kind : "\(kind)  \(name)"
        // The logo text and the description often just repeat the name.
        let parts = PassName(localized)
        var known = [name, shown(parts.issuer), shown(parts.subject)]
        var texts: [String] = []
        for text in [localized.logoText ?? "", localized.localizedDescription].map(shown)
        where !text.isEmpty && !known.contains(where: { $0.isExactly(text) }) {
            known.append(text)
            texts.append(text)
        }
        return fitted(title).map { terminal.paint($0, .bold) } + texts.flatMap(fitted)
    }

    private func rows(_ fields: [Field]) -> [String] {
        table(fields.map { ($0.label ?? "", shown($0)) })
    }

    private func shown(_ field: Field) -> String {
        guard let text = field.attributedText else { return displayLocale.value(of: field) }
        let links = text.links.filter { $0.url.absoluteString != $0.text }
        return ([text.text] + links.map { "\($0.text): \($0.url.absoluteString)" })
            .joined(separator: "\n")
    }

    private var validity: [String] {
        var rows: [(String, String)] = []
        if pass.isVoided {
            rows.append(("", terminal.paint(localized("VOIDED by its issuer"), .red)))
        }
        if let date = pass.relevantDate {
            rows.append((localized("Relevant"), displayLocale.moment(date)))
        }
        if pass.relevantDates.count > 1 {
            for span in pass.relevantDates {
                let moments = [span.date ?? span.startDate, span.endDate].compactMap(\.self)
                let span = moments.map(displayLocale.moment).joined(separator: " - ")
                rows.append((localized("Relevant"), span))
            }
        }
        if let date = pass.expirationDate {
            let expired = pass.isExpired(at: displayLocale.now)
            let label = expired ? localized("Expired") : localized("Expires")
            rows.append((label, displayLocale.moment(date)))
        }
        return table(rows, isEscaped: true)
    }

    private func code(_ barcode: Barcode) -> [String] {
        var rows = [(barcodeInWords(barcode.format), barcode.message)]
        if let text = barcode.altText, !text.isEmpty, text != barcode.message {
            rows.append(("", text))
        }
        return table(rows)
    }

    private func back(_ entries: [(label: String, text: String)]) -> [String] {
        entries.flatMap { entry -> [String] in
            let label = inOneLine(entry.label).escaped
            let text = printable(entry.text, width: max(terminal.width - 4, 20)).map { "    \($0)" }
            return label.isEmpty ? text : ["  " + terminal.paint(label, .faint)] + text
        }
    }

    /// A later event of a pass for several events.
    private func event(_ entry: UpcomingEntry) -> [String] {
        let date = displayLocale.date(of: entry) ?? ""
        let head = [inOneLine(entry.name), date].filter { !$0.isEmpty }
            .joined(separator: "  ").escaped
        let fields = entry.fields.additionalInfo + entry.fields.back
        return [terminal.paint(head, .bold)]
            + back(
                fields.map { ($0.label ?? "", shown($0)) }
                    + entry.addresses.map { ($0.title, $0.text) })
    }

    private func places(_ locations: [Location]) -> [String] {
        table(
            locations.map { location in
                let place = "\(location.latitude), \(location.longitude)"
                let text = location.relevantText.map { "\($0) (\(place))" } ?? place
                return (localized("Place"), text)
            })
    }

    /// Labels in a column, with wrapped values beside them.
    private func table(_ rows: [(label: String, value: String)], isEscaped: Bool = false)
        -> [String]
    {
        let labels = rows.map {
            shortened(inOneLine($0.label).escaped, to: 24, terminal.ellipsis)
        }
        let width = labels.map(columns).max() ?? 0
        let room = max(terminal.width - width - 4, 20)
        return zip(labels, rows).flatMap { label, row in
            let values =
                !isEscaped
                ? printable(row.value, width: room)
                : terminal.isTerminal ? wrapped(row.value, to: room) : [row.value]
            return values.enumerated().map { index, value in
                let head = padded(index == 0 ? label : "", to: width)
                return "  " + terminal.paint(head, .faint) + (width > 0 ? "  " : "") + value
            }
        }
    }
}

/// Text of several lines, each escaped and wrapped.
func printable(_ text: String, width: Int) -> [String] {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.flatMap { wrapped(inOneLine(String($0)).escaped, to: width) }
}
