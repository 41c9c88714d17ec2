import PassModel

extension FaceLayout {
    private static let headerHeight = 50.0
    private static let headerGap = 14.0
    private static let headerRow = FieldRow(valueSize: 18, least: 0.6)

    /// Adds the header, the part visible when cards are stacked: logo, logo text and header fields.
    mutating func addHeader() {
        let top = bottom
        let height = FaceLayout.headerHeight
        let fields = texts(pass.fields.header, FieldLimits(style).header).filter { !$0.isEmpty }
        let needed = leastWidth(of: fields)
        var x = FaceLayout.margin
        if let logo = pictures.logo {
            // Header fields take precedence over the full width of the logo.
            let room = min(160, max(50, innerWidth - 10 - needed))
            let box = Rectangle(x: x, y: top, width: room, height: height).fitting(logo.size)
            add(
                .picture(
                    logo.picture,
                    Rectangle(
                        x: x, y: top + (height - box.height) / 2, width: box.width,
                        height: box.height)))
            x += box.width + 10
        }
        let name = ShownText(pass.logoText ?? (pictures.logo == nil ? pass.organizationName : ""))
        let nameRow = FieldRow(least: 0.6)
        // Reserve room for part of the name if the fields still fit beside it.
        let natural = Typesetting.width(of: name, size: 17, weight: .semibold)
        let end = FaceLayout.width - FaceLayout.margin
        let nameRoom = min(natural * nameRow.least, 90, max(0, end - x - needed))
        let fieldsAt = addHeaderFields(fields, top: top + 5, from: x + nameRoom)
        let room = fieldsAt - x
        if !name.isEmpty, room > 20 {
            add(
                .text(
                    TextLine(
                        text: name, size: nameRow.fitted(name, 17, .semibold, room),
                        weight: .semibold, ink: palette.foreground,
                        alignment: isRightToLeft ? .right : .left, width: room, x: x,
                        baseline: top + height / 2 + 6)))
        }
        bottom = top + height + 10
    }

    /// The width of the fields at their smallest size, including gaps.
    private func leastWidth(of fields: [FieldText]) -> Double {
        let row = FaceLayout.headerRow
        return fields.reduce(0) {
            $0 + row.naturalWidth(of: $1) * row.least + FaceLayout.headerGap
        }
    }

    /// Adds the header fields from right to left, each as wide as needed; none is omitted.
    ///
    /// - Returns: The left edge of the fields, including the gap before them.
    private mutating func addHeaderFields(
        _ fields: [FieldText], top: Double, from start: Double
    ) -> Double {
        let (row, gap) = (FaceLayout.headerRow, FaceLayout.headerGap)
        var end = FaceLayout.width - FaceLayout.margin
        let room = end - start - gap * Double(fields.count)
        let widths = row.shared(room, among: fields.map(row.naturalWidth))
        for (field, width) in zip(fields, widths).reversed() {
            let area = Rectangle(x: end - width, y: top, width: width, height: row.height)
            let lines = row.lines(
                of: [field], in: area, palette: palette, isRightToLeft: isRightToLeft)
            for var line in lines {
                if field.alignment == nil || field.alignment == .natural {
                    line.alignment = isRightToLeft ? .left : .right
                }
                add(.text(line))
            }
            end -= width + gap
        }
        return end
    }
}
