internal import CZint
internal import PassModel

/// A libzint symbol, freed when it goes out of scope. libzint has no global state, so any thread
/// may create symbols.
@safe struct ZintSymbol: ~Copyable {
    private let handle: UnsafeMutablePointer<zint_symbol>

    /// Encoding options.
    struct Wishes {
        var errorCorrection: CInt?
        var columns: CInt?
    }

    private init?() {
        guard let handle = unsafe ZBarcode_Create() else { return nil }
        unsafe self.handle = unsafe handle
    }

    static func encoding(
        _ message: EncodableMessage, _ wishes: Wishes = Wishes()
    ) throws(BarcodeError) -> ZintSymbol {
        guard let symbol = ZintSymbol() else {
            throw .refused(message.format, code: Int(ZINT_ERROR_MEMORY))
        }
        let handle = unsafe symbol.handle
        unsafe handle.pointee.symbology = symbology(of: message)
        unsafe handle.pointee.input_mode = DATA_MODE
        unsafe handle.pointee.show_hrt = 0
        if let level = wishes.errorCorrection { unsafe handle.pointee.option_1 = level }
        if let columns = wishes.columns { unsafe handle.pointee.option_2 = columns }
        // A length of 0 would make libzint search for a NUL.
        let code = unsafe message.octets.withUnsafeBufferPointer { octets in
            unsafe ZBarcode_Encode(handle, octets.baseAddress, CInt(octets.count))
        }
        switch code {
        case ..<ZINT_ERROR: return symbol
        case ZINT_ERROR_TOO_LONG: throw .tooLong(message.format, octets: message.length)
        case ZINT_ERROR_INVALID_CHECK: throw .wrongCheckDigit
        case ZINT_ERROR_INVALID_DATA: throw .unencodable(message.format)
        default: throw .refused(message.format, code: Int(code))
        }
    }

    deinit { unsafe ZBarcode_Delete(handle) }

    var columns: Int { Int(unsafe handle.pointee.width) }
    var rows: Int { Int(unsafe handle.pointee.rows) }

    func isDark(column: Int, row: Int) -> Bool {
        unsafe passconduit_zint_is_dark(handle, CInt(column), CInt(row))
    }
}

private func symbology(of message: EncodableMessage) -> CInt {
    switch message.format {
    case .qr: BARCODE_QRCODE
    case .pdf417: BARCODE_PDF417
    case .aztec: BARCODE_AZTEC
    case .code128: BARCODE_CODE128
    case .code39: BARCODE_CODE39
    case .codabar: BARCODE_CODABAR
    case .ean13: message.octets.count == 13 ? BARCODE_EANX_CHK : BARCODE_EANX
    case .interleaved2of5: BARCODE_C25INTER
    }
}
