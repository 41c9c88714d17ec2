import Barcodes
import PassModel

extension FaceLayout {
    /// The minimum height of a card, in points.
    private static let leastHeight = 440.0

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

    /// A notice about the validity of the pass, if needed.
    var mark: String? {
        if pass.pass.isVoided { return Words.voided }
        return pass.pass.isExpired(at: options.now) ? Words.expired : nil
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
