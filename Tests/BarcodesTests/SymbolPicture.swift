import BarcodeReading
import Barcodes
import PassModel

extension Picture {
    /// A symbol with its quiet zone, a module three pixels wide.
    init(_ symbol: BarcodeSymbol) {
        let (zone, dots) = (symbol.quietZone, 3)
        self.init(
            width: (symbol.columns + 2 * zone) * dots, height: (symbol.height + 2 * zone) * dots)
        for row in 0..<symbol.rows {
            for column in 0..<symbol.columns where symbol.isDark(column: column, row: row) {
                fill(
                    x: (zone + column) * dots, y: (zone + row * symbol.rowHeight) * dots,
                    width: dots, height: symbol.rowHeight * dots, shade: 0)
            }
        }
    }
}

extension BarcodeSymbol {
    /// The text that ZXing reads.
    func read() throws -> [UInt8] {
        try ZXing.octets(in: Picture(self), format: ZXing.names[format.rawValue] ?? "")
    }
}
