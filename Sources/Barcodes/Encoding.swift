internal import CZint
internal import PassModel

/// Encodes a message in the shape that Wallet uses.
func encoded(_ message: EncodableMessage) throws(BarcodeError) -> ZintSymbol {
    var error = BarcodeError.empty
    for level in errorCorrectionLevels(message.format) {
        do throws(BarcodeError) {
            return try encoded(message, ZintSymbol.Wishes(errorCorrection: level))
        } catch let refusal {
            error = refusal
        }
        guard case .tooLong = error else { break }
    }
    throw error
}

/// The error correction levels to try, in libzint's numbering; nil for the level that the standard
/// recommends for the message size. If the message does not fit, the next is tried. QR codes start
/// with M, the level of Core Image, which draws the codes in Wallet.
private func errorCorrectionLevels(_ format: BarcodeFormat) -> [CInt?] {
    switch format {
    case .qr: [2, 1]
    case .pdf417: [nil, 2]
    case .aztec, .code128, .code39, .codabar, .ean13, .interleaved2of5: [nil]
    }
}

private func encoded(
    _ message: EncodableMessage, _ wishes: ZintSymbol.Wishes
) throws(BarcodeError) -> ZintSymbol {
    let symbol = try ZintSymbol.encoding(message, wishes)
    guard message.format == .pdf417 else { return symbol }
    var wishes = wishes
    wishes.columns = CInt(columnsThreeToOne(codewords: (symbol.columns - 69) / 17 * symbol.rows))
    do throws(BarcodeError) {
        return try ZintSymbol.encoding(message, wishes)
    } catch {
        // The largest symbols are only possible in the default shape.
        return symbol
    }
}

/// The number of columns for which a PDF417 symbol is about three times as wide as high. A row is
/// 69 modules plus 17 per column wide, and 3 high; a symbol has 3 to 90 rows.
private func columnsThreeToOne(codewords: Int) -> Int {
    func distance(_ columns: Int) -> Int {
        let rows = max((codewords + columns - 1) / columns, 3)
        return rows > 90 ? .max : abs(69 + 17 * columns - 3 * 3 * rows)
    }
    return (1...30).min { distance($0) < distance($1) } ?? 30
}
