package import PassModel

/// Why a message cannot be drawn as a barcode.
package enum BarcodeError: Error, Hashable {
    case empty
    /// The message exceeds the capacity of the format; `octets` is its length.
    case tooLong(BarcodeFormat, octets: Int)
    /// The message contains characters that the format cannot encode.
    case unencodable(BarcodeFormat)
    /// The message is not 12 digits, or 13 with the check digit.
    case notThirteenDigits
    /// The check digit is wrong.
    case wrongCheckDigit
    /// libzint failed with this error code.
    case refused(BarcodeFormat, code: Int)
}

extension BarcodeError: CustomStringConvertible {
    /// A clause for display.
    package var description: String {
        switch self {
        case .empty: "the message is empty"
        case .tooLong(let format, let octets):
            "a message of \(octets) bytes is too long for \(format.nameInStandard)"
        case .unencodable(let format): alphabet(of: format)
        case .notThirteenDigits: "EAN-13 has 12 digits and a check digit, the message has not"
        case .wrongCheckDigit: "the last digit of the message is not its check digit"
        case .refused(let format, let code):
            "the message cannot be drawn as \(format.nameInStandard) (libzint says \(code))"
        }
    }
}

extension BarcodeFormat {
    var nameInStandard: String {
        switch self {
        case .qr: "a QR code"
        case .pdf417: "PDF417"
        case .aztec: "an Aztec code"
        case .code128: "Code 128"
        case .code39: "Code 39"
        case .codabar: "Codabar"
        case .ean13: "EAN-13"
        case .interleaved2of5: "Interleaved 2 of 5"
        }
    }
}

private func alphabet(of format: BarcodeFormat) -> String {
    switch format {
    case .code39: "Code 39 has digits, capital letters, space and -.$/+% alone"
    case .codabar: "Codabar has digits and -$:/.+ alone, between letters from A to D"
    case .ean13, .interleaved2of5: "\(format.nameInStandard) has digits alone"
    // These encode all octets.
    case .qr, .pdf417, .aztec, .code128: "\(format.nameInStandard) cannot say the message"
    }
}
