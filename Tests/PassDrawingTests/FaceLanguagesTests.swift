import Bytes
import Foundation
import PassDrawing
import PassModel
import PassVerification
import Testing

/// The folders in the order of the manifest, and the folder that Apple's
/// `Bundle.preferredLocalizations(from:forPreferences:)` chooses for each reader.
private struct LanguageRow {
    let folders: [String]
    let chosen: [String: String]
}

@Suite("A card is drawn in the reader's language, or in one that the pass has")
struct FaceLanguagesTests {
    private static let readers = ["en", "de-AT", "it-CH", "zh-TW", "zh-HK", "pt-BR", "sr", "ja"]

    private static let rows = [
        LanguageRow(
            folders: ["de"],
            chosen: Dictionary(uniqueKeysWithValues: readers.map { ($0, "de") })),
        // Not in alphabetical order.
        LanguageRow(
            folders: ["zh-Hans", "pt-PT"],
            chosen: [
                "en": "zh-Hans", "de-AT": "zh-Hans", "it-CH": "zh-Hans", "zh-TW": "zh-Hans",
                "zh-HK": "zh-Hans", "pt-BR": "pt-PT", "sr": "zh-Hans", "ja": "zh-Hans",
            ]),
        LanguageRow(
            folders: ["it-IT", "Base"],
            chosen: [
                "en": "Base", "de-AT": "Base", "it-CH": "it-IT", "zh-TW": "Base", "zh-HK": "Base",
                "pt-BR": "Base", "sr": "Base", "ja": "Base",
            ]),
        LanguageRow(
            folders: ["sr-Latn", "German", "zh_TW", "it-IT", "en-GB"],
            chosen: [
                "en": "en-GB", "de-AT": "German", "it-CH": "it-IT", "zh-TW": "zh_TW",
                "zh-HK": "zh_TW", "pt-BR": "en-GB", "sr": "sr-Latn", "ja": "en-GB",
            ]),
    ]

    @Test(
        "texts and images are from one folder, and missing texts from the others", arguments: rows)
    private func languages(row: LanguageRow) throws {
        let file = try #require(UnjudgedPass(SpooledBytes(try pass(row.folders))))
        #expect(file.pass.localizations == row.folders)
        let last = try #require(row.folders.last)
        for reader in Self.readers {
            let chosen = try #require(row.chosen[reader])
            let options = TestFace.options(reader)
            let pictures = FacePictures(file.images, of: file.pass, for: options)
            let face = PassFace(file.pass, pictures, for: options)
            let text = try TestFace.text(in: face.pdf(title: "Sample"))
            #expect(text.contains("Gate in \(chosen)"), "\(reader): \(text)")
            #expect(text.contains("Seat in \(last)") && text.contains("ROW_KEY"), "\(reader)")
            let number = try #require(row.folders.firstIndex(of: chosen))
            let color = [255, UInt8(20 + 40 * number), 0, 255]
            #expect(try Pixels(png: face.png(scale: 2)).count(of: color) > 1000, "\(reader)")
        }
    }

    /// A pass with texts and a logo in each folder; the last folder alone has `SEAT_KEY`. The
    /// archive is in alphabetical order, the manifest is not.
    private func pass(_ folders: [String]) throws -> [UInt8] {
        let script = """
            import hashlib, io, json, struct, sys, zipfile, zlib
            def chunk(kind, octets):
                return struct.pack('>I', len(octets)) + kind + octets + struct.pack('>I', zlib.crc32(kind + octets))
            def png(side, *colour):
                rows = (b'\\0' + bytes(colour) * side) * side
                return (b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', side, side, 8, 2, 0, 0, 0))
                    + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))
            fields = [{"key": str(n), "label": label, "value": label}
                for n, label in enumerate(["GATE_KEY", "SEAT_KEY", "ROW_KEY"])]
            files = {"pass.json": json.dumps({"formatVersion": 1, "passTypeIdentifier": "pass.example",
                "serialNumber": "1", "teamIdentifier": "T", "organizationName": "Sample", "description": "Sample",
                "generic": {"secondaryFields": fields}}).encode()}
            folders = sys.argv[1:]
            for number, folder in enumerate(folders):
                keys = ["GATE"] + (["SEAT"] if number == len(folders) - 1 else [])
                strings = "".join(f'"{key}_KEY" = "{key.title()} in {folder}";' for key in keys)
                files[folder + ".lproj/pass.strings"] = strings.encode("utf-16")
                for scale in 1, 2:
                    files[folder + f".lproj/logo{'@2x' if scale == 2 else ''}.png"] = png(20 * scale, 255, 20 + 40 * number, 0)
            files["manifest.json"] = json.dumps({name: hashlib.sha1(files[name]).hexdigest() for name in files}).encode()
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w") as z:
                for name in sorted(files): z.writestr(name, files[name])
            sys.stdout.buffer.write(out.getvalue())
            """
        return try run(["python3", "-c", script] + folders)
    }
}
