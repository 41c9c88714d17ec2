internal import Foundation
package import PassModel

/// A barcode as a grid of dark and light modules. The caller chooses the module size and adds the
/// quiet zone.
package struct BarcodeSymbol: Sendable, Hashable {
    package let format: BarcodeFormat
    /// In modules.
    package let columns: Int
    /// The number of distinct rows; a linear symbol has one.
    package let rows: Int
    /// The height of a row in modules; for a linear symbol only a suggestion.
    package let rowHeight: Int
    /// The margin that scanners need on each side, in modules.
    package let quietZone: Int
    /// Row by row.
    private let modules: [Bool]

    /// Whether it consists of vertical lines of any height.
    package var isLinear: Bool { rows == 1 }

    /// The height of all rows in modules, without the quiet zone.
    package var height: Int { rows * rowHeight }

    package init(_ barcode: Barcode) throws(BarcodeError) {
        try self.init([UInt8](barcode.messageData), as: barcode.format)
    }

    /// Encodes exactly these octets, without an ECI for the charset: Wallet's codes have none, and
    /// gates compare octets.
    package init(_ message: [UInt8], as format: BarcodeFormat) throws(BarcodeError) {
        let symbol = try encoded(EncodableMessage(message, as: format))
        self.format = format
        let (columns, rows) = (symbol.columns, symbol.rows)
        self.columns = columns
        self.rows = rows
        modules = (0..<columns * rows).map { index in
            symbol.isDark(column: index % columns, row: index / columns)
        }
        (rowHeight, quietZone) =
            switch format {
            case .qr: (1, 4)
            // A scanner locates an Aztec code by its centre; the margin only separates it from
            // other content.
            case .aztec: (1, 2)
            case .pdf417: (3, 2)
            case .code128, .code39, .codabar, .interleaved2of5: (max(columns / 4, 20), 10)
            case .ean13: (max(columns / 2, 20), 11)
            }
    }

    /// False outside the symbol.
    package func isDark(column: Int, row: Int) -> Bool {
        guard 0..<columns ~= column, 0..<rows ~= row else { return false }
        return modules[row * columns + column]
    }
}
