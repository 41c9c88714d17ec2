package import Barcodes
import PassModel

/// A barcode on a white panel with its quiet zone, and the text below it.
package struct BarcodePanel: Sendable, Hashable {
    package let symbol: BarcodeSymbol
    let altText: ShownText
    /// The width of a module in points: at least one, so that it covers whole pixels on every
    /// screen.
    let module: Double
    /// Whether the barcode is rotated because the card is not wide enough.
    let isTurned: Bool

    private static let padding = 10.0
    private static let textSize = 12.0
    private static let textHeight = 16.0
    /// The height of a linear symbol, in points.
    private static let barHeight = 60.0

    package init(_ symbol: BarcodeSymbol, altText: String?) {
        self.symbol = symbol
        self.altText = ShownText(altText ?? "")
        let modules = Double(symbol.columns + 2 * symbol.quietZone)
        let isSquare = symbol.format == .qr || symbol.format == .aztec
        let wanted = min(
            FaceLayout.innerWidth / modules, (isSquare ? 165 : 310) / Double(symbol.columns))
        // Half points are whole pixels only on some screens, so large modules are rounded to whole
        // points.
        let whole = wanted >= 3 ? wanted.rounded(.down) : (wanted * 2).rounded(.down) / 2
        module = max(1, min(whole, isSquare ? 6 : 3))
        isTurned = modules > FaceLayout.width
    }

    package var size: FaceSize {
        let placed = placed(module: module, barHeight: BarcodePanel.barHeight)
        return FaceSize(width: placed.white.width, height: placed.white.height)
    }

    /// Draws the panel with its top left corner at (x, y).
    package func draw(on canvas: Canvas, x: Double, y: Double) {
        let size = size
        // On a reduced card, a pixel may be wider than a module; the module is enlarged if there is
        // room.
        let snapped = canvas.snapped(module)
        let modules = Double(symbol.columns + 2 * symbol.quietZone)
        let isRoom =
            isTurned
            ? (snapped - module) * modules <= 2 * BarcodePanel.padding
            : snapped * modules <= FaceLayout.width
        let placed = placed(
            module: isRoom ? snapped : module,
            barHeight: canvas.snapped(BarcodePanel.barHeight))
        var origin = (
            x: x + (size.width - placed.white.width) / 2,
            y: y + (size.height - placed.white.height) / 2
        )
        let corner = canvas.snapped(
            x: origin.x + placed.symbol.x, y: origin.y + placed.symbol.y)
        origin = (corner.x - placed.symbol.x, corner.y - placed.symbol.y)
        canvas.saving {
            canvas.translate(x: origin.x, y: origin.y)
            canvas.fill(.rounded(placed.white, radius: 5), with: .white)
            canvas.fill(bars(placed), with: .black)
            guard !altText.isEmpty else { return }
            let width = placed.white.width - 12
            let natural = naturalTextWidth
            let fitting = BarcodePanel.textSize * min(1, max(0.7, width / max(natural, 1)))
            canvas.draw(
                TextLine(
                    text: altText, size: fitting, ink: .black, alignment: .center, width: width,
                    x: 6, baseline: placed.white.maximumY - 7))
        }
    }

    private var naturalTextWidth: Double {
        Typesetting.width(of: altText, size: BarcodePanel.textSize, weight: .regular)
    }
}

extension BarcodePanel {
    /// The white area and the symbol within it, relative to the panel's top left corner.
    private struct Placed {
        let module: Double
        let barHeight: Double
        let white: Rectangle
        let symbol: Rectangle
    }

    private func placed(module: Double, barHeight: Double) -> Placed {
        let quiet = Double(symbol.quietZone) * module
        let length = Double(symbol.columns) * module
        let height = symbol.isLinear ? barHeight : Double(symbol.height) * module
        // A symbol as wide as the card has room only for its quiet zone.
        let room = isTurned ? .infinity : (FaceLayout.width - length) / 2
        let ends = max(quiet, min(BarcodePanel.padding, room))
        let sides = symbol.isLinear ? BarcodePanel.padding : max(quiet, BarcodePanel.padding)
        let box = isTurned ? (width: height, height: length) : (width: length, height: height)
        let margin = isTurned ? (x: sides, y: ends) : (x: ends, y: sides)
        let textWidth = altText.isEmpty ? 0 : min(naturalTextWidth + 16, FaceLayout.innerWidth)
        let width = max(box.width + 2 * margin.x, textWidth)
        let textHeight = altText.isEmpty ? 0 : BarcodePanel.textHeight
        return Placed(
            module: module, barHeight: barHeight,
            white: Rectangle(
                x: 0, y: 0, width: width, height: box.height + 2 * margin.y + textHeight),
            symbol: Rectangle(
                x: (width - box.width) / 2, y: margin.y, width: box.width, height: box.height))
    }

    /// All dark modules as one path, without gaps between adjacent ones.
    private func bars(_ placed: Placed) -> Outline {
        let module = placed.module
        let rowHeight = symbol.isLinear ? placed.barHeight : Double(symbol.rowHeight) * module
        var outline = Outline()
        for row in 0..<symbol.rows {
            let top = Double(row) * rowHeight
            var column = 0
            while column < symbol.columns {
                guard symbol.isDark(column: column, row: row) else {
                    column += 1
                    continue
                }
                let start = column
                while symbol.isDark(column: column, row: row) { column += 1 }
                let (left, length) = (Double(start) * module, Double(column - start) * module)
                // Rotated clockwise: top becomes right.
                let bar =
                    isTurned
                    ? Rectangle(
                        x: placed.symbol.maximumX - top - rowHeight, y: placed.symbol.y + left,
                        width: rowHeight, height: length)
                    : Rectangle(
                        x: placed.symbol.x + left, y: placed.symbol.y + top, width: length,
                        height: rowHeight)
                outline.steps += Outline.rectangle(bar).steps
            }
        }
        return outline
    }
}
