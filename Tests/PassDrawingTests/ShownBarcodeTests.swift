import BarcodeReading
import Barcodes
import Foundation
import PassDrawing
import PassModel
import Testing

@Suite("The first barcode that can be drawn is shown, otherwise one's message as text")
struct ShownBarcodeTests {
    private static func face(_ barcodes: [(format: String, message: String, text: String?)])
        -> TestFace
    {
        let rows = barcodes.map { row in
            let text = row.text.map { #", "altText": "\#($0)""# } ?? ""
            return """
                {"format": "PKBarcodeFormat\(row.format)", "message": "\(row.message)",
                 "messageEncoding": "iso-8859-1"\(text)}
                """
        }
        return TestFace(
            #""barcodes": [\#(rows.joined(separator: ","))], "generic": {"primaryFields": []}"#)
    }

    @Test("its image, its text and its spoken text are of the same barcode")
    func second() throws {
        let test = Self.face([("EAN13", "12345", "first"), ("QR", "HELLO", "second")])
        let face = try test.face()
        let png = try face.png(scale: 2)
        #expect(try ZXing.octets(inPNG: png, format: "QRCode") == Array("HELLO".utf8))
        let text = try test.text()
        #expect(text.contains("second") && !text.contains("first"))
        #expect(face.spokenText.contains("Barcode: second"))
        #expect(face.barcodeError == nil)
    }

    @Test(
        "a barcode that cannot be drawn is shown as text",
        arguments: [
            ("EAN13", "12345", nil, "12345"), ("EAN13", "12345", "Number 12345", "Number 12345"),
            ("EAN13", "12345", " ", "12345"), ("QR", "", "Ask for Ada", "Ask for Ada"),
            (
                "Code128", "Card \(String(repeating: "1234567890", count: 20)) end", nil,
                "0 end"
            ),
        ])
    func typed(format: String, message: String, alternative: String?, shown: String) throws {
        let test = Self.face([(format, message, alternative)])
        #expect(try test.text().contains(shown))
        let face = try test.face()
        #expect(face.barcodeError != nil)
        #expect(face.spokenText.contains("Barcode: "))
        // The text is black on white.
        let pixels = try test.pixels()
        #expect(pixels.count(of: [255, 255, 255, 255]) > 10_000)
        #expect(pixels[187, pixels.height - 20] == [255, 255, 255, 255])
    }

    @Test("a pass without a barcode shows none")
    func none() throws {
        let face = try Self.face([]).face()
        #expect(face.barcodeError == nil)
        #expect(!face.spokenText.contains("Barcode"))
    }

    @Test("at most ten barcodes are tried, and a long message is truncated")
    func limits() throws {
        let bad = ("EAN13", "x", String?.none)
        let good = ("QR", "HELLO", String?.none)
        let tenth = Array(repeating: bad, count: 9) + [good]
        #expect(try Self.face(tenth).face().barcodeError == nil)
        #expect(try Self.face([bad] + tenth).face().barcodeError == .unencodable(.ean13))
        let long = String(repeating: "W", count: 100_000)
        #expect(try Self.face([("QR", long, nil)]).face().size.height < 600)
    }
}
