import Barcodes
import Foundation
import PassModel

/// Lays out the front of a pass from top to bottom.
struct FaceLayout {
    /// The width of a card on an iPhone, and of strip images, in points.
    static let width = 375.0
    static let margin = 14.0
    static let innerWidth = width - 2 * margin

    let pass: LocalizedPass
    let style: PassStyle
    let pictures: FacePictures
    let palette: Palette
    let barcode: ShownBarcode?
    private(set) var elements: [Element] = []

    private let options: FaceOptions
    /// Whether the user's language is right-to-left, in which case Wallet mirrors the whole card.
    private let isRightToLeft: Bool
    /// The bottom of the area used so far.
    private var bottom: Double
    private var notchesAt = 0.0

    private static let headerHeight = 50.0
    private static let headerGap = 14.0
    private static let headerRow = FieldRow(valueSize: 18, least: 0.6)
    /// The minimum height of a card, in points.
    private static let leastHeight = 440.0

    private var innerWidth: Double { FaceLayout.innerWidth }

    init(_ pass: LocalizedPass, _ pictures: FacePictures, for options: FaceOptions) {
        self.pass = pass
        self.options = options
        style = pass.pass.style ?? .generic
        self.pictures = pictures
        palette = Palette(
            pass.pass, on: pictures.background?.picture,
            hasLightLogo: pictures.logo?.picture.isLight ?? false)
        barcode = ShownBarcode(of: pass.barcodes)
        isRightToLeft =
            options.languages.first.map {
                Locale.Language(identifier: $0).characterDirection == .rightToLeft
            } ?? false
        // Start below the cut-out.
        bottom = style == .eventTicket ? 20 : 12
    }

    /// A notice about the validity of the pass, if needed.
    var mark: String? {
        if pass.pass.isVoided { return Words.voided }
        return pass.pass.isExpired(at: options.now) ? Words.expired : nil
    }

    func texts(_ fields: [Field], _ limit: Int) -> [FieldText] {
        fields.prefix(limit).map { FieldText($0, for: options) }
    }

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

    mutating func addFields() {
        switch style {
        case .boardingPass: addJourney()
        case .coupon, .storeCard: addStripAndFields()
        case .eventTicket where pictures.strip != nil: addStripAndFields()
        case .eventTicket, .generic, .posterGeneric: addFieldsBesideThumbnail()
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
            pictures.strip.map { self.palette.on($0.picture, of: pass.pass) } ?? self.palette
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
        addRows(texts(pass.fields.footer, limits.footer))
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

    /// Adds the barcode and footer, and returns the edge of the card.
    mutating func finish() -> CardEdge {
        let footer = pictures.footer.map { footer in
            (footer.picture, Rectangle(x: 0, y: 0, width: 286, height: 15).fitting(footer.size))
        }
        let code = code
        let markHeight = mark == nil ? 0.0 : 34
        let footerHeight = footer.map { $0.1.height + 6 } ?? 0
        let heights = markHeight + footerHeight + (code?.size.height ?? 0)
        let end = 18.0
        let height = max(FaceLayout.leastHeight, bottom + 8 + heights + end)
        bottom = height - end - heights
        if let mark { addMark(mark) }
        bottom += markHeight
        if let (picture, box) = footer {
            add(.picture(picture, centred(width: box.width, height: box.height)))
        }
        bottom += footerHeight
        if let code {
            let place = centred(width: code.size.width, height: code.size.height)
            for element in code.elements(in: place) { add(element) }
        }
        bottom = height
        if isRightToLeft { mirror() }
        let size = FaceSize(width: FaceLayout.width, height: height)
        return CardEdge(style: style, size: size, notchesAt: notchesAt)
    }

    /// Adds a notice on a band across the card.
    private mutating func addMark(_ words: String) {
        let band = Rectangle(x: 0, y: bottom, width: FaceLayout.width, height: 26)
        add(.fill(.rectangle(band), Ink.black.faded(to: 0.72)))
        addLine(ShownText(words), .white)
    }

    private mutating func addLine(_ text: ShownText, _ ink: Ink) {
        add(
            .text(
                TextLine(
                    text: text, size: 14, weight: .semibold, ink: ink, alignment: .center,
                    width: innerWidth, x: FaceLayout.margin, baseline: bottom + 18)))
    }

    private var code: Code? {
        guard let barcode else { return nil }
        if let symbol = try? barcode.symbol.get() {
            return .symbol(BarcodePanel(symbol, altText: barcode.text))
        }
        return TextPanel(barcode.text).map { .text($0) }
    }

    private func centred(width: Double, height: Double) -> Rectangle {
        Rectangle(x: (FaceLayout.width - width) / 2, y: bottom, width: width, height: height)
    }

    private mutating func mirror() {
        elements = elements.map { $0.mirrored(in: FaceLayout.width) }
    }

    private mutating func add(_ element: Element) {
        elements.append(element)
    }

    /// Adds the fields in rows, as many in each as fit.
    private mutating func addRows(
        _ fields: [FieldText], of row: FieldRow = FieldRow(), width: Double? = nil
    ) {
        let width = width ?? innerWidth
        var rest = fields.filter { !$0.isEmpty }[...]
        while !rest.isEmpty {
            let count = row.count(of: rest, in: width)
            let area = Rectangle(x: FaceLayout.margin, y: bottom, width: width, height: row.height)
            let lines = row.lines(
                of: rest.prefix(count), in: area, palette: palette, isRightToLeft: isRightToLeft)
            for line in lines { add(.text(line)) }
            rest = rest.dropFirst(count)
            bottom += row.height + 9
        }
    }
}

/// The barcode, or its replacement.
private enum Code {
    case symbol(BarcodePanel)
    /// Text to type at a gate if there is no barcode to scan.
    case text(TextPanel)

    var size: FaceSize {
        switch self {
        case .symbol(let panel): panel.size
        case .text(let panel): panel.size
        }
    }

    func elements(in area: Rectangle) -> [Element] {
        switch self {
        case .symbol(let panel): [.barcode(panel, area)]
        case .text(let panel): panel.elements(x: area.x, y: area.y)
        }
    }
}
