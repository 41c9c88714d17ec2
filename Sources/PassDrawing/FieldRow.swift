import PassModel

/// A row of fields, each with its label above or below its value.
struct FieldRow {
    var labelSize = 11.0
    var valueSize = 16.0
    var valueWeight = TextLine.Weight.regular
    /// The factor down to which text is reduced before it is truncated.
    var least = 0.7

    private let gap = 12.0

    var height: Double { labelSize * 1.25 + valueSize * 1.3 }

    /// The number of leading fields that fit side by side without truncation; at least one.
    func count(of fields: ArraySlice<FieldText>, in width: Double) -> Int {
        var count = 0
        var needed = -gap
        for field in fields {
            needed += gap + naturalWidth(of: field) * least
            if needed > width, count > 0 { break }
            count += 1
        }
        return count
    }

    /// The text lines of the fields, spread over the row.
    ///
    /// - Parameter isRightToLeft: Whether the face will be mirrored.
    func lines(
        of fields: ArraySlice<FieldText>, in area: Rectangle, palette: Palette, isRightToLeft: Bool
    ) -> [TextLine] {
        let naturals = fields.map(naturalWidth)
        let room = area.width - gap * Double(fields.count - 1)
        let widths = shared(room, among: naturals)
        let rest = max(0, room - widths.reduce(0, +))
        let between = fields.count > 1 ? gap + rest / Double(fields.count - 1) : 0
        var lines: [TextLine] = []
        var x = area.x
        for (index, field) in fields.enumerated() {
            let width = fields.count == 1 ? area.width : widths[index]
            let isLast = index > 0 && index == fields.count - 1
            let alignment = alignment(of: field, isLast: isLast, isRightToLeft)
            lines.append(
                line(
                    field.label, labelSize, .semibold, palette.label, alignment,
                    Rectangle(x: x, y: area.y + labelSize * 0.95, width: width, height: 0)))
            lines.append(
                line(
                    field.value, valueSize, valueWeight, palette.foreground, alignment,
                    Rectangle(
                        x: x, y: area.y + labelSize * 1.25 + valueSize, width: width, height: 0)))
            x += width + between
        }
        return lines
    }

    private func line(
        _ text: ShownText, _ size: Double, _ weight: TextLine.Weight, _ ink: Ink,
        _ alignment: TextLine.Alignment, _ place: Rectangle
    ) -> TextLine {
        TextLine(
            text: text, size: fitted(text, size, weight, place.width), weight: weight, ink: ink,
            alignment: alignment, width: place.width, x: place.x, baseline: place.y)
    }

    /// The font size at which a text fits into a width, but not below the minimum.
    func fitted(
        _ text: ShownText, _ size: Double, _ weight: TextLine.Weight, _ width: Double
    ) -> Double {
        let natural = Typesetting.width(of: text, size: size, weight: weight)
        guard natural > width, natural > 0 else { return size }
        return size * max(least, width / natural)
    }

    func naturalWidth(of field: FieldText) -> Double {
        max(
            Typesetting.width(of: field.label, size: labelSize, weight: .semibold),
            Typesetting.width(of: field.value, size: valueSize, weight: valueWeight))
    }

    /// Distributes the width: all fields shrink alike, down to the minimum. If that is not enough,
    /// fields that need less than an equal share keep their width, and the others are truncated.
    func shared(_ room: Double, among naturals: [Double]) -> [Double] {
        let sum = naturals.reduce(0, +)
        if sum <= room { return naturals }
        if sum * least <= room { return naturals.map { $0 * room / sum } }
        var widths = naturals
        var (left, open) = (room, naturals.count)
        for index in naturals.indices.sorted(by: { naturals[$0] < naturals[$1] }) {
            widths[index] = max(0, min(naturals[index], left / Double(open)))
            left -= widths[index]
            open -= 1
        }
        return widths
    }

    /// The alignment of a field: as the pass specifies, or by its position in the row.
    private func alignment(
        of field: FieldText, isLast: Bool, _ isRightToLeft: Bool
    ) -> TextLine.Alignment {
        switch field.alignment {
        case .left: .left
        case .center: .center
        case .right: .right
        case .natural where Typesetting.isRightToLeft(field.value): .right
        case .natural, nil: isLast != isRightToLeft ? .right : .left
        }
    }
}
