internal import Barcodes
internal import PassPresentation

/// A barcode in block elements (U+2580 to U+259F). A cell of a terminal is about twice as high as wide: two
/// modules of a square symbol fill it, one above the other. Where only what stands beside each other
/// counts, as in lines and in the rows of a PDF417, two stand side by side, so that it takes half the width.
struct BlockSymbol {
    let symbol: BarcodeSymbol

    private var isSquare: Bool { symbol.rowHeight == 1 }

    /// In columns, with the quiet zone.
    var width: Int {
        let modules = symbol.columns + 2 * symbol.quietZone
        return isSquare ? modules : (modules + 1) / 2
    }

    /// The lines of the terminal, all as wide. What is not filled is as the ground, dark or light.
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
        // A line is four modules high, and a row of a PDF417 three or more.
        let repeats = symbol.isLinear ? min(max(symbol.height / 4, 3), 8) : 1
        let rows = (0..<symbol.rows).flatMap { row in
            Array(repeating: line(row), count: repeats)
        }
        return [line(-1)] + rows + [line(-1)]
    }
}

/// A line of cells, each with two halves that are filled or not.
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
