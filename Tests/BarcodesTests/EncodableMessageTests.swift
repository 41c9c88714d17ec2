import Barcodes
import PassModel
import Testing

@Suite("What a format cannot say is refused with the reason")
struct EncodableMessageTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let format: BarcodeFormat
        let message: [UInt8]
        let error: BarcodeError

        init(_ format: BarcodeFormat, _ message: String, _ error: BarcodeError) {
            self.format = format
            self.message = Array(message.utf8)
            self.error = error
        }

        var testDescription: String { "\(error)" }
    }

    @Test(arguments: BarcodeFormat.allCases)
    func empty(format: BarcodeFormat) {
        #expect(throws: BarcodeError.empty) { try BarcodeSymbol([], as: format) }
    }
}
