import Barcodes
import PassModel
import Testing

@Suite("A message that its format cannot encode is refused with the reason")
struct EncodableMessageTests {
    @Test("an empty message", arguments: BarcodeFormat.allCases)
    func empty(format: BarcodeFormat) {
        #expect(throws: BarcodeError.empty) { try BarcodeSymbol([], as: format) }
    }

    @Test("a message of a megabyte", arguments: BarcodeFormat.allCases)
    func megabyte(format: BarcodeFormat) {
        for octet in [UInt8(ascii: "1"), 0, 0xFF] {
            #expect(throws: BarcodeError.tooLong(format, octets: 1 << 20)) {
                try BarcodeSymbol(Array(repeating: octet, count: 1 << 20), as: format)
            }
        }
    }

    @Test("messages that are hard to encode, of every length")
    func lengths() {
        for format in BarcodeFormat.allCases {
            for length in [1, 2, 3, 17, 84, 85, 86, 160, 161, 928, 1850, 2331, 2710, 3832, 7089] {
                for pattern in [[UInt8(0)], [0xFF], [0x31, 0xFF], [0x41, 0x31, 0x31, 0x00]] {
                    let message = (0..<length).map { pattern[$0 % pattern.count] }
                    let symbol = try? BarcodeSymbol(message, as: format)
                    #expect(symbol.map { $0.columns > 0 && $0.rows > 0 } ?? true)
                }
            }
        }
    }

    @Test(
        "characters that the format does not have",
        arguments: [
            (.code39, "small"), (.code39, "A*B"), (.code39, "\u{0}"), (.codabar, "12X4"),
            (.codabar, "A12"), (.codabar, "12B"), (.codabar, "A1B2C"), (.codabar, "T12N"),
            (.ean13, "40063813339-1"), (.ean13, "ABCDEFGHIJKL"), (.interleaved2of5, "12 34"),
        ] as [(BarcodeFormat, String)])
    func characters(format: BarcodeFormat, message: String) {
        #expect(throws: BarcodeError.unencodable(format)) {
            try BarcodeSymbol(Array(message.utf8), as: format)
        }
    }

    @Test(
        "an EAN-13 of the wrong length",
        arguments: ["1", "12345678", "12345678901", "12345678901234"])
    func lengthOfEAN13(message: String) {
        #expect(throws: BarcodeError.notThirteenDigits) {
            try BarcodeSymbol(Array(message.utf8), as: .ean13)
        }
    }

    @Test("an EAN-13 with a wrong check digit")
    func checkDigit() {
        #expect(throws: BarcodeError.wrongCheckDigit) {
            try BarcodeSymbol(Array("4006381333932".utf8), as: .ean13)
        }
    }
}
