internal import CZint
internal import PassModel

/// The symbol that a message is drawn as, in the shape that Wallet gives it.
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

/// The error correction that libzint calls so; nil for what the standard recommends for the size of the
/// message. Each is tried where the one before left no room: a code is worth more than its
/// correction. A QR code begins with M as Core Image does, which draws Wallet's.
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
        // The largest ones do not come out even in that shape.
        return symbol
    }
}

/// How many columns make a PDF417 about three times as wide as high. A row is 69 modules and 17 for
/// each column wide, and 3 high; a symbol has 3 to 90 rows.
private func columnsThreeToOne(codewords: Int) -> Int {
    func distance(_ columns: Int) -> Int {
        let rows = max((codewords + columns - 1) / columns, 3)
        return rows > 90 ? .max : abs(69 + 17 * columns - 3 * 3 * rows)
    }
    return (1...30).min { distance($0) < distance($1) } ?? 30
}
