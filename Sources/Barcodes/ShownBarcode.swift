package import PassModel

/// The barcode of a pass to display: the first that can be drawn, as Wallet displays the first that
/// it supports. If none can be drawn, the first of all, whose text can be typed.
package struct ShownBarcode: Sendable {
    package let barcode: Barcode
    /// The symbol, or why it cannot be drawn.
    package let symbol: Result<BarcodeSymbol, BarcodeError>

    /// The maximum number of barcodes examined.
    package static let limit = 10

    /// Nil if the pass has none.
    package init?(of barcodes: [Barcode]) {
        guard let first = barcodes.first else { return nil }
        var (shown, symbol) = (first, drawn(first))
        for barcode in barcodes.dropFirst().prefix(ShownBarcode.limit - 1) {
            if case .success = symbol { break }
            let next = drawn(barcode)
            if case .success = next { (shown, symbol) = (barcode, next) }
        }
        (self.barcode, self.symbol) = (shown, symbol)
    }

    /// The text to show beside the symbol, or to type if there is none.
    package var text: String {
        if let text = barcode.altText, !text.allSatisfy(\.isWhitespace) { return text }
        if case .success = symbol { return "" }
        return barcode.message
    }
}

private func drawn(_ barcode: Barcode) -> Result<BarcodeSymbol, BarcodeError> {
    Result { () throws(BarcodeError) in try BarcodeSymbol(barcode) }
}
