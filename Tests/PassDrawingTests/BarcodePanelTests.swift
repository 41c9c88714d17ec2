import BarcodeReading
import Foundation
import PassDrawing
import PassModel
import Testing

/// ZXing is independent of the code that draws barcodes.
@Suite(
    "The barcode on a face holds the message of the pass, byte for byte",
    .enabled(if: ZXing.isHere, "no ZXingReader on this computer"))
struct BarcodePanelTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let format: BarcodeFormat
        let message: String
        var encoding = "iso-8859-1"
        /// The expected octets.
        let octets: [UInt8]

        init(
            _ format: BarcodeFormat, _ message: String, _ encoding: String = "iso-8859-1",
            octets: [UInt8]? = nil
        ) {
            self.format = format
            self.message = message
            self.encoding = encoding
            self.octets = octets ?? Array(message.utf8)
        }

        var testDescription: String { "\(format), \(message.count): \(message.prefix(20))" }

        func face() throws -> (face: PassFace, code: ReadCode) {
            let barcode = [
                "format": format.rawValue, "message": message, "messageEncoding": encoding,
                "altText": "A text beneath",
            ]
            let json = String(
                decoding: try JSONSerialization.data(withJSONObject: ["barcodes": [barcode]]),
                as: UTF8.self)
            let test = TestFace(
                json.dropFirst().dropLast() + #", "generic": {"primaryFields": []}"#)
            return (try test.face(), try #require(try ReadCode(on: test.pass())))
        }
    }

    @Test("in a PNG of each scale", arguments: rows, [1, 2, 3])
    func png(row: Row, scale: Int) throws {
        let (face, code) = try row.face()
        let read = try code.octets(in: try face.png(scale: scale), scale: Double(scale))
        #expect(read == row.octets)
    }

    @Test("in an SVG and in a PDF, drawn by other programs", arguments: rows)
    func vector(row: Row) throws {
        let (face, code) = try row.face()
        let svg = try run(["rsvg-convert", "--zoom", "2.5"], input: try face.svg())
        // A point of an SVG is larger than a CSS pixel.
        #expect(try code.octets(in: svg, scale: 2.5 * 96 / 72) == row.octets)
        let pdf = try run(
            ["pdftoppm", "-r", "190", "-png", "-singlefile", "-"],
            input: try face.pdf(title: "Sample"))
        #expect(try code.octets(in: pdf, scale: 190.0 / 72) == row.octets)
    }

    @Test(
        "it is only black and white at each scale",
        arguments: [rows[0], rows[1], rows[6], rows[7], rows[8], rows[9]], [1, 2, 3])
    func crisp(row: Row, scale: Int) throws {
        let json = """
            "backgroundColor": "rgb(255,255,255)", "foregroundColor": "rgb(255,255,255)",
            "labelColor": "rgb(255,255,255)", "logoText": "\u{20}",
            "generic": {"primaryFields": []}, "barcodes": [{"format": "\(row.format.rawValue)",
                "message": "\(row.message)", "messageEncoding": "\(row.encoding)"}]
            """
        let pixels = try TestFace(json).pixels(scale: scale)
        // Look inside the edge of the card, which is grey.
        let inset = 4 * scale
        let black = pixels.count(of: [0, 0, 0, 255], inset: inset)
        let white = pixels.count(of: [255, 255, 255, 255], inset: inset)
        let all = (pixels.width - 2 * inset) * (pixels.height - 2 * inset)
        #expect(black + white == all)
        #expect(black > 1000)
    }
}

private typealias Row = BarcodePanelTests.Row

private let rows = [
    Row(.qr, "https://example.org/t?id=0001"),
    Row(.qr, "Zürich → 東京", "utf-8"),
    Row(
        .qr, "\u{1}\u{0}\u{FF}\u{80}binary",
        octets: [1, 0, 0xFF, 0x80] + Array("binary".utf8)),
    Row(.qr, "日本", "shift_jis", octets: [0x93, 0xFA, 0x96, 0x7B]),
    Row(.aztec, "M1LOVELACE/ADA EABC123 LISOPONB 2417"),
    Row(
        .aztec, "\u{1}\u{2}\u{FF}\u{FE}\u{80}binary",
        octets: [1, 2, 0xFF, 0xFE, 0x80] + Array("binary".utf8)),
    Row(.pdf417, "M1LOVELACE/ADA EABC123 LISOPONB 2417 152Y012A0025 147"),
    // Messages that are as wide as the card, and wider.
    Row(.pdf417, String(repeating: "0123456789abcdef", count: 50)),
    Row(.pdf417, String(repeating: "0123456789abcdef", count: 65)),
    Row(.code128, "f67b2ae3d1c94bb28f6ab1f5cf4a8e91"),
    Row(.code128, String(repeating: "0123456789abcdef", count: 2)),
    Row(.code128, "01JQ45GDGDJAAP"),
    Row(.qr, String(repeating: "0123456789abcdef", count: 60)),
    Row(.aztec, String(repeating: "0123456789abcdef", count: 20)),
    Row(.code39, "ABC-123"),
    Row(.ean13, "4006381333931"),
    Row(.interleaved2of5, "12345670"),
    // ZXing returns the text between the start and the stop characters.
    Row(.codabar, "A12345B", octets: Array("12345".utf8)),
]
