package import Barcodes
internal import PassModel

extension BarcodeError: Worded {
    /// Why the message is not drawn.
    package var phrase: Phrase {
        switch self {
        case .empty: Phrase("the message is empty")
        case .tooLong(let format, let octets):
            Phrase(
                "a message of {count} bytes is too long for {name}",
                ["count": .number(octets), "name": .phrase(format.nameInStandard)])
        case .unencodable(.code39):
            Phrase("Code 39 allows only digits, capital letters, spaces and -.$/+%")
        case .unencodable(.codabar):
            Phrase("Codabar allows only digits and -$:/.+ between letters from A to D")
        case .unencodable(let format):
            switch format {
            case .ean13, .interleaved2of5:
                Phrase("{name} allows only digits", ["name": .phrase(format.nameInStandard)])
            // They have all octets.
            default:
                Phrase(
                    "{name} cannot encode the message", ["name": .phrase(format.nameInStandard)])
            }
        case .notThirteenDigits: Phrase("EAN-13 needs 12 digits and a check digit")
        case .wrongCheckDigit: Phrase("the check digit of the message is wrong")
        case .refused(let format, let code):
            Phrase(
                "the message cannot be encoded as {name} (libzint error {number})",
                ["name": .phrase(format.nameInStandard), "number": .number(code)])
        }
    }
}

extension BarcodeFormat {
    fileprivate var nameInStandard: Phrase {
        switch self {
        case .qr: Phrase("a QR code")
        case .pdf417: .verbatim("PDF417")
        case .aztec: Phrase("an Aztec code")
        case .code128: .verbatim("Code 128")
        case .code39: .verbatim("Code 39")
        case .codabar: .verbatim("Codabar")
        case .ean13: .verbatim("EAN-13")
        case .interleaved2of5: .verbatim("Interleaved 2 of 5")
        }
    }
}
