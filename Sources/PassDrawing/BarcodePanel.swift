package import Barcodes
import PassModel

/// A barcode on the white that scanners need around it, with the text beneath it.
package struct BarcodePanel: Sendable, Hashable {
    package let symbol: BarcodeSymbol
    let altText: ShownText
    /// The width of a module in points.
    let module: Double

    private static let padding = 10.0

    /// - Parameter width: Of what there is room for, in points.
    package init(_ symbol: BarcodeSymbol, altText: String?, width: Double) {
        self.symbol = symbol
        self.altText = ShownText(altText ?? "")
        let isSquare = symbol.format == .qr || symbol.format == .aztec
        let wanted = isSquare ? 150.0 : 280.0
        let room = width / Double(symbol.columns + 2 * symbol.quietZone)
        // Whole and half points are whole pixels on most screens.
        let halves = (2 * min(wanted / Double(symbol.columns), room)).rounded(.down)
        let most = isSquare ? 12.0 : 5.0
        // What would be too small to be scanned becomes larger than a square of that kind is.
        let least = room >= 1 ? 2.0 : 1.0
        module = max(least, min(halves, most)) / 2
    }

    /// The bars of a linear symbol are as high as Wallet has them.
    private var heightInModules: Double {
        symbol.isLinear ? 60 / module : Double(symbol.height)
    }

    package var size: FaceSize {
        let margin = max(Double(symbol.quietZone) * module, BarcodePanel.padding)
        let textHeight = altText.isEmpty ? 0 : 16.0
        return FaceSize(
            width: Double(symbol.columns) * module + 2 * margin,
            height: heightInModules * module + 2 * max(verticalMargin, 0) + textHeight)
    }

    private var verticalMargin: Double {
        symbol.isLinear
            ? BarcodePanel.padding
            : max(Double(symbol.quietZone) * module, BarcodePanel.padding)
    }

    /// Draws it with its top left corner at a place.
    package func draw(on canvas: Canvas, x: Double, y: Double) {
        let size = size
        let area = Rectangle(x: x, y: y, width: size.width, height: size.height)
        canvas.fill(.rounded(area, radius: 5), with: .white)
        let rows = Int(heightInModules.rounded(.up))
        let room = Rectangle(
            x: x, y: y + verticalMargin, width: size.width, height: heightInModules * module)
        let place = canvas.snapped(module, columns: symbol.columns, rows: rows, in: room)
        canvas.saving {
            canvas.translate(x: place.x, y: place.y)
            canvas.scale(x: place.module, y: place.module)
            canvas.fill(bars(rows), with: .black)
        }
        guard !altText.isEmpty else { return }
        let width = size.width - 12
        let natural = Typesetting.width(of: altText, size: 12, weight: .regular)
        canvas.draw(
            TextLine(
                text: altText, size: 12 * min(1, max(0.7, width / max(natural, 1))), ink: .black,
                alignment: .center, width: width, x: x + 6, baseline: area.maximumY - 7))
    }

    /// All dark modules as one path, so that no light shows between two that touch.
    private func bars(_ height: Int) -> Outline {
        var outline = Outline()
        let rowHeight = symbol.isLinear ? height : symbol.rowHeight
        for row in 0..<symbol.rows {
            var column = 0
            while column < symbol.columns {
                guard symbol.isDark(column: column, row: row) else {
                    column += 1
                    continue
                }
                let start = column
                while symbol.isDark(column: column, row: row) { column += 1 }
                outline.steps +=
                    Outline.rectangle(
                        Rectangle(
                            x: Double(start), y: Double(row * rowHeight),
                            width: Double(column - start), height: Double(rowHeight))
                    ).steps
            }
        }
        return outline
    }
}
