import Foundation
import Glibc
import PassSigning
import Platform
import Testing

@Suite("A row's images are PNG files in the folder of the data")
struct ImageFolderTests {
    private let folder: TestFolder
    // PNG specification, 5.2.
    private let png: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10, 0]

    init() throws {
        folder = try TestFolder()
        try folder.write(png, to: "data/a.png")
        try folder.write(png, to: "data/photos/b.png")
        try folder.write(png, to: "outside.png")
        try folder.write("GIF89a".utf8, to: "data/c.png")
        try folder.write([], to: "data/empty.png")
        try folder.write(png + [0], to: "data/large.png")
        for (link, target) in [
            ("link.png", "a.png"), ("folder", "photos"), ("out.png", "../outside.png"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.url.appendingPathComponent("data/\(link)").path,
                withDestinationPath: target)
        }
        _ = unsafe mkfifo(folder.url.appendingPathComponent("data/fifo").path, 0o600)
    }

    private func files(_ row: TemplateRow) throws -> [String: [UInt8]] {
        try ImageFolder(folder.url.appendingPathComponent("data"), limit: png.count).files(for: row)
    }

    @Test("columns named like images of a pass hold their paths")
    func columns() throws {
        let row = TemplateRow(
            line: 2,
            [
                "name": "a.png", "thumbnail.png": "a.png", "strip@2x.png": "./photos/b.png",
                "en.lproj/logo.png": "a.png", "icon.png": "", ".png": "a.png", "a/b.png": "a.png",
                "../x.png": "a.png", "/x.png": "a.png", "en.lproj/x/y.png": "a.png",
                ".lproj/x.png": "a.png", "en.lproj/.x.png": "a.png", "x.PNG": "a.png",
            ])
        #expect(
            Set(row.columns.imageNames) == [
                "thumbnail.png", "strip@2x.png", "en.lproj/logo.png", "icon.png",
            ])
        #expect(
            try files(row) == ["thumbnail.png": png, "strip@2x.png": png, "en.lproj/logo.png": png])
    }

    @Test(
        "other files are refused",
        arguments: [
            ("/etc/hostname", .absolute), ("../outside.png", .outside), ("photos/..", .outside),
            ("photos/../a.png", .outside), ("photos//b.png", .outside), ("a.png/", .outside),
            ("a\0.png", .outside),
            ("link.png", .link), ("folder/b.png", .link), ("out.png", .link),
            ("photos", .notAFile), (".", .notAFile), ("fifo", .notAFile),
            ("c.png", .notPNG), ("empty.png", .notPNG), ("large.png", .tooLarge(limit: 9)),
            ("missing.png", .unreadable(FolderFault(FileError(.open, ENOENT)))),
            ("missing/a.png", .unreadable(FolderFault(FileError(.open, ENOENT)))),
            ("a.png/b.png", .unreadable(FolderFault(FileError(.open, ENOTDIR)))),
        ] as [(String, ImageFault)])
    func refused(path: String, fault: ImageFault) throws {
        #expect(throws: RowFault.image(column: "icon.png", path: path, fault)) {
            try files(TemplateRow(line: 2, ["icon.png": path]))
        }
    }
}
