package import PassModel

/// The one barcode of a pass that is shown, on a face, on a terminal, in a window of its own, and in words: the
/// first that can be drawn, as Wallet takes the first that it knows. Where none can be it is the first of all,
/// whose text a person can type.
package struct ShownBarcode: Sendable {
    package let barcode: Barcode
    /// What is drawn, or why nothing is.
    package let symbol: Result<BarcodeSymbol, BarcodeError>

    /// No pass has a use for more.
    package static let limit = 10

    /// Nil for a pass that has none.
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

    /// What a person reads beside the symbol, or types in its place where there is none.
    package var text: String {
        if let text = barcode.altText, !text.allSatisfy(\.isWhitespace) { return text }
        if case .success = symbol { return "" }
        return barcode.message
    }
}

private func drawn(_ barcode: Barcode) -> Result<BarcodeSymbol, BarcodeError> {
    Result { () throws(BarcodeError) in try BarcodeSymbol(barcode) }
}
