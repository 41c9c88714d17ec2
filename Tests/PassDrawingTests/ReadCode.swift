import BarcodeReading
import Barcodes
import PassDrawing
import PassModel
import Testing

/// The barcode on a face, as ZXing reads it from an image of that face.
struct ReadCode {
    private let panel: BarcodePanel
    private let format: String

    /// Nil if nothing is drawn.
    init?(on pass: Pass) throws {
        guard let shown = ShownBarcode(of: pass.barcodes), let symbol = try? shown.symbol.get()
        else { return nil }
        panel = BarcodePanel(symbol, altText: shown.text)
        format = try #require(ZXing.names[shown.barcode.format.rawValue])
    }

    /// - Parameters:
    ///   - png: Only the face.
    ///   - scale: Pixels per point.
    func octets(in png: [UInt8], scale: Double) throws -> [UInt8] {
        // ZXing finds an Aztec code only in the middle of an image, and mistakes the pattern of a
        // strip for lines. Therefore pass it the panel with only a small part of the card around
        // it.
        let (width, height) = (panel.size.width + 12, panel.size.height + 12)
        let area = "\(Int(width * scale))x\(Int(height * scale))+0+\(Int(12 * scale))"
        let cropped = try run(
            [
                "convert", "png:-", "-gravity", "South", "-crop", area, "+repage", "-background",
                "gray", "-flatten", "png:-",
            ], input: png)
        return try ZXing.octets(inPNG: cropped, format: format, rotates: true)
    }
}
