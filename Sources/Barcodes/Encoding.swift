internal import PassModel

/// The symbol that a message is drawn as, in the shape that Wallet gives it.
func encoded(_ message: EncodableMessage) throws(BarcodeError) -> ZintSymbol {
    switch message.format {
    case .qr: try qrCode(message)
    case .pdf417: try pdf417(message)
    default: try ZintSymbol.encoding(message)
    }
}

/// With error correction M, as the codes of Core Image have it, from which Wallet's come; what has no
/// room then is drawn with L, for a code is worth more than its correction.
private func qrCode(_ message: EncodableMessage) throws(BarcodeError) -> ZintSymbol {
    do throws(BarcodeError) {
        return try .encoding(message, ZintSymbol.Wishes(errorCorrection: 2))
    } catch {
        guard case .tooLong = error else { throw error }
        return try .encoding(message, ZintSymbol.Wishes(errorCorrection: 1))
    }
}

/// About three times as wide as high. A row is 69 modules and 17 for each column of codewords wide, and
/// 3 high, so that for as many codewords in all there is one number of columns.
private func pdf417(_ message: EncodableMessage) throws(BarcodeError) -> ZintSymbol {
    let first = try ZintSymbol.encoding(message)
    let codewords = (first.columns - 69) / 17 * first.rows
    let columns = (1...30).first { columns in columns * (17 * columns + 69) >= 9 * codewords } ?? 30
    do throws(BarcodeError) {
        return try .encoding(message, ZintSymbol.Wishes(columns: CInt(columns)))
    } catch {
        return first
    }
}
