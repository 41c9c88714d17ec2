import Bytes
import Foundation
import PassDrawing
import PassModel
import PassVerification
import Testing

@Suite(
    "Every real pass has a face",
    .enabled(if: !RealPasses.files.isEmpty, "no genuine passes beside this checkout"))
struct CorpusFaceTests {
    @Test("as PNG, SVG and PDF, in each language", arguments: RealPasses.files)
    func faces(file: String) throws {
        let octets = Octets(Array(try Data(contentsOf: RealPasses.folder.appending(path: file))))
        // One of them is no pass.
        guard let pass = PassVerifier().verify(octets).pass else { return }
        let images = PassImages(octets: octets)
        for language in ["en", "de", "pt-BR", "ko", "ru", "ar", "zh-Hans"] {
            let face = PassFace(
                pass, FacePictures(images, of: pass, for: TestFace.options(language)),
                for: TestFace.options(language))
            #expect(face.size.width == 375)
            #expect(440...800 ~= face.size.height)
            #expect(!face.spokenText.isEmpty)
            #expect(try face.png(scale: 1).starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(String(decoding: try face.svg(), as: UTF8.self).contains("</svg>"))
            #expect(String(decoding: try face.pdf(title: "").prefix(5), as: UTF8.self) == "%PDF-")
        }
    }
}

enum RealPasses {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/corpus/passes").standardizedFileURL
    static let files: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".pkpass") }.sorted()
}
