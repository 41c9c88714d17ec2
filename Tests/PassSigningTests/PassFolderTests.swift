import Foundation
import PassSigning
import Testing

@Suite("The folder of a pass is read as it is")
final class PassFolderTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-folder-\(UUID().uuidString)")
        try write("{}", to: "pass.json")
        try write("\"a\" = \"b\";", to: "en.lproj/pass.strings")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, to path: String) throws {
        let url = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    @Test("files in folders have their path in the pass")
    func paths() throws {
        let read = try PassFolder(contentsOf: folder)
        #expect(read.files.keys.sorted() == ["en.lproj/pass.strings", "pass.json"])
        #expect(read.pass == Array("{}".utf8))
        #expect(read.size == 12)
    }

    @Test("hidden files, links and the results of signing are left out")
    func leftOut() throws {
        for path in [".DS_Store", "manifest.json", "signature", "en.lproj/signature"] {
            try write("x", to: path)
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("icon.png").path,
            withDestinationPath: "/etc/hostname")
        let read = try PassFolder(contentsOf: folder)
        #expect(read.leftOut == [".DS_Store", "icon.png", "manifest.json", "signature"])
        // Only the signature of the pass itself is made by signing.
        #expect(read.files["en.lproj/signature"] == Array("x".utf8))
    }

    @Test("the results of signing are left out of files in memory")
    func made() {
        let files: [String: [UInt8]] = [
            "pass.json": [1], "manifest.json": [2], "signature": [3], "a/signature": [4],
        ]
        #expect(PassFolder(files).files.keys.sorted() == ["a/signature", "pass.json"])
    }

    @Test(
        "a void pass differs in one value only",
        arguments: [
            (#"{"a": 1.0}"#, #"{"voided":true,"a": 1.0}"#),
            ("{ }", #"{"voided":true }"#),
            (#"{"voided": false, "a": 1}"#, #"{"voided": true, "a": 1}"#),
            (#"{"voided":null,"voided":"no"}"#, #"{"voided":true,"voided":true}"#),
            (#"{"userInfo": {"voided": 0}}"#, #"{"voided":true,"userInfo": {"voided": 0}}"#),
            ("\u{FEFF}{\"a\": 1}", #"{"voided":true,"a": 1}"#),
        ])
    func voided(before: String, after: String) throws {
        let folder = PassFolder(["pass.json": Array(before.utf8), "icon.png": [1]])
        let voided = try folder.voided().files
        #expect(voided == ["pass.json": Array(after.utf8), "icon.png": [1]])
    }

    @Test("two names that differ only in Unicode normalisation are reported")
    func normalisation() throws {
        try write("x", to: "caf\u{E9}.txt")
        try write("y", to: "cafe\u{301}.txt")
        #expect(throws: PassFolderError.unsafeName(path: "caf\u{E9}.txt")) {
            try PassFolder(contentsOf: folder)
        }
    }

    @Test("limits are named")
    func limits() throws {
        var few = PassFolderLimits()
        few.entries = 2
        #expect(throws: PassFolderError.tooManyEntries(limit: 2)) {
            try PassFolder(contentsOf: folder, limits: few)
        }
        var small = PassFolderLimits()
        small.total = 11
        #expect(throws: PassFolderError.tooLarge(limit: 11)) {
            try PassFolder(contentsOf: folder, limits: small)
        }
        small.total = 12
        #expect(try PassFolder(contentsOf: folder, limits: small).size == 12)
    }

    @Test("a missing folder, and a file in its place, are no folder")
    func missing() throws {
        for path in [folder.path + "x", folder.path + "/pass.json"] {
            #expect(throws: PassFolderError.notAFolder(path: path)) {
                try PassFolder(contentsOf: URL(filePath: path, directoryHint: .notDirectory))
            }
        }
    }
}
