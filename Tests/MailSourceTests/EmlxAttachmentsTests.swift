import Foundation
import Glibc
import Platform
import Testing

@testable import MailSource

@Suite("Attachments that Apple Mail has stored beside a message are found by their part number")
struct EmlxAttachmentsTests {
    @Test("in the order of the parts, and of the names within a part")
    func order() throws {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("x", to: "Messages/12.partial.emlx")
        for name in [
            "2/b", "2/a", "10/c", "1.10/d", "1.2/e", "1.2.1/f", "1/g", "x/none", "01/none",
            "1./none", "0/none", "2/folder/none", ".DS_Store", "9999999999/none",
        ] { try folder.write(name, to: "Attachments/12/\(name)") }
        try folder.write("x", to: "Attachments/1/2/other")
        #expect(
            try list(folder, "Messages/12.partial.emlx")
                == ["1 g", "1.2 e", "1.2.1 f", "1.10 d", "2 a", "2 b", "10 c"])
        let all = try #require(EmlxAttachments(of: Path(folder.path("Messages/12.partial.emlx"))))
        for limit in 0...8 {
            let some = try all.files(limit: limit)
            #expect(some.files.count == min(limit, 7))
            #expect(some.isCut == (limit < 7))
        }
        let size = try all.files(limit: 1).files.map(\.source.size)
        #expect(size == [3])
    }

    @Test(
        "by the message's file name and folder",
        arguments: [
            ("Messages/1.partial.emlx", true), ("Messages/2.emlx", true),
            ("a/b/Messages/1.emlx", true), ("Messages/x.emlx", false), ("Messages/1.eml", false),
            ("Messages/.emlx", false), ("Messages/1.partial", false), ("Mail/1.emlx", false),
            ("Messages/1.2.emlx", false), ("Messages", false),
        ])
    func names(path: String, isOne: Bool) {
        #expect((EmlxAttachments(of: Path("/nowhere/\(path)")) != nil) == isOne)
        #expect((EmlxAttachments(of: Path(path)) != nil) == isOne)
    }

    @Test("they belong to the partial message if both forms of a message are stored")
    func twoForms() throws {
        let folder = try Folder()
        defer { folder.remove() }
        for name in ["Messages/1.emlx", "Messages/1.partial.emlx", "Messages/2.emlx"] {
            try folder.write("x", to: name)
        }
        #expect(EmlxAttachments(of: Path(folder.path("Messages/1.emlx"))) == nil)
        #expect(EmlxAttachments(of: Path(folder.path("Messages/1.partial.emlx"))) != nil)
        #expect(EmlxAttachments(of: Path(folder.path("Messages/2.emlx"))) != nil)
    }

    @Test("symbolic links are not followed anywhere")
    func links() throws {
        let folder = try Folder()
        defer { folder.remove() }
        for name in ["out/1/2/secret", "Attachments/3/2/x", "Attachments/4/9/x"] {
            try folder.write("x", to: name)
        }
        for (link, target) in [
            ("Attachments/1", "../out/1"), ("Attachments/3/1", "../../out/1/2"),
            ("Attachments/4/9/link", "../../../out/1/2/secret"), ("other", "out"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(link), withDestinationPath: target)
        }
        #expect(try list(folder, "Messages/1.emlx") == [])
        #expect(try list(folder, "Messages/3.emlx") == ["2 x"])
        #expect(try list(folder, "Messages/4.emlx") == ["9 x"])
        #expect(try list(folder, "Messages/5.emlx") == [])
        let all = try #require(EmlxAttachments(of: Path(folder.path("Messages/4.emlx"))))
        let file = try #require(try all.files(limit: 9).files.first?.source)
        try FileManager.default.removeItem(atPath: folder.path("Attachments/4/9/x"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("Attachments/4/9/x"), withDestinationPath: "../../../out/1/2/secret"
        )
        #expect(throws: FileError.self) { try file.open() }
        try FileManager.default.removeItem(atPath: folder.path("Attachments"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("Attachments"), withDestinationPath: "out")
        #expect(try list(folder, "Messages/1.emlx") == [])
    }

    @Test("in the older form, a part is a file beside the message, still encoded")
    func encoded() throws {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("UEsD", to: "Messages/1.1.2.emlxpart")
        let all = try #require(EmlxAttachments(of: Path(folder.path("Messages/1.partial.emlx"))))
        #expect(all.encodedBody(of: "1.2")?.size == 4)
        #expect(all.encodedBody(of: "1")?.size == nil)
    }

    @Test(
        "an unreadable folder is reported",
        .disabled(if: geteuid() == 0, "root may read everything"))
    func permission() throws {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("x", to: "Attachments/1/2/x")
        let path = folder.path("Attachments/1/2")
        #expect(unsafe chmod(path, 0) == 0)
        defer { _ = unsafe chmod(path, 0o700) }
        #expect(throws: FileError.self) { try list(folder, "Messages/1.emlx") }
    }

    private func list(_ folder: Folder, _ message: String) throws -> [String] {
        let attachments = try #require(EmlxAttachments(of: Path(folder.path(message))))
        return try attachments.files(limit: 100).files.map { "\($0.part) \($0.source.path.name)" }
    }
}
