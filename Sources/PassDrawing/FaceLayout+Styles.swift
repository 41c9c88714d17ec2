import PassModel

extension FaceLayout {
    mutating func addFields() {
        switch style {
        case .boardingPass: addJourney()
        case .coupon, .storeCard: addStripAndFields()
        case .eventTicket where pictures.strip != nil: addStripAndFields()
        case .eventTicket, .generic: addFieldsBesideThumbnail()
        }
    }

    /// Adds the origin and destination of a boarding pass in large type, then the other fields
    /// below the notches.
    private mutating func addJourney() {
        let ends = texts(pass.fields.primary, FieldLimits(style).primary)
        let symbol = 32.0
        let row = FieldRow(labelSize: 12, valueSize: 38, valueWeight: .light, least: 0.35)
        bottom += 4
        if ends.contains(where: { !$0.isEmpty }) {
            let half = (innerWidth - symbol - 20) / 2
            // Keep the destination on its side even if the origin is empty.
            for (index, end) in ends.enumerated() where !end.isEmpty {
                let x = index == 0 ? FaceLayout.margin : FaceLayout.width - FaceLayout.margin - half
                let area = Rectangle(
                    x: x, y: bottom, width: ends.count == 1 ? innerWidth - symbol - 10 : half,
                    height: row.height)
                for var line in row.lines(
                    of: [end], in: area, palette: palette, isRightToLeft: isRightToLeft)
                {
                    if index == 1, end.alignment == nil || end.alignment == .natural {
                        line.alignment = isRightToLeft ? .left : .right
                    }
                    add(.text(line))
                }
            }
            let middle =
                ends.count == 1
                ? FaceLayout.width - FaceLayout.margin - symbol / 2 : FaceLayout.width / 2
            add(
                .symbol(
                    pass.pass.transitType ?? .generic,
                    Rectangle(
                        x: middle - symbol / 2, y: bottom + 22, width: symbol, height: symbol),
                    palette.foreground, isMirrored: false))
            bottom += row.height
        }
        bottom += 10
        notchesAt = bottom
        add(
            .fill(
                .rectangle(
                    Rectangle(x: 8, y: notchesAt - 0.5, width: FaceLayout.width - 16, height: 1)),
                palette.foreground.faded(to: 0.18)))
        bottom += 14
        addRows(texts(pass.fields.auxiliary, FieldLimits(style).auxiliary))
        addRows(texts(pass.fields.secondary, FieldLimits(style).secondary))
    }

    /// Adds the strip across the card with the primary field on it, then the other fields.
    private mutating func addStripAndFields() {
        let limits = FieldLimits(style)
        let most = style == .eventTicket ? 98.0 : 144.0
        var height = style == .eventTicket ? 84.0 : 110.0
        if let strip = pictures.strip {
            height = min(most, max(84, FaceLayout.width * strip.size.height / strip.size.width))
            let area = Rectangle(x: 0, y: bottom, width: FaceLayout.width, height: height)
            add(.crop(strip.picture, area.covering(strip.size), within: .rectangle(area)))
        }
        if let primary = texts(pass.fields.primary, limits.primary).first, !primary.isEmpty {
            addOnStrip(primary, height: height)
        } else if pictures.strip == nil {
            height = 0
        }
        bottom += height + 12
        let secondary = texts(pass.fields.secondary, limits.secondary)
        if style == .eventTicket {
            addRows(secondary)
            addAuxiliaryRows()
        } else {
            let all = secondary + texts(pass.fields.auxiliary, limits.auxiliary)
            addTogether(secondary.count, all)
        }
    }

    /// Adds the value in large type with its label below.
    private mutating func addOnStrip(_ field: FieldText, height: Double) {
        // The strip of an event ticket is lower than those of other styles.
        let size = style == .eventTicket ? 38.0 : 46.0
        let row = FieldRow(labelSize: 14, valueSize: size, valueWeight: .light, least: 0.4)
        let top = bottom + max(0, (height - row.height) / 2)
        let area = Rectangle(x: FaceLayout.margin, y: top, width: innerWidth, height: row.height)
        let palette =
            pictures.strip.map { self.palette.onPicture($0.picture, of: pass.pass) } ?? self.palette
        var lines = row.lines(
            of: [field], in: area, palette: palette, isRightToLeft: isRightToLeft)
        guard lines.count == 2 else { return }
        lines[1].baseline = top + (field.label.isEmpty ? size : size - 3)
        lines[0].baseline = top + size + 16
        for line in lines { add(.text(line)) }
    }

    /// Adds the thumbnail on the right, and the fields that fit beside it.
    private mutating func addFieldsBesideThumbnail() {
        let limits = FieldLimits(style)
        var width = innerWidth
        var thumbnailEnd = bottom
        if let thumbnail = pictures.thumbnail {
            let area = thumbnailArea(thumbnail.size)
            add(
                .crop(
                    thumbnail.picture, area.covering(thumbnail.size),
                    within: .rounded(area, radius: 3)))
            width -= area.width + 12
            thumbnailEnd = area.maximumY + 10
        }
        let row = FieldRow(labelSize: 11, valueSize: 27, valueWeight: .light, least: 0.5)
        addRows(texts(pass.fields.primary, limits.primary), of: row, width: width)
        let secondary = texts(pass.fields.secondary, limits.secondary)
        if style == .eventTicket {
            // Two rows fit beside the thumbnail.
            addRows(secondary, width: bottom < thumbnailEnd ? width : nil)
            bottom = max(bottom, thumbnailEnd)
            addAuxiliaryRows()
            return
        }
        bottom = max(bottom, thumbnailEnd)
        let auxiliary = texts(pass.fields.auxiliary, limits.auxiliary)
        if pass.pass.barcode.map({ $0.format == .qr || $0.format == .aztec }) ?? false {
            addTogether(secondary.count, secondary + auxiliary)
        } else {
            addRows(secondary)
            addRows(auxiliary)
        }
    }

    /// Adds secondary and auxiliary fields in one row, or separately if they would be truncated.
    private mutating func addTogether(_ secondaryCount: Int, _ all: [FieldText]) {
        let shown = all.prefix(FieldLimits(style).together).filter { !$0.isEmpty }
        let row = FieldRow()
        if row.count(of: shown[...], in: innerWidth) == shown.count {
            addRows(Array(shown))
        } else {
            addRows(Array(all.prefix(secondaryCount)))
            addRows(Array(all.dropFirst(secondaryCount)))
        }
    }

    /// Event tickets may have two rows.
    private mutating func addAuxiliaryRows() {
        let fields = pass.fields.auxiliary
        let limit = FieldLimits(style).auxiliary
        addRows(texts(fields.filter { $0.row != 1 }, limit))
        addRows(texts(fields.filter { $0.row == 1 }, limit))
    }

    /// The thumbnail area, with an aspect ratio between 2:3 and 3:2.
    private func thumbnailArea(_ size: FaceSize) -> Rectangle {
        let ratio = min(1.5, max(2.0 / 3, size.width / size.height))
        let (width, height) = ratio > 1 ? (90, 90 / ratio) : (90 * ratio, 90)
        return Rectangle(
            x: FaceLayout.width - FaceLayout.margin - width, y: bottom, width: width,
            height: height)
    }
}
