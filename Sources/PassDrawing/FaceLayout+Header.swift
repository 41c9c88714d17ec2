import PassModel

extension FaceLayout {
    /// What is seen of a card when others lie on it: the logo, its text, and the header fields.
    mutating func addHeader() {
        let top = bottom
        let height = 50.0
        var x = FaceLayout.margin
        if let logo = pictures.logo {
            let box = Rectangle(x: x, y: top, width: 160, height: height).fitting(logo.size)
            add(
                .picture(
                    logo.picture,
                    Rectangle(
                        x: x, y: top + (height - box.height) / 2, width: box.width,
                        height: box.height)))
            x += box.width + 10
        }
        let fieldsAt = addHeaderFields(top: top + 5, from: x)
        let name = ShownText(pass.logoText ?? (pictures.logo == nil ? pass.organizationName : ""))
        let room = fieldsAt - x
        if !name.isEmpty, room > 20 {
            let row = FieldRow(least: 0.6)
            add(
                .text(
                    TextLine(
                        text: name, size: row.fitted(name, 17, .semibold, room), weight: .semibold,
                        ink: palette.foreground, alignment: isRightToLeft ? .right : .left,
                        width: room, x: x, baseline: top + height / 2 + 6)))
        }
        bottom = top + height + 10
    }

    /// From the end of the line to its beginning, each as wide as it needs.
    ///
    /// - Returns: Where they begin.
    private mutating func addHeaderFields(top: Double, from start: Double) -> Double {
        let row = FieldRow(valueSize: 18, least: 0.6)
        let fields = texts(pass.fields.header, FieldLimits(style).header).filter { !$0.isEmpty }
        var end = FaceLayout.width - FaceLayout.margin
        // Something of the name is to be read.
        let nameWidth = pass.logoText.map {
            Typesetting.width(of: ShownText($0), size: 17, weight: .semibold) * 0.6
        }
        let first = start + min(nameWidth ?? 0, 90)
        var open = Double(fields.count)
        for field in fields.reversed() {
            let width = min(row.naturalWidth(of: field), (end - first) / open)
            guard width > 8 else { break }
            let area = Rectangle(x: end - width, y: top, width: width, height: row.height)
            let lines = row.lines(
                of: [field], in: area, palette: palette, isRightToLeft: isRightToLeft)
            for var line in lines {
                if field.alignment == nil || field.alignment == .natural {
                    line.alignment = isRightToLeft ? .left : .right
                }
                add(.text(line))
            }
            end -= width + 14
            open -= 1
        }
        return end
    }
}
