import Foundation
import Testing

@testable import PassSigning

@Suite("Fixes change only what is wrong")
final class LintFixTests {
    private let url: URL

    init() {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-lint-\(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a folder, applies all fixes, and reads it again.
    private func fixed(_ folder: CleanFolder) throws -> PassFolder {
        try? FileManager.default.removeItem(at: url)
        for (path, bytes) in folder.files {
            let file = url.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
        for _ in 0..<5 {
            let read = try PassFolder(contentsOf: url)
            try read.apply(PassLint(read).findings.compactMap(\.fix), to: url)
        }
        return try PassFolder(contentsOf: url)
    }

    @Test(
        "the rest of pass.json stays byte for byte",
        arguments: [
            ("\"formatVersion\": 1", "\"formatVersion\": \"1\"", "\"formatVersion\": 1"),
            ("\"serialNumber\": \"1\"", "\"serialNumber\" : 100", "\"serialNumber\" : \"100\""),
            ("rgb(0, 0, 0)", "#010203", "rgb(1, 2, 3)"),
            ("\"description\"", "\"descripton\"", "\"description\""),
            ("19:30+02:00", "19:30+0200", "19:30+02:00"),
            ("12.5", "\"12.50\"", "12.50"),
            ("PKBarcodeFormatQR", "PKBarcodeFormatQr", "PKBarcodeFormatQR"),
            ("\"label\": \"GATE\"", "\"labell\":\t\"G\\u0041TE\"", "\"label\":\t\"G\\u0041TE\""),
            (
                "\"locations\": [{\"latitude\": 48.1, \"longitude\": 11.6}]",
                "\"locations\": {\"latitude\": 48.10, \"longitude\": \"11.6\"}",
                "\"locations\": [{\"latitude\": 48.10, \"longitude\": 11.6}]"
            ),
        ])
    func json(right: String, wrong: String, fixed: String) throws {
        var folder = CleanFolder()
        var expected = folder
        folder.replace(right, wrong)
        expected.replace(right, fixed)
        #expect(try self.fixed(folder).files == expected.files)
    }

    @Test("a byte order mark and UTF-16 become plain UTF-8")
    func encodings() throws {
        let clean = CleanFolder()
        let text = String(decoding: clean.files["pass.json"] ?? [], as: UTF8.self)
        var marked = clean
        marked.files["pass.json"]?.insert(contentsOf: [0xEF, 0xBB, 0xBF], at: 0)
        #expect(try fixed(marked).files == clean.files)
        var wide = clean
        wide.files["pass.json"] = Array(try #require(text.data(using: .utf16)))
        #expect(try fixed(wide).files == clean.files)
    }

    @Test("misspelt images are renamed, and files of operating systems removed; no others")
    func files() throws {
        var folder = CleanFolder()
        folder.files["Icon@2X.png"] = folder.files.removeValue(forKey: "icon@2x.png")
        folder.files[".DS_Store"] = [1]
        folder.files["de.lproj/Thumbs.db"] = [1]
        folder.files["notes.txt"] = [1]
        folder.files[".gitignore"] = [1]
        // Not a PNG.
        folder.files["strip.jpg"] = [0xFF, 0xD8, 0xFF]
        // Both names exist.
        folder.files["Logo.png"] = CleanFolder.png(1, 1)
        let fixed = try fixed(folder)
        var expected = CleanFolder().files
        expected["notes.txt"] = [1]
        expected["strip.jpg"] = [0xFF, 0xD8, 0xFF]
        expected["Logo.png"] = CleanFolder.png(1, 1)
        #expect(fixed.files == expected)
        #expect(fixed.leftOut == [".gitignore"])
    }

    @Test("a folder without mistakes is not touched")
    func untouched() throws {
        let folder = CleanFolder()
        #expect(try fixed(folder).files == folder.files)
        let file = url.appendingPathComponent("pass.json").path
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: file)
        let read = try PassFolder(contentsOf: url)
        try read.apply(PassLint(read).findings.compactMap(\.fix), to: url)
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.modificationDate] as? Date == Date(timeIntervalSince1970: 0))
    }
}
