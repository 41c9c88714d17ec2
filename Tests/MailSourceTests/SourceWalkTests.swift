import Bytes
import Foundation
import Glibc
import Platform
import Testing

@testable import MailSource

@Suite("A tree is walked in the order of names, and no file or folder stops the walk")
struct SourceWalkTests {
    @Test("files and folders come in the order of their names")
    func order() throws {
        let folder = try Folder()
        defer { folder.remove() }
        for name in ["b/z", "b/a/x", "a", "c", "b.eml", ".hidden", "B"] {
            try folder.write("", to: name)
        }
        let steps = walk(folder, [""])
        #expect(
            steps
                == ["/.hidden", "/B", "/a", "/b/a/x", "/b/z", "/b.eml", "/c"].map { "file \($0)" })
    }

    /// The order in which Python's `sorted` puts the names as bytes.
    @Test(
        "also names with a common prefix, a name that is a prefix of another, and non-ASCII names",
        arguments: [
            [
                "1715076000", "1715076000.M1", "1715076000.M10P1", "1715076000.M1P1",
                "1715076000.M2",
            ],
            ["1715076000.M00000001", "1715076000.M000000010", "1715076000.M00000001Z"],
            ["a", "aaaaaaaa", "aaaaaaaaa", "aaaaaaaab", "ab"],
            ["x", "x\u{1}", "x\u{7F}", "x\u{E9}", "x\u{20AC}", "x\u{1F600}"], ["alone"],
        ])
    func order(names: [String]) throws {
        let folder = try Folder()
        defer { folder.remove() }
        for name in names.reversed() { try folder.write("", to: name) }
        #expect(walk(folder, [""]) == names.map { "file /\($0)" })
    }

    @Test("`tmp` is left out in a Maildir and nowhere else")
    func maildir() throws {
        let folder = try Folder()
        defer { folder.remove() }
        for name in [
            "cur/1:2,S", "new/2", "tmp/3", ".Sent/cur/4:2,", ".Sent/new/5", ".Sent/tmp/6",
            "dovecot-uidlist", "other/tmp/7", "cur/deeper/8",
        ] { try folder.write("x", to: name) }
        let found = Dictionary(
            uniqueKeysWithValues: files(folder, [""]).map { ($0.path.name, $0.isMessage) })
        #expect(
            found == [
                "1:2,S": true, "2": true, "4:2,": true, "5": true, "7": false, "8": true,
                "dovecot-uidlist": false,
            ])
    }

    @Test("a walk can skip subfolders, except cur and new in a Maildir, and exclude one folder")
    func folders() throws {
        let folder = try Folder()
        defer { folder.remove() }
        for name in ["1", "a/2", "M/cur/3", "M/new/4", "M/.Sub/cur/5", "M/cur/deeper/6", "M/7"] {
            try folder.write("x", to: name)
        }
        func names(_ name: String, goesDown: Bool, leavingOut: String? = nil) -> [String] {
            var walk = SourceWalk(
                [Path(folder.path(name))], goesDown: goesDown,
                leavingOut: leavingOut.map { Path(folder.path($0)) })
            var names: [String] = []
            while case .file(let file)? = walk.next() { names.append(file.path.name) }
            return names
        }
        #expect(names("", goesDown: false) == ["1"])
        #expect(names("a", goesDown: false) == ["2"])
        #expect(names("M", goesDown: false) == ["7", "3", "4"])
        #expect(names("M/cur", goesDown: false) == ["3"])
        #expect(names("", goesDown: true, leavingOut: "M") == ["1", "2"])
        #expect(names("", goesDown: true, leavingOut: "./a/../M/.") == ["1", "2"])
    }

    @Test(
        "an MH folder contains messages in numbered files",
        arguments: [
            ".mh_sequences", ".sylpheed_mark", ".sylpheed_cache", ".claws_mark", ".claws_cache",
        ])
    func mh(mark: String) throws {
        let folder = try Folder()
        defer { folder.remove() }
        for name in [
            "inbox/\(mark)", "inbox/1", "inbox/17", "inbox/17.eml", "inbox/,3", "inbox/2024/5",
            "inbox/2024/x/6", "other/7",
        ] { try folder.write("x", to: name) }
        try folder.write("x", to: "inbox/2025/8")
        try folder.write("", to: "inbox/2025/\(mark)")
        let found = Dictionary(
            uniqueKeysWithValues: files(folder, ["/inbox", "/other"]).filter { $0.size > 0 }
                .map { ($0.path.name, $0.isMessage) })
        let messages = ["1", "17", "8"]
        let others = ["17.eml", ",3", "5", "6", "7", mark]
        #expect(messages.allSatisfy { found[$0] == true })
        #expect(others.allSatisfy { found[$0] == false })
        #expect(files(folder, ["/inbox/1"]).map(\.isMessage) == [false])
    }

    @Test("attachments that Apple Mail has removed belong to their message")
    func appleMail() throws {
        let folder = try Folder()
        defer { folder.remove() }
        for name in [
            "Data/9/Messages/1.partial.emlx", "Data/9/Messages/2.emlx",
            "Data/9/Attachments/1/2/a.pkpass", "Data/9/Attachments/1/1.2/b.png",
            "Data/9/Attachments/2/1/c.pkpass",
        ] { try folder.write("x", to: name) }
        let messages = ["file /Data/9/Messages/1.partial.emlx", "file /Data/9/Messages/2.emlx"]
        #expect(walk(folder, [""]) == messages)
        #expect(walk(folder, ["/Data/9"]) == messages)
        // A path given on the command line is always read.
        #expect(
            walk(folder, ["/Data/9/Attachments/1"]) == [
                "file /Data/9/Attachments/1/1.2/b.png", "file /Data/9/Attachments/1/2/a.pkpass",
            ])
        #expect(
            walk(folder, ["/Data/9/Attachments/1/2/a.pkpass"]) == [
                "file /Data/9/Attachments/1/2/a.pkpass"
            ])
    }

    @Test("other files near them are found separately")
    func appleMailOthers() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let others = [
            "3/2/no-message", "1/x/no-part", "1/2/folder/deeper", "1/02/no-part", "1/directly",
            "x/2/no-number",
        ]
        try folder.write("x", to: "Messages/1.partial.emlx")
        try folder.write("x", to: "Messages/3.eml")
        try folder.write("x", to: "elsewhere/2/linked")
        for name in others { try folder.write("x", to: "Attachments/\(name)") }
        folder.link("Attachments/1/2/link", to: "../../../elsewhere/2/linked")
        folder.link("Attachments/1/3", to: "../../elsewhere/2")
        let found = files(folder, [""]).map { $0.path.name }
        #expect(
            Set(found) == [
                "1.partial.emlx", "3.eml", "no-message", "no-part", "deeper", "directly",
                "no-number", "link", "linked",
            ])
        // A folder that is a link, at the path of one of Apple Mail's folders.
        let twin = try Folder()
        defer { twin.remove() }
        try twin.write("x", to: "Messages/1.partial.emlx")
        try twin.write("x", to: "there/1/2/linked")
        twin.link("Attachments", to: "there")
        #expect(
            walk(twin, [""], followsLinks: true) == [
                "file /Attachments/1/2/linked", "file /Messages/1.partial.emlx",
            ])
    }

    @Test("links to files are followed, and every kind of broken link is reported")
    func links() throws {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("x", to: "d/file")
        for (name, target) in [
            ("d/loop", ".."), ("d/self", "self"), ("gone", "nowhere"), ("d/twice", "file"),
            ("e", "d"),
        ] { folder.link(name, to: target) }
        #expect(
            walk(folder, [""]) == [
                "file /d/file", "symlink-loop /d/self", "file /d/twice", "dangling-link /gone",
                "not followed 2",
            ])
        #expect(walk(folder, ["/gone", "/e/file"]) == ["dangling-link /gone", "file /e/file"])
    }

    @Test("links to folders are followed only if the user named them or asked for it")
    func linksToFolders() throws {
        let folder = try Folder()
        defer { folder.remove() }
        for name in ["mail/1", "disk/2", "disk/deep/3"] { try folder.write("x", to: name) }
        for (name, target) in [
            ("mail/a", "../disk"), ("mail/b", "../disk"), ("mail/c", "../disk/deep"),
            ("mail/cur", "../disk/deep"), ("mail/root", "../mail/up"), ("mail/up", ".."),
            ("disk/back", "../mail"), ("named", "disk"),
        ] { folder.link(name, to: target) }
        #expect(walk(folder, ["/mail"]) == ["file /mail/1", "not followed 6"])
        #expect(
            walk(folder, ["/named"]) == [
                "file /named/2", "file /named/deep/3", "not followed 1",
            ])
        #expect(walk(folder, ["/mail/a/"]) == walk(folder, ["/mail/a"]))
        // Each folder once, whatever the number of paths to it.
        #expect(
            walk(folder, ["/mail"], followsLinks: true) == [
                "file /mail/1", "file /mail/a/2", "file /mail/a/deep/3",
            ])
    }

    @Test("nothing on the way leads into /proc, /sys or /dev", arguments: [false, true])
    func kernel(followsLinks: Bool) throws {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("x", to: "file")
        for (name, target) in [
            ("a", "/proc"), ("b", "/proc/self/status"), ("c", "/proc/self/fd"), ("d", "/dev"),
            ("e", "/dev/null"), ("f", "/proc/self/fdinfo/0"), ("g", "b"),
        ] { folder.link(name, to: target) }
        #expect(
            walk(folder, [""], followsLinks: followsLinks) == ["file /file", "not followed 7"])
        #expect(walk(folder, ["/b"]) == ["file /b"])
        var named = SourceWalk([Path("/proc/self/fdinfo")])
        guard case .file = named.next() else { throw Unexpected() }
    }

    @Test("special files do not block")
    func special() throws {
        let folder = try Folder()
        defer { folder.remove() }
        folder.makeFIFO("fifo")
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        try bind(socket, to: folder.path("s"))
        #expect(walk(folder, [""]) == ["not-a-file /fifo", "not-a-file /s"])
        #expect(walk(folder, ["/fifo"]) == ["not-a-file /fifo"])
        #expect(walk(folder, ["/missing"]) == ["vanished /missing"])
        var device = SourceWalk([Path("/dev/null")])
        guard case .problem(let problem) = device.next() else { throw Unexpected() }
        #expect(problem.kind == .notAFile(.device))
    }

    @Test(
        "an unreadable folder is reported",
        .disabled(if: geteuid() == 0, "root may read everything"))
    func permission() throws {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("x", to: "closed/file")
        try folder.write("x", to: "open")
        folder.permit("closed", 0)
        defer { folder.permit("closed", 0o700) }
        #expect(walk(folder, [""]) == ["unreadable /closed", "file /open"])
    }

    @Test("a file removed or replaced between the walk and the reading is an error")
    func vanished() throws {
        let folder = try Folder()
        defer { folder.remove() }
        for name in ["a/x", "a/y", "b"] { try folder.write("x", to: name) }
        var walk = SourceWalk([Path(folder.url.path)])
        guard case .file(let first) = walk.next() else { throw Unexpected() }
        try FileManager.default.removeItem(atPath: folder.path("a"))
        #expect(throws: (any Error).self) { try first.open() }
        folder.makeFIFO("a")
        var rest: [String] = []
        while let step = walk.next() { rest.append(name(step, in: folder)) }
        #expect(rest == ["unreadable /a/y", "file /b"])
        guard case .file(let last) = SourceWalk.first(folder.path("b")) else { throw Unexpected() }
        try FileManager.default.removeItem(atPath: folder.path("b"))
        folder.makeFIFO("b")
        #expect(throws: (any Error).self) { try last.open() }
    }

    @Test("names need not be UTF-8")
    func names() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let path = Path(folder.url.path).appending([0x66, 0xFF, 0xC3])
        let file = unsafe path.withCString { unsafe open($0, O_CREAT | O_WRONLY, 0o600) }
        close(file)
        guard let found = files(folder, [""]).first else { throw Unexpected() }
        #expect(found.path == path)
        #expect(found.path.name == "f\u{FFFD}\u{FFFD}")
        let source = try found.open()
        source.descriptor.close()
    }

    @Test("a tree deeper than the longest path is walked as far as possible, without recursion")
    func deep() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let program = """
            import os, sys
            os.chdir(sys.argv[1])
            for level in range(3000):
                os.mkdir('d'); os.chdir('d')
            """
        _ = try python(program, [folder.url.path])
        let steps = walk(folder, [""])
        #expect(steps.count == 1 && steps[0].hasPrefix("unreadable /d/d/d"))
        _ = try python(
            "import subprocess, sys; subprocess.run(['rm', '-rf', sys.argv[1]])", [folder.url.path])
    }

    @Test("a file that is given twice is read twice, a folder once")
    func twice() throws {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("x", to: "d/a")
        #expect(walk(folder, ["/d/a", "/d/a"]) == ["file /d/a", "file /d/a"])
        #expect(walk(folder, ["/d", "/d"]) == ["file /d/a"])
        #expect(files(folder, ["/d/a", "/d"]).map(\.isNamed) == [true, false])
    }

    private func files(_ folder: Folder, _ names: [String]) -> [SourceFile] {
        var walk = SourceWalk(names.map { Path(folder.url.path + $0) })
        var files: [SourceFile] = []
        while let step = walk.next() { if case .file(let file) = step { files.append(file) } }
        return files
    }

    private func walk(
        _ folder: Folder, _ names: [String], followsLinks: Bool = false
    ) -> [String] {
        var walk = SourceWalk(
            names.map { Path(folder.url.path + $0) }, followsLinks: followsLinks)
        var steps: [String] = []
        while let step = walk.next() { steps.append(name(step, in: folder)) }
        let count = walk.linksNotFollowed
        return steps + (count == 0 ? [] : ["not followed \(count)"])
    }

    private func name(_ step: SourceWalk.Step, in folder: Folder) -> String {
        switch step {
        case .file(let file): "file \(file.path.description.dropFirst(folder.url.path.count))"
        case .problem(let problem):
            "\(problem.kind.code) \(problem.path.description.dropFirst(folder.url.path.count))"
        }
    }

    private func bind(_ socket: Int32, to path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        try #require(bytes.count < 108)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(result == 0)
    }
}

private struct Unexpected: Error {}

extension SourceWalk {
    fileprivate static func first(_ path: String) -> Step? {
        var walk = SourceWalk([Path(path)])
        return walk.next()
    }
}

extension Folder {
    fileprivate func link(_ name: String, to target: String) {
        let status = unsafe symlink(target, path(name))
        #expect(status == 0)
    }

    fileprivate func makeFIFO(_ name: String) {
        let status = unsafe mkfifo(path(name), 0o600)
        #expect(status == 0)
    }

    fileprivate func permit(_ name: String, _ mode: mode_t) {
        let status = unsafe chmod(path(name), mode)
        #expect(status == 0)
    }
}
