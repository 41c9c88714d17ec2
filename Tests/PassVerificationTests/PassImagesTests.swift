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
        "the image in the reader's language, else the one without a language",
        arguments: [
            ("de-AT", "de.lproj/logo.png"), ("pt-BR", "pt.lproj/logo.png"), ("ko", "logo.png"),
        ])
    func language(wanted: String, expected: String) throws {
        let names = ["logo.png", "de.lproj/logo.png", "pt.lproj/logo.png"]
        for folder in ["", "folder/"] {
            let image = try images(names, around: folder)
                .images(.logo, scale: 1, languages: [wanted])
                .first { _ in true }
            #expect(image.map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
        }
    }
}
