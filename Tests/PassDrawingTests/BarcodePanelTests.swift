import Barcodes
import Foundation
import PassDrawing
import PassModel
import Testing

/// ZXing is another's reader: it knows nothing of how the codes were made.
@Suite("The barcode of a face says what the pass says, byte for byte")
struct BarcodePanelTests {
    private static let codes: [(format: BarcodeFormat, message: String, encoding: String)] = [
        (.qr, "https://example.org/t?id=0001", "iso-8859-1"),
        (.qr, "Zürich → 東京", "utf-8"),
        (.qr, "\u{1}\u{0}\u{FF}\u{80}binary", "iso-8859-1"),
        (.aztec, "M1LOVELACE/ADA EABC123 LISOPONB 2417", "iso-8859-1"),
        (.aztec, "\u{1}\u{2}\u{FF}\u{FE}\u{80}binary", "iso-8859-1"),
        (.pdf417, "M1LOVELACE/ADA EABC123 LISOPONB 2417 152Y012A0025 147", "iso-8859-1"),
        (.pdf417, String(repeating: "0123456789abcdef", count: 12), "iso-8859-1"),
        (.code128, "01JQ45GDGDJAAP", "iso-8859-1"),
        (.code39, "ABC-123", "iso-8859-1"),
        (.ean13, "4006381333931", "iso-8859-1"),
        (.interleaved2of5, "12345670", "iso-8859-1"),
        (.codabar, "A12345B", "iso-8859-1"),
    ]

    private static func face(_ index: Int) throws -> (face: PassFace, code: Code) {
        let row = codes[index]
        let barcode: [String: Any] = [
            "format": row.format.rawValue, "message": row.message,
            "messageEncoding": row.encoding, "altText": "A text beneath",
        ]
        let json = String(
            decoding: try JSONSerialization.data(withJSONObject: ["barcodes": [barcode]]),
            as: UTF8.self)
        let test = TestFace(json.dropFirst().dropLast() + #", "generic": {"primaryFields": []}"#)
        let written = try #require(try test.pass().barcode)
        let panel = BarcodePanel(
            try BarcodeSymbol(written), altText: written.altText, width: 347)
        return (
            try test.face(),
            Code(bytes: Array(written.messageData), format: row.format, size: panel.size)
        )
    }

    private struct Code {
        let bytes: [UInt8]
        let format: BarcodeFormat
        let size: FaceSize

        /// - Parameter scale: Pixels a point of the picture.
        func expect(in png: [UInt8], scale: Double) throws {
            // ZXing looks for an Aztec code in the middle of a picture alone.
            let area =
                "\(Int(size.width * scale))x\(Int((size.height - 16) * scale))"
                + "+0+\(Int((18 + 16) * scale))"
            let cropped = try run(
                ["convert", "png:-", "-gravity", "South", "-crop", area, "+repage", "png:-"],
                input: png)
            let file = FileManager.default.temporaryDirectory
                .appending(path: "passconduit-code-\(UUID().uuidString).png")
            try Data(format == .aztec ? cropped : png).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            // Looking at a picture again in another size, ZXing 1.4 fails an assertion.
            var read = try run(["ZXingReader", "-bytes", "-noscale", file.path])
            // It keeps the letters around a Codabar to itself.
            if format == .codabar { read = bytes.prefix(1) + read + bytes.suffix(1) }
            #expect(read == bytes)
        }
    }

    @Test("in a PNG of each scale", arguments: codes.indices, [1, 2, 3])
    func png(index: Int, scale: Int) throws {
        let (face, code) = try Self.face(index)
        try code.expect(in: try face.png(scale: scale), scale: Double(scale))
    }

    @Test("in an SVG and in a PDF, drawn by others", arguments: codes.indices)
    func vector(index: Int) throws {
        let (face, code) = try Self.face(index)
        let svg = try run(["rsvg-convert", "--zoom", "2.5"], input: try face.svg())
        // A point of an SVG is more than a pixel of CSS.
        try code.expect(in: svg, scale: 2.5 * 96 / 72)
        let pdf = try run(
            ["pdftoppm", "-r", "190", "-png", "-singlefile", "-"],
            input: try face.pdf(title: "Sample"))
        try code.expect(in: pdf, scale: 190.0 / 72)
    }

    @Test("and is black and white alone, at each scale", arguments: [1, 2, 3])
    func crisp(scale: Int) throws {
        let json = """
            "backgroundColor": "rgb(255,255,255)", "foregroundColor": "rgb(255,255,255)",
            "labelColor": "rgb(255,255,255)", "generic": {"primaryFields": []},
            "barcodes": [{"format": "PKBarcodeFormatQR", "message": "0001",
                "messageEncoding": "iso-8859-1"}]
            """
        let pixels = try TestFace(json).pixels(scale: scale)
        // Within the edge of the card, which is grey.
        var others = 0
        var black = 0
        for y in 20 * scale..<pixels.height - 4 * scale {
            for x in 4 * scale..<pixels.width - 4 * scale {
                let color = pixels[x, y]
                if color == [0, 0, 0, 255] { black += 1 }
                if color != [0, 0, 0, 255], color != [255, 255, 255, 255] { others += 1 }
            }
        }
        #expect(others == 0)
        #expect(black > 1000)
    }
}
