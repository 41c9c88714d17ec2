import Foundation
import Testing

@testable import MailSource

@Suite("The symbolic links in a tree, and in the targets of links, are found")
struct LinkTargetsTests {
    private func links(_ folder: Folder, _ sources: [String], limit: Int = 100) -> LinkTargets {
        LinkTargets(in: sources.map { Path(folder.url.path + $0) }, limit: limit)
    }

    private func link(_ target: String, _ name: String, in folder: Folder) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.path + name, withDestinationPath: target)
    }

    @Test("links to folders and files, broken, indirect and circular links")
    func all() throws {
        let folder = try Folder()
        defer { folder.remove() }
        for name in ["mail/a/1", "disk/b/2", "disk/c/3", "other/4", "unread/5"] {
            try folder.write("x", to: name)
        }
        try link("../disk/b", "/mail/folder", in: folder)
        try link("../../other/4", "/mail/a/file", in: folder)
        try link("nowhere", "/mail/a/dangling", in: folder)
        try link("..", "/mail/a/back", in: folder)
        try link("../c", "/disk/b/further", in: folder)
        try link("../b", "/disk/c/around", in: folder)
        try link("..", "/unread/up", in: folder)
        let found = links(folder, ["/mail", "/other/4", "/nowhere"])
        #expect(!found.isCut)
        #expect(
            Set(found.links.map { $0.description.dropFirst(folder.url.path.count) }) == [
                "/mail/folder", "/mail/a/file", "/mail/a/dangling", "/mail/a/back",
                "/mail/folder/further", "/mail/folder/further/around",
            ])
    }

    @Test("up to a limit")
    func limit() throws {
        let folder = try Folder()
        defer { folder.remove() }
        for number in 0..<4 { try link("nowhere", "/\(number)", in: folder) }
        #expect(!links(folder, [""], limit: 4).isCut)
        #expect(links(folder, [""], limit: 3).isCut)
    }
}
