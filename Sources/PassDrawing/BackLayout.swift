import Foundation
import Localization
import PassAddresses
import PassModel

/// Lays out the back of a pass: its fields below each other, then its contacts and links, then its
/// later events, in black on white. Links are printed in full, since a picture cannot be clicked.
struct BackLayout {
    private let pass: LocalizedPass
    private let options: FaceOptions
    private(set) var elements: [Element] = []
    private var spoken: [String] = []
    private var bottom = 16.0
    private var leftOut = 0

    private static let value = Ink.black
    private static let label = Ink.black.faded(to: 0.55)
    /// The maximum number of fields laid out.
    private static let fieldsAtMost = 200
    /// The limits of one field, in Unicode scalars and in lines.
    private static let scalarsAtMost = 4000
    private static let linesAtMost = 120
    /// The maximum height of the card, in points.
    private static let heightAtMost = 3000.0

    init(_ pass: LocalizedPass, for options: FaceOptions) {
        self.pass = pass
        self.options = options
        add(pass.localizedName, size: 17, .semibold, BackLayout.value)
        bottom += 6
    }

    var spokenText: String { spoken.joined(separator: "\n") }

    mutating func addFields() {
        add(pass.fields.additionalInfo + pass.fields.back)
    }

    private mutating func add(_ fields: [Field]) {
        for field in fields.prefix(BackLayout.fieldsAtMost) {
            add(field.label ?? "", text(of: field))
        }
        leftOut += max(0, fields.count - BackLayout.fieldsAtMost)
    }

    mutating func addAddresses() {
        add(pass.pass.addresses)
    }

    /// Adds each later event of a pass for several events: its name and date, its fields and its
    /// addresses.
    mutating func addUpcomingEntries() {
        for entry in pass.upcomingEntries {
            let date = entry.formattedDate(locale: options.locale, timeZone: options.timeZone)
            bottom += 6
            add(entry.name, size: 15, .semibold, BackLayout.value)
            add("", date ?? "")
            add(entry.fields.additionalInfo + entry.fields.back)
            add(entry.addresses)
        }
    }

    mutating func finish() -> CardEdge {
        if leftOut > 0 {
            add(
                localized("and {count} more", ["count": String(leftOut)]), size: 14, .regular,
                BackLayout.label)
        } else if spoken.count < 2 {
            add(
                localized("The back is empty."), size: 14, .regular,
                BackLayout.label)
        }
        return CardEdge(
            style: .generic,
            size: FaceSize(width: FaceLayout.width, height: max(440, bottom + 12)),
            notchesAt: 0)
    }

    private mutating func add(_ addresses: [PassAddress]) {
        for address in addresses { add(address.title, address.text) }
    }

    private func text(of field: Field) -> String {
        guard let text = field.attributedText else {
            return field.shownText(
                locale: options.locale, timeZone: options.timeZone, now: options.now)
        }
        let links = text.links.filter { $0.url.absoluteString != $0.text }
        return ([text.text] + links.map { "\($0.text): \($0.url.absoluteString)" })
            .joined(separator: "\n")
    }

    private mutating func add(_ label: String, _ value: String) {
        guard bottom < BackLayout.heightAtMost else {
            leftOut += 1
            return
        }
        add(label, size: 12, .semibold, BackLayout.label)
        add(value, size: 14, .regular, BackLayout.value)
        bottom += 10
    }

    private mutating func add(
        _ text: String, size: Double, _ weight: TextLine.Weight, _ ink: Ink
    ) {
        let beginning = text.unicodeScalars.prefix(BackLayout.scalarsAtMost)
        var isCut = beginning.endIndex != text.unicodeScalars.endIndex
        var room = BackLayout.linesAtMost
        for paragraph in String(beginning).split(whereSeparator: \.isNewline) {
            guard room > 0 else {
                isCut = true
                break
            }
            let shown = ShownText(String(paragraph), limit: BackLayout.scalarsAtMost)
            let lines = Typesetting.lines(
                of: shown, size: size, weight: weight, width: FaceLayout.innerWidth, atMost: room)
            let isRightToLeft = Typesetting.isRightToLeft(shown)
            for line in lines { add(line: line, size, weight, ink, isRightToLeft) }
            room -= lines.count
            if !shown.isEmpty { spoken.append(shown.text) }
        }
        if isCut { add(line: ShownText("\u{2026}", limit: 1), size, weight, ink, false) }
    }

    private mutating func add(
        line: ShownText, _ size: Double, _ weight: TextLine.Weight, _ ink: Ink,
        _ isRightToLeft: Bool
    ) {
        bottom += size * 1.3
        elements.append(
            .text(
                TextLine(
                    text: line, size: size, weight: weight, ink: ink,
                    alignment: isRightToLeft ? .right : .left,
                    width: FaceLayout.innerWidth, x: FaceLayout.margin, baseline: bottom)))
    }
}
