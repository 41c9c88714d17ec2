import Foundation
import MailSource
import PassContainers
import Testing

@testable import PassImport

@Suite("A format that is not read is reported, but only an expected one affects the exit code")
struct UnreadFormatsTests {
    private static let folders = Data([0x21, 0x42, 0x44, 0x4E] + Array(repeating: 7, count: 5000))

    @Test("a file that the user named, or a part that claims to be a pass, counts")
    func expected() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.write(UnreadFormatsTests.folders, to: "folder/backup.pst")
        try tree.write(UnreadFormatsTests.folders, to: "folder/ticket.pkpass")
        for name in ["backup.pst", "ticket.pkpass"] {
            let attached = """
                Subject: a
                Content-Type: application/octet-stream; name="\(name)"
                Content-Transfer-Encoding: base64

                \(MailTree.base64(UnreadFormatsTests.folders))
                """
            try tree.write(attached, to: "mail/\(name).eml")
        }
        let all = ["folder", "folder/backup.pst", "mail", "mail/backup.pst.eml"]
        #expect(
            try await problems(tree, all) == [
                "folder/backup.pst  incidental", "folder/ticket.pkpass ",
                "folder/backup.pst ",
                "mail/backup.pst.eml 1 incidental", "mail/ticket.pkpass.eml 1",
                "mail/backup.pst.eml 1 incidental",
            ])
    }

    @Test("an encrypted archive is reported once, and each member that claims to be a pass")
    func archive() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.write("Subject: a\n\nb\n", to: "a.eml")
        try tree.write("Subject: c\n\nd\n", to: "c.eml")
        let zip = """
            import struct, sys, zipfile
            with zipfile.ZipFile('all.zip', 'w') as made:
                for name in sys.argv[1:]: made.writestr(name, b'x' * 50)
            data = bytearray(open('all.zip', 'rb').read())
            for magic, place in ((b'PK\\3\\4', 6), (b'PK\\1\\2', 8)):
                start = data.find(magic)
                while start >= 0:
                    data[start + place] |= 1
                    start = data.find(magic, start + 4)
            open('all.zip', 'wb').write(data)
            """
        try tree.write(zip, to: "zip.py")
        try tree.shell("python3 zip.py a b.pkpass c d.pkpass e; mkdir box; cp all.zip box/")
        #expect(
            try await problems(tree, ["box", "all.zip"]) == [
                "box/all.zip  incidental", "box/all.zip !b.pkpass", "box/all.zip !d.pkpass",
                "all.zip ", "all.zip !b.pkpass", "all.zip !d.pkpass",
            ])
    }

    @Test(
        "a large file is not read to its end",
        arguments: ["gzip -k big.pst", "tar cf a.tar big.pst"])
    func large(command: String) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.write(UnreadFormatsTests.folders, to: "big.pst")
        try tree.shell("truncate -s 400M big.pst; \(command); rm big.pst")
        var options = try MailTree.options()
        options.containers.total = 1 << 20
        options.containers.standardInput = 1 << 20
        #expect(try await tree.run(options).lines.allSatisfy { $0.hasSuffix("format-not-read") })
    }

    @Test("formats recognised by their names, of which those of passes count")
    func names() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let names = [
            ".Inbox.mbox.icloud", ".photo.jpg.icloud", ".ticket.pkpass.icloud", "a.nsf", "b.tbb",
            "c.pmm", "photo.jpg.icloud", "ticket.pkpass.pfile", "z.rpmsg",
        ]
        for name in names { try tree.write(Data([7, 0, 7]), to: "box/\(name)") }
        #expect(
            try await problems(tree, ["box"]) == [
                "box/.Inbox.mbox.icloud  incidental", "box/.ticket.pkpass.icloud ",
                "box/a.nsf  incidental", "box/b.tbb  incidental", "box/c.pmm  incidental",
                "box/ticket.pkpass.pfile ", "box/z.rpmsg  incidental",
            ])
    }

    @Test("an order is not a pass, whatever it is called", arguments: ["a.order", "a.pkpass"])
    func order(name: String) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.shell(
            "echo '{}' | tee order.json manifest.json > signature; "
                + "python3 -m zipfile -c \(name) order.json manifest.json signature")
        #expect(try await problems(tree, [name]) == ["\(name) "])
    }

    /// A line for each problem: its source, its part, and whether it is incidental.
    private func problems(_ tree: MailTree, _ names: [String]) async throws -> [String] {
        var lines: [String] = []
        let inputs = names.map { Input.path(Path(tree.url.appendingPathComponent($0).path)) }
        _ = try await PassImport.run(inputs, try MailTree.options()) { event in
            guard case .problem(let problem) = event else {
                lines.append("\(event)")
                return
            }
            #expect(problem.code == "format-not-read")
            let source = problem.source.dropFirst(tree.url.path.count + 1)
            lines.append(
                "\(source) \(problem.part ?? "")" + (problem.isIncidental ? " incidental" : ""))
        }
        return lines
    }
}
