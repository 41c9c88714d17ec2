import Barcodes
import PassModel

extension FaceLayout {
    /// A card with little on it is still a card.
    private static let leastHeight = 440.0

    /// What is at the bottom of every card, and the card around all.
    mutating func finish() -> CardEdge {
        let footer = pictures.footer.map { footer in
            (footer.picture, Rectangle(x: 0, y: 0, width: 286, height: 15).fitting(footer.size))
        }
        let panel = BarcodePanel(of: pass)
        // Whoever stands at a gate can type it where there is nothing to be scanned.
        let altText = panel == nil ? ShownText(pass.barcodes.first?.altText ?? "") : ShownText("")
        let altHeight = altText.isEmpty ? 0.0 : 24
        let markHeight = mark == nil ? 0.0 : 34
        let footerHeight = footer.map { $0.1.height + 6 } ?? 0
        let heights = markHeight + footerHeight + (panel?.size.height ?? altHeight)
        let end = 18.0
        let height = max(FaceLayout.leastHeight, bottom + 8 + heights + end)
        bottom = height - end - heights
        if let mark { addMark(mark) }
        bottom += markHeight
        if let (picture, box) = footer {
            add(.picture(picture, centred(width: box.width, height: box.height)))
        }
        bottom += footerHeight
        if let panel {
            add(.barcode(panel, centred(width: panel.size.width, height: panel.size.height)))
        }
        if !altText.isEmpty { addLine(altText, palette.foreground) }
        bottom = height
        if isRightToLeft { mirror() }
        let size = FaceSize(width: FaceLayout.width, height: height)
        return CardEdge(style: style, size: size, notchesAt: notchesAt)
    }

    /// What a person has to know before going there.
    var mark: String? {
        if pass.pass.isVoided { return Words.voided }
        return pass.pass.isExpired(at: options.now) ? Words.expired : nil
    }

    /// On a band from edge to edge.
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

    private func centred(width: Double, height: Double) -> Rectangle {
        Rectangle(x: (FaceLayout.width - width) / 2, y: bottom, width: width, height: height)
    }
}

extension BarcodePanel {
    /// Of the first barcode that can be drawn, as Wallet takes the first one that it knows.
    init?(of pass: LocalizedPass) {
        for barcode in pass.barcodes.prefix(10) {
            guard let symbol = try? BarcodeSymbol(barcode) else { continue }
            self.init(
                symbol, altText: barcode.altText,
                width: FaceLayout.width - 2 * FaceLayout.margin)
            return
        }
        return nil
    }
}
