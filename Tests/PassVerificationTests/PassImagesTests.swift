import Bytes
import Foundation
import PassFixtures
import PassModel
import PassVerification
import Testing

@Suite("The images of a pass are found by kind, scale and language")
struct PassImagesTests {
    /// Each file contains its own name.
    private func images(_ names: [String], around folder: String = "") throws -> PassImages {
        let script = """
            import io, sys, zipfile
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w") as z:
                z.writestr("\(folder)pass.json", '{"passTypeIdentifier": "pass.example", "serialNumber": "1", "generic": {}}')
                for name in sys.argv[1:]: z.writestr("\(folder)" + name, name)
            sys.stdout.buffer.write(out.getvalue())
            """
        let archive = try run(["python3", "-c", script] + names, input: [])
        return try #require(UnjudgedPass(SpooledBytes(archive))).images
    }

    @Test(
        "the image for the scale, else the next larger, else the largest",
        arguments: [
            (["icon.png", "icon@2x.png", "icon@3x.png"], 2, "icon@2x.png"),
            (["icon.png", "icon@3x.png"], 2, "icon@3x.png"),
            (["icon.png", "icon@2x.png"], 3, "icon@2x.png"),
            (["icon@2x.png"], 1, "icon@2x.png"),
            (["ICON@2X.PNG", "icon.png"], 2, "ICON@2X.PNG"),
            (["Icon.png", "icon.png"], 1, "icon.png"),
            (["logo.png", "icon.jpg", "deep/er/icon.png", "iconic.png"], 1, nil),
        ])
    func scale(names: [String], scale: Int, expected: String?) throws {
        let image = try images(names).images(.icon, scale: scale, languages: ["en"])
            .first { _ in true }
        #expect(image.map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
        if let expected {
            let scale = expected.contains("@3") ? 3 : expected.lowercased().contains("@2") ? 2 : 1
            #expect(image?.scale == scale)
        }
    }

    @Test(
        "the image in the reader's language, else the one without a language, else another",
        arguments: [
            (["logo.png", "de.lproj/logo.png", "pt.lproj/logo.png"], "de-AT", "de.lproj/logo.png"),
            (["logo.png", "de.lproj/logo.png", "pt.lproj/logo.png"], "pt-BR", "pt.lproj/logo.png"),
            (["logo.png", "de.lproj/logo.png", "pt.lproj/logo.png"], "ko", "logo.png"),
            (["logo.png", "de.lproj/logo.png", "en.lproj/logo.png"], "ko", "en.lproj/logo.png"),
            (["de.lproj/logo.png", "pt.lproj/logo.png"], "ko", "de.lproj/logo.png"),
            (["logo.png", "de.lproj/icon.png", "pt.lproj/logo.png"], "ko", "logo.png"),
            (["logo.png", "de.lproj/logo.png", "ko.lproj/pass.strings"], "ko", "logo.png"),
            (["de.lproj/logo.png", "en.lproj/logo@2x.png"], "ko", "en.lproj/logo@2x.png"),
            (["de.lproj/pass.strings", "fr.lproj/logo.png"], "de", "fr.lproj/logo.png"),
            (["de.lproj/logo@3x.png", "logo.png"], "de", "de.lproj/logo@3x.png"),
        ])
    func language(names: [String], wanted: String, expected: String) throws {
        for folder in ["", "folder/"] {
            let image = try images(names, around: folder)
                .images(.logo, scale: 1, languages: [wanted])
                .first { _ in true }
            #expect(image.map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
        }
    }
}
