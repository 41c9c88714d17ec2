import BarcodeReading
import Barcodes
import Bytes
import Foundation
import PassModel
import PassVerification
import Testing

@Suite(
    "Every barcode of real passes is drawn and read back",
    .enabled(if: !Issued.files.isEmpty, "no genuine passes beside this checkout"),
    .enabled(if: ZXing.isHere, "no ZXingReader on this computer"))
struct CorpusBarcodesTests {
    @Test(arguments: Issued.files)
    func barcodes(file: URL) throws {
        let octets = SpooledBytes(Array(try Data(contentsOf: file)))
        for barcode in UnjudgedPass(octets)?.pass.barcodes ?? [] where !barcode.message.isEmpty {
            let symbol = try BarcodeSymbol(barcode)
            #expect(try symbol.read() == [UInt8](barcode.messageData), "\(barcode)")
        }
    }
}

enum Issued {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/corpus/passes").standardizedFileURL

    static let files =
        (try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil))?
        .filter { $0.pathExtension == "pkpass" }.sorted { $0.path < $1.path } ?? []
}
