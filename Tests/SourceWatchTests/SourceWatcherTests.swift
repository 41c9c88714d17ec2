import Foundation
import MailSource
import Testing

@testable import SourceWatch

@Suite("Only changed sources are read")
struct SourceWatcherTests {
    static let maildir =
        "mkdir -p root/M/cur root/M/new root/M/tmp root/M/.Sub/cur root/M/.Sub/new; "

    /// The initial files, the change, and the sources that are read.
    static let rows: [(String, String, Set<String>)] = [
        // Deliveries, by a rename and by a link; a message being read; another folder of the
        // Maildir.
        (maildir, "echo x > root/M/tmp/1; mv root/M/tmp/1 root/M/new/1", ["root/M"]),
        (
            maildir, "echo x > root/M/tmp/1; ln root/M/tmp/1 root/M/new/1; rm root/M/tmp/1",
            ["root/M"]
        ),
        (maildir + "echo > root/M/new/1", "mv root/M/new/1 root/M/cur/1:2,S", ["root/M"]),
        (maildir, "echo x > root/M/.Sub/new/1", ["root/M/.Sub"]),
        (
            maildir, "echo x > root/M/tmp/1; mkdir root/M/tmp/more; echo x > root/M/tmp/more/2",
            []
        ),
        // Files of all kinds.
        ("", "echo x > root/file", ["root"]),
        ("echo x > root/mbox", "echo y >> root/mbox", ["root"]),
        (
            "mkdir root/a", "echo x > root/a/1.part; mv root/a/1.part root/a/1.pkpass",
            ["root/a"]
        ),
        ("", "echo x > .other; ln -s ../.other root/link", ["root"]),
        ("echo x > root/file", "cat root/file; chmod 600 root/file; rm root/file", []),
        ("", ": > root/placeholder", []),
        // A link, whose other name is removed before it is read.
        ("", "echo x > 1; ln 1 root/1; rm 1", ["root"]),
        ("", "echo x > 1; touch -d 1970-01-02 1; ln 1 root/1; rm 1", ["root"]),
        // Links to mailboxes: a chain of two links, a link to a later file, a redirected link.
        (
            "mkdir spool root/a; echo x > spool/ada; ln -s ../../spool/ada root/a/INBOX",
            "echo x >> spool/ada; echo x > spool/bob", ["root/a"]
        ),
        ("mkdir spool; ln -s spool/ada one; ln -s ../one root/two", "echo x > spool/ada", ["root"]),
        ("echo x > box; ln -s ../box root/box", "echo y > new; mv new box", ["root"]),
        (
            "echo x > box; mkdir a; ln -s ../box a/box; mv a root", "mv root/a away; echo x >> box",
            []
        ),
        ("ln -s circle root/circle", "echo x > circle", []),
        // Folders.
        ("", "mkdir -p root/a/b/c; echo x > root/a/b/c/file", ["root/a/b/c"]),
        ("", "mkdir -p other/a/b; echo x > other/a/b/file; mv other/a root/a", ["root/a/b"]),
        ("", "mkdir -p root/a/b", []),
        (
            "mkdir -p root/a; echo x > root/a/1", "mv root/a root/b; echo x > root/b/2",
            ["root/b"]
        ),
        ("mkdir -p root/a", "mv root/a other; echo x > other/file", []),
        ("mkdir -p root/a", "rm -r root/a; mkdir root/a; echo x > root/a/file", ["root/a"]),
        // Attachments that Apple Mail stores belong to their messages.
        (
            "mkdir -p root/X.mbox/Messages root/X.mbox/Attachments/1/2",
            "echo x > root/X.mbox/Attachments/1/2/a.pkpass", ["root/X.mbox/**"]
        ),
    ]

    @Test(
        "anywhere, by any operation",
        arguments: rows)
    func changes(before: String, change: String, expected: Set<String>) throws {
        let scratch = try WatchedScratch(before)
        #expect(try scratch.rescans() == ["everything"])
        #expect(try scratch.rescans() == [])
        #expect(try scratch.rescans(after: change) == expected)
        #expect(try scratch.rescans() == [])
    }

    @Test("a new folder is watched, a removed one no longer")
    func folders() throws {
        let scratch = try WatchedScratch()
        _ = try scratch.rescans(after: "mkdir -p root/a/b; mv root/a root/c; mkdir root/c/d")
        #expect(scratch.watcher.watchCount == 4)
        #expect(try scratch.rescans(after: "echo x > root/c/b/1") == ["root/c/b"])
        #expect(try scratch.rescans(after: "echo x > root/c/d/1") == ["root/c/d"])
        #expect(try scratch.rescans(after: "mv root/c/b elsewhere; echo x > elsewhere/2") == [])
        #expect(scratch.watcher.watchCount == 3)
        #expect(try scratch.rescans(after: "rm -r root/c") == [])
        #expect(scratch.watcher.watchCount == 1)
    }

    @Test(
        "links to folders are followed only if asked for, and never into /proc, /sys or /dev",
        arguments: [
            ("ln -s ../later root/link", "mkdir later; echo x > later/1", ["root/link"]),
            ("", "mkdir -p other/a; echo x > other/a/1; ln -s ../other root/link", ["root/link/a"]),
            ("mkdir other; ln -s ../other root/link", "echo x > other/1", ["root/link"]),
            ("ln -s /proc root/link", "ln -s /dev root/other", []),
        ] as [(String, String, Set<String>)])
    func linksToFolders(before: String, change: String, expected: Set<String>) throws {
        for followsLinks in [false, true] {
            let scratch = try WatchedScratch(before, followsLinks: followsLinks)
            _ = try scratch.rescans()
            #expect(try scratch.rescans(after: change) == (followsLinks ? expected : []))
        }
    }

    @Test("circular links, and two links to a folder, are followed once")
    func links() throws {
        let scratch = try WatchedScratch(
            "mkdir root/a; ln -s .. root/a/up; ln -s a root/b; ln -s nowhere root/c",
            followsLinks: true)
        _ = try scratch.rescans()
        #expect(scratch.watcher.watchCount == 2)
        #expect(try scratch.rescans(after: "echo x > root/b/file") == ["root/a"])
        #expect(try scratch.rescans(after: "ln -s . root/a/self") == [])
        #expect(scratch.watcher.watchCount == 2)
    }

    @Test("an excluded folder is ignored, by whatever path it is reached")
    func leavingOut() throws {
        let scratch = try WatchedScratch(
            "mkdir -p root/library/passes; ln -s library root/link", leavingOut: "root/library")
        _ = try scratch.rescans()
        let change =
            "echo x > root/library/index; mkdir -p root/library/a; echo x > root/library/a/b"
        #expect(try scratch.rescans(after: change) == [])
        #expect(scratch.watcher.watchCount == 1)
        #expect(try scratch.rescans(after: "echo x > root/file; \(change)") == ["root"])
    }

    @Test("a file being written is marked as unfinished until it is closed, moved or forgotten")
    func unfinished() throws {
        let scratch = try WatchedScratch()
        _ = try scratch.rescans()
        let file = scratch.folder.appendingPathComponent("root/a")
        #expect(try scratch.rescans(after: ": > root/a") == [])
        #expect(scratch.unfinished == ["root/a"])
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Data("x".utf8))
        #expect(try scratch.rescans(after: "echo x > root/b") == ["root"])
        #expect(scratch.unfinished == ["root/a"])
        try handle.close()
        #expect(try scratch.rescans() == ["root"])
        #expect(scratch.unfinished == [])
        #expect(try scratch.rescans(after: ": > root/c; mv root/c root/d") == ["root"])
        #expect(scratch.unfinished == [])
        // A link whose other name was removed.
        let link = "echo x > g; ln g root/g; rm g"
        try WatchedScratch.shell(link, in: scratch.folder)
        #expect(scratch.rescans(in: .zero) == [])
        #expect(scratch.unfinished == ["root/g"])
        #expect(scratch.rescans(in: .seconds(4)) == [])
        #expect(scratch.rescans(in: .seconds(1)) == ["root"])
        #expect(scratch.unfinished == [])
        // A name that was replaced by a link.
        #expect(try scratch.rescans(after: ": > root/h; rm root/h; ln -s b root/h") == ["root"])
        #expect(scratch.unfinished == [])
        // The age of a file is measured by this computer's clock, not by that of the test.
        scratch.pass(.seconds(1000))
        #expect(
            try scratch.rescans(after: ": > root/e; touch -d '2 minutes ago' root/e") == [
                "everything"
            ])
        #expect(scratch.unfinished == [])
    }

    @Test("a mailbox that its writer keeps open is read after some time")
    func keptOpen() throws {
        let scratch = try WatchedScratch()
        _ = try scratch.rescans()
        _ = try scratch.rescans(after: ": > root/a")
        let handle = try FileHandle(
            forWritingTo: scratch.folder.appendingPathComponent("root/a"))
        defer { try? handle.close() }
        for isUnfinished in [true, false] {
            try handle.write(contentsOf: Data("x".utf8))
            #expect(try scratch.rescans(after: "echo x > root/b") == ["root"])
            #expect(scratch.unfinished == (isUnfinished ? ["root/a"] : []))
            scratch.pass(.seconds(120))
        }
    }

    @Test(
        "a redirected link is followed to its new target, and the number of followed links is limited"
    )
    func followed() throws {
        var timing = WatchTiming()
        timing.links = 1
        let before = "mkdir a b; echo x > a/1; echo x > b/2; ln -s ../a/1 root/x"
        let scratch = try WatchedScratch(before, timing: timing)
        _ = try scratch.rescans()
        #expect(scratch.watcher.watchCount == 2)
        #expect(
            try scratch.rescans(after: "ln -s ../b/2 root/new; mv root/new root/x") == ["root"])
        #expect(try scratch.rescans(after: "echo x >> b/2") == ["root"])
        #expect(try scratch.rescans(after: "echo x >> a/1") == [])
        #expect(try scratch.rescans(after: "ln -s ../a/1 root/y") == ["root"])
        #expect(try scratch.rescans(after: "echo x >> a/1") == [])
        #expect(scratch.watcher.watchCount == 2)
    }

    @Test("a folder that never settles does not delay other folders")
    func restless() throws {
        var timing = WatchTiming()
        timing.looks = 1
        let scratch = try WatchedScratch(timing: timing)
        _ = try scratch.rescans()
        try WatchedScratch.shell(
            "python3 -c 'for i in range(4000): open(f\"root/{i}\", \"w\")'; mkdir root/last",
            in: scratch.folder)
        _ = scratch.rescans(in: .seconds(6))
        #expect(scratch.watcher.watchCount == 1)
        for _ in 0..<9 { _ = scratch.rescans(in: .seconds(6)) }
        #expect(scratch.watcher.watchCount == 2)
    }

    @Test("a root is polled if the system does not report its changes")
    func replaced() throws {
        let scratch = try WatchedScratch(
            "mkdir -p P/root a b; ln -s a link", roots: ["P/root", "link"])
        let (root, link) = (
            Path("\(scratch.folder.path)/P/root"), Path("\(scratch.folder.path)/link")
        )
        _ = try scratch.rescans()
        #expect(try scratch.rescans(after: "mv P Q") == [])
        #expect(scratch.watcher.takeNotices() == [.gone(root)])
        #expect(try scratch.rescans(after: "mkdir -p P/root; echo x > P/root/1") == ["P/root/**"])
        #expect(scratch.watcher.takeNotices() == [.back(root)])
        #expect(
            try scratch.rescans(after: "ln -s b new; mv -T new link; echo x > b/1") == ["link/**"])
        #expect(
            try scratch.rescans(after: "echo x > b/2; echo x > P/root/2") == ["link", "P/root"])
        #expect(try scratch.rescans(after: "echo x > a/3; echo x > Q/root/3") == [])
        #expect(try scratch.rescans(after: "rm link") == [])
        #expect(scratch.watcher.takeNotices() == [.gone(link)])
    }

    @Test("a missing root is reported, and watched again when it returns")
    func root() throws {
        let scratch = try WatchedScratch("mkdir root/a")
        let root = Path("\(scratch.folder.path)/root")
        _ = try scratch.rescans()
        #expect(scratch.watcher.takeNotices() == [])
        #expect(try scratch.rescans(after: "mv root away; echo x > away/a/1") == [])
        #expect(scratch.watcher.takeNotices() == [.gone(root)])
        #expect(scratch.watcher.presentRoots == [])
        #expect(try scratch.rescans(after: "mv away root") == ["root/**"])
        #expect(scratch.watcher.takeNotices() == [.back(root)])
        #expect(try scratch.rescans(after: "echo x > root/a/2") == ["root/a"])
        #expect(
            try scratch.rescans(after: "rm -r root; mkdir root; echo x > root/3") == ["root/**"])
        #expect(try scratch.rescans(after: "echo x > root/4") == ["root"])
        _ = scratch.watcher.takeNotices()
        // The parent folder may be missing too.
        let deep = try WatchedScratch(roots: ["x/y/z"])
        #expect(deep.watcher.takeNotices() == [.missing(Path("\(deep.folder.path)/x/y/z"))])
        _ = try deep.rescans()
        #expect(try deep.rescans(after: "mkdir -p x/y/z; echo x > x/y/z/1") == ["x/y/z/**"])
        #expect(try deep.rescans(after: "echo x > x/y/z/2") == ["x/y/z"])
    }

    @Test("a mailbox file given as a root is read alone, without the files beside it")
    func mailbox() throws {
        let scratch = try WatchedScratch("mkdir spool", roots: ["spool/ada"])
        _ = try scratch.rescans()
        #expect(try scratch.rescans(after: "echo x > spool/bob; echo x > spool/ada.lock") == [])
        #expect(try scratch.rescans(after: "echo x >> spool/ada") == ["spool/ada/**"])
        #expect(
            try scratch.rescans(after: "echo x >> spool/ada; echo x >> spool/bob") == [
                "spool/ada/**"
            ])
        #expect(try scratch.rescans(after: "echo y > new; mv new spool/ada") == ["spool/ada/**"])
        #expect(try scratch.rescans(after: "rm spool/ada") == [])
        #expect(try scratch.rescans(after: "echo x >> spool/ada") == ["spool/ada/**"])
        let told = scratch.watcher.takeNotices()
        #expect(told == [.missing(Path("\(scratch.folder.path)/spool/ada"))])
        // A link to a target that does not exist at first.
        let linked = try WatchedScratch("mkdir spool; ln -s spool/ada INBOX", roots: ["INBOX"])
        _ = try linked.rescans()
        for _ in 0..<2 {
            #expect(try linked.rescans(after: "echo x >> spool/ada") == ["INBOX/**"])
        }
    }

    @Test("thousands of events leak no watches or descriptors")
    func events() throws {
        let scratch = try WatchedScratch()
        _ = try scratch.rescans()
        let change = """
            python3 -c '
            import os, shutil
            def touch(name, text): open(name, "w").write(text)
            for i in range(1000):
                os.mkdir(f"root/{i}"); touch(f"root/{i}/a", "x"); os.rename(f"root/{i}/a", f"root/{i}/b")
                os.rename(f"root/{i}", f"root/x{i}"); touch(f"root/x{i}/c", "x"); touch(f"root/x{i}/d", "")
                shutil.rmtree(f"root/x{i}")
            '
            """
        for _ in 0..<4 { _ = try scratch.rescans(after: change) }
        #expect(scratch.watcher.watchCount == 1)
        #expect(scratch.unfinished == [])
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let instances = files.filter { file in
            let link = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(file)")
            return link == "anon_inode:inotify"
        }
        #expect(instances.count == 1)
    }

    @Test("if the system's event queue overflows, everything is read")
    func overflow() throws {
        let text = try String(
            contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let limit = try #require(Int(text.filter(\.isNumber)))
        try #require(limit < 100_000, "the system keeps too many to try")
        let scratch = try WatchedScratch("mkdir root/a")
        _ = try scratch.rescans()
        let script =
            "python3 -c 'for i in range(\(limit)): open(f\"root/{i % 9}\", \"w\").write(\"x\")'"
        #expect(
            try scratch.rescans(after: script + "; mkdir root/b; echo x > root/b/1").contains(
                "everything"))
        #expect(try scratch.rescans(after: "echo x > root/b/2") == ["root/b"])
    }
}
