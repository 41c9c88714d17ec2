import Foundation
import Testing

@testable import PassImport

@Suite("A sparse file that is larger than any disk is not read to its end")
struct SparseFilesTests {
    private static let heads: [String: Data] = [
        "hole": Data(), "zip": Data("PK\u{3}\u{4}".utf8), "json": Data("{\"a\": 1}\n".utf8),
        "gzip": Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]), "mbox": Data("From ".utf8),
        "zstd": Data([0x28, 0xB5, 0x2F, 0xFD, 0, 0x58]), "calendar": Data("BEGIN:VCARD\n".utf8),
        "utf16": Data("\u{FEFF}{\"a\": 1}".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
        "macMail": Data("From: a\rTo: b\r\rc".utf8), "list": Data("<plist><array>".utf8),
        "warc": Data("WARC/1.0\r\n".utf8), "cpio": Data("070701".utf8),
        "outlook": Data([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]),
        "page": Data("<html>".utf8), "base64": Data("UEsDBBQA".utf8),
    ]

    @Test(
        "whatever its first bytes and its name", arguments: heads.keys.sorted(), ["500G", "4T"])
    func ends(head: String, size: String) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let names = [
            "pkpass", "pkpasses", "zip", "gz", "json", "jsonl", "msg", "emlx", "eml", "b64",
            "webarchive", "txt", "html", "dat",
        ].map { "file.\($0)" }
        for name in names {
            try tree.write(try #require(SparseFilesTests.heads[head]), to: name)
            try tree.shell("truncate -s \(size) \(name)")
        }
        for name in names {
            let result = try await tree.run(try MailTree.options(), [name])
            #expect(result.summary.sources == 1)
            guard name.hasSuffix("pkpass") else { continue }
            #expect(!result.lines.isEmpty, "\(name)")
        }
        var options = try MailTree.options()
        options.takesFilesForPasses = true
        _ = try await tree.run(options, names)
    }

    @Test("data after a hole is read")
    func after() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample("trusted/generic-tram-T1")
        let text = "{\"contentBytes\": \"\(pass.base64EncodedString())\"}"
        try tree.write(Data("{\"a\": 1}\n".utf8), to: "a.json")
        try tree.write(Data(text.utf8), to: "end")
        try tree.shell("truncate -s 4T a.json; cat end >> a.json")
        let result = try await tree.run(try MailTree.options(), ["a.json"])
        #expect(result.outcomes == ["trusted"])
    }
}
