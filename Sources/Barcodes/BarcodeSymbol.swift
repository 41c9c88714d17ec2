internal import Foundation
package import PassModel

/// A barcode as the grid of its modules, the dark and the light squares. Whoever draws it decides how large
/// a module is, and leaves a quiet zone around it.
package struct BarcodeSymbol: Sendable, Hashable {
    package let format: BarcodeFormat
    /// In modules.
    package let columns: Int
    /// Rows that differ; a linear symbol has one.
    package let rows: Int
    /// The height of a row in modules. That of a linear symbol is a proposal.
    package let rowHeight: Int
    /// The light margin on each side that scanners need, in modules.
    package let quietZone: Int
    /// Row by row.
    private let modules: [Bool]

    /// Lines alone, as high as one likes.
    package var isLinear: Bool { rows == 1 }

    /// The height of all rows in modules, without the quiet zone.
    package var height: Int { rows * rowHeight }

    package init(_ barcode: Barcode) throws(BarcodeError) {
        try self.init([UInt8](barcode.messageData), as: barcode.format)
    }

    /// These octets and nothing beside them: no ECI says what characters they are, as Wallet's codes
    /// have none, and as gates compare octets.
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
            // A scanner finds an Aztec code by its middle; the margin is for what is around it.
            case .aztec: (1, 2)
            case .pdf417: (3, 2)
            case .code128, .code39, .codabar, .interleaved2of5: (max(columns / 4, 20), 10)
            case .ean13: (max(columns / 2, 20), 11)
            }
    }

    /// Light outside of the symbol.
    package func isDark(column: Int, row: Int) -> Bool {
        guard 0..<columns ~= column, 0..<rows ~= row else { return false }
        return modules[row * columns + column]
    }
}
