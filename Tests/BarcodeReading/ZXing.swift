import Foundation

/// ZXing's reader, which is independent of the code that draws barcodes.
package enum ZXing {
    private static let path = "/usr/bin/ZXingReader"

    package static var isHere: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// ZXing's names for the formats of passes.
    package static let names = [
        "PKBarcodeFormatQR": "QRCode", "PKBarcodeFormatPDF417": "PDF417",
        "PKBarcodeFormatAztec": "Aztec", "PKBarcodeFormatCode128": "Code128",
        "PKBarcodeFormatCode39": "Code39", "PKBarcodeFormatCodabar": "Codabar",
        "PKBarcodeFormatEAN13": "EAN-13", "PKBarcodeFormatI2of5": "ITF",
    ]

    /// The octets of the only barcode of a format, by ZXing's name (`QRCode`), in an image file;
    /// empty if none can be read.
    ///
    /// - Parameter rotates: Whether the barcode may be rotated by 90 degrees.
    package static func octets(
        in file: String, format: String, rotates: Bool = false
    ) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: path)
        // ZXing 1.4 fails an assertion on long lines when it tries the image in other sizes.
        process.arguments =
            ["-bytes", "-noscale"] + (rotates ? [] : ["-norotate"]) + ["-format", format, file]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return [UInt8](output)
    }

    package static func octets(in picture: Picture, format: String) throws -> [UInt8] {
        try octets(inFileOf: picture.greymap, ending: "pgm", format: format)
    }

    package static func octets(
        inPNG png: [UInt8], format: String, rotates: Bool = false
    ) throws -> [UInt8] {
        try octets(inFileOf: png, ending: "png", format: format, rotates: rotates)
    }

    private static func octets(
        inFileOf bytes: [UInt8], ending: String, format: String, rotates: Bool = false
    ) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "passconduit-barcode-\(UUID().uuidString).\(ending)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(bytes).write(to: file)
        return try octets(in: file.path, format: format, rotates: rotates)
    }
}
