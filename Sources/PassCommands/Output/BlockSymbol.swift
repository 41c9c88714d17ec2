internal import Barcodes

/// A barcode in block elements (U+2580 to U+259F). A terminal cell is about twice as high as wide,
/// so it holds two modules of a square symbol, one above the other. In linear symbols and PDF417
/// only widths matter, so a cell holds two modules side by side, which halves the width.
struct BlockSymbol {
    let symbol: BarcodeSymbol

    private var isSquare: Bool { symbol.rowHeight == 1 }

    /// In terminal columns, with the quiet zone.
    var width: Int {
        let modules = symbol.columns + 2 * symbol.quietZone
        return isSquare ? modules : (modules + 1) / 2
    }

    /// The lines of the symbol, all equally wide. If `lightIsInk`, light modules are drawn and dark
    /// ones left blank, otherwise the reverse.
    func lines(lightIsInk: Bool) -> [String] {
        isSquare ? square(lightIsInk) : stacked(lightIsInk)
    }

    private func square(_ lightIsInk: Bool) -> [String] {
        let zone = symbol.quietZone
        return stride(from: -zone, to: symbol.rows + zone, by: 2).map { row in
            let columns = -zone..<symbol.columns + zone
            return block(columns, "▀", "▄") { column in
                (
                    symbol.isDark(column: column, row: row) != lightIsInk,
                    symbol.isDark(column: column, row: row + 1) != lightIsInk
                )
            }
        }
    }

    private func stacked(_ lightIsInk: Bool) -> [String] {
        let zone = symbol.quietZone
        let cells = 0..<width
        func line(_ row: Int) -> String {
            block(cells, "▌", "▐") { cell in
                let column = 2 * cell - zone
                return (
                    symbol.isDark(column: column, row: row) != lightIsInk,
                    symbol.isDark(column: column + 1, row: row) != lightIsInk
                )
            }
        }
        // A line is four modules high, and a row of a PDF417 at least three.
        let repeats = symbol.isLinear ? min(max(symbol.height / 4, 3), 8) : 1
        let rows = (0..<symbol.rows).flatMap { row in
            Array(repeating: line(row), count: repeats)
        }
        return [line(-1)] + rows + [line(-1)]
    }
}

/// A line of cells, each with two halves that are drawn or blank.
private func block(
    _ cells: Range<Int>, _ first: Character, _ second: Character,
    _ halves: (Int) -> (Bool, Bool)
) -> String {
    String(
        cells.map { cell in
            switch halves(cell) {
            case (true, true): "█"
            case (true, false): first
            case (false, true): second
            case (false, false): " "
            }
        })
}
