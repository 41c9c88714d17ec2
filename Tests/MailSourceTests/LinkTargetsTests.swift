import Foundation
import Testing

@testable import MailSource

@Suite("The links to files in a tree are found")
struct LinkTargetsTests {
    @Test("but no links to folders, broken links, or links into file systems of the kernel")
    func links() throws {
        let folder = try Folder()
        defer { folder.remove() }
        for name in ["mail/a/1", "disk/2", "other/4"] { try folder.write("x", to: name) }
        for (name, target) in [
            ("mail/folder", "../disk"), ("mail/a/file", "../../other/4"), ("disk/more", "2"),
            ("mail/a/dangling", "nowhere"), ("mail/a/back", ".."), ("mail/root", "/"),
            ("mail/process", "/proc/self/status"), ("mail/chain", "a/file"), ("named", "disk"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder.url.path)/\(name)", withDestinationPath: target)
        }
        let trees = ["mail", "other/4", "named", "nowhere"]
        let found = linksToFiles(in: trees.map { Path("\(folder.url.path)/\($0)") })
        #expect(
            Set(found.map { $0.description.dropFirst(folder.url.path.count) }) == [
                "/mail/a/file", "/mail/chain", "/named/more",
            ])
    }
}
