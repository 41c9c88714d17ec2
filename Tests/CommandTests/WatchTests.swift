import Foundation
import Testing

@Suite("watch imports new passes")
struct WatchTests {
    private let watching: Watching

    init() throws {
        watching = try Watching()
        try watching.make(1...9)
        try watching.shell("mkdir -p Maildir/cur Maildir/new Maildir/tmp Downloads")
    }

    @Test("mail that arrived earlier is imported at the start, and not read again the next time")
    func missed() throws {
        try watching.shell(
            "cp mail/1 Maildir/new; cp pass/2.pkpass Downloads; cat mbox/3 mbox/4 > mbox.old; mv mbox.old Mail"
        )
        try watching.start()
        try watching.wait(forPasses: [1, 2, 3, 4])
        #expect(try watching.end() == 0)
        #expect(watching.errors == "")
        try watching.shell("cp mail/5 Maildir/new; cat mbox/6 >> Mail")
        try watching.start()
        try watching.wait(forPasses: [5, 6])
        #expect(try watching.end(by: SIGINT) == 0)
        #expect(try watching.library == [1, 2, 3, 4, 5, 6])
    }

    @Test("a folder can be given by its URL, too")
    func url() throws {
        try watching.shell("mkdir 'My Mail'; cp mail/1 'My Mail'")
        try watching.start("file://\(watching.home.path("My%20Mail"))")
        try watching.wait(forPasses: [1])
        #expect(try watching.end() == 0)
        #expect(watching.errors == "")
    }

    @Test(
        "deliveries by rename or link are imported; mail that is moved after reading is not read again"
    )
    func delivery() throws {
        try watching.start("Maildir")
        try watching.shell("cp mail/1 Maildir/tmp; mv Maildir/tmp/1 Maildir/new/1")
        try watching.wait(forPasses: [1])
        try watching.shell(
            "cp mail/2 Maildir/tmp; ln Maildir/tmp/2 Maildir/new/2; rm Maildir/tmp/2")
        try watching.wait(forPasses: [1, 2])
        try remove(1, 2)
        // The folder is read, as the third mail shows, but the removed passes are not imported
        // again.
        try watching.shell(
            "mv Maildir/new/1 Maildir/cur/1:2,S; cp mail/3 Maildir/tmp; mv Maildir/tmp/3 Maildir/new/3"
        )
        try watching.wait(forPasses: [1, 2, 3])
        try watching.shell("mv Maildir/new/2 Maildir/cur/2:2,S")
        try watching.shell("cp mail/4 Maildir/new/4")
        try watching.wait(forPasses: [1, 2, 3, 4])
        #expect(try watching.end() == 0)
        #expect(try watching.library == [3, 4])
        #expect(watching.errors == "")
    }

    @Test(
        "mail added to a mailbox is imported, whether its folder or the mailbox is watched",
        arguments: ["spool", "spool/ada"])
    func mailbox(place: String) throws {
        try watching.shell("mkdir spool")
        try watching.start(place)
        try watching.shell("cat mbox/1 >> spool/ada")
        try watching.wait(forPasses: [1])
        try remove(1)
        try watching.shell("cat mbox/2 >> spool/ada")
        try watching.wait(forPasses: [1, 2])
        #expect(try watching.library == [2])
        // Mail programs rewrite a mailbox like this: as a new file, here with the first pass.
        try watching.shell("cat spool/ada mbox/3 > spool.new; mv spool.new spool/ada")
        try watching.wait { watching.added.contains(3) }
        #expect(try watching.end() == 0)
        #expect(try watching.library == [1, 2, 3])
    }

    @Test("a download is imported when it is complete")
    func download() throws {
        try watching.start("Downloads")
        try watching.shell("cp pass/4.pkpass Downloads")
        try watching.wait(forPasses: [4])
        // Browsers create an empty file with the final name, write to another file, and rename that
        // one. The other program writes directly to the file with the final name.
        let script = """
            : > Downloads/1.pkpass
            exec 3> Downloads/1.pkpass.crdownload 4> Downloads/2.pkpass
            head -c 40 pass/1.pkpass >&3; head -c 40 pass/2.pkpass >&4; touch half
            until [ -e go ]; do sleep 0.05; done
            tail -c +41 pass/1.pkpass >&3; tail -c +41 pass/2.pkpass >&4
            exec 3>&- 4>&-
            mv Downloads/1.pkpass.crdownload Downloads/1.pkpass
            """
        let browser = try Program("/bin/sh", home: watching.home).start(["-c", script])
        try watching.wait { FileManager.default.fileExists(atPath: watching.home.path("half")) }
        // Complete files are read in the meantime, but incomplete ones are not.
        try watching.shell("cp pass/3.pkpass Downloads")
        try watching.wait(forPasses: [3, 4])
        try watching.shell("touch go")
        try watching.wait(forPasses: [1, 2, 3, 4])
        browser.waitUntilExit()
        #expect(try watching.end() == 0)
        #expect(!watching.output.contains("malformed"), "\(watching.output)")
        #expect(watching.errors == "")
    }

    @Test("new folders are read with their contents, and renamed folders are followed")
    func folders() throws {
        try watching.start("Downloads")
        try watching.shell("mkdir -p Downloads/a/b/c; cp pass/1.pkpass Downloads/a/b/c")
        try watching.wait(forPasses: [1])
        try watching.shell("mv Downloads/a Downloads/x; cp pass/2.pkpass Downloads/x/b")
        try watching.wait(forPasses: [1, 2])
        try watching.shell("mkdir -p y/z; cp pass/3.pkpass y/z; mv y Downloads")
        try watching.wait(forPasses: [1, 2, 3])
        try watching.shell("cp pass/4.pkpass Downloads/y/z; cp pass/5.pkpass Downloads/x/b/c")
        try watching.wait(forPasses: [1, 2, 3, 4, 5])
        #expect(try watching.end() == 0)
        #expect(watching.errors == "")
    }

    @Test("a folder may disappear and come back, or appear later")
    func root() throws {
        try watching.start("Downloads", "Later/mail")
        try watching.wait {
            watching.errors
                == "passconduit: Later/mail: does not exist; it will be watched once it does\n"
        }
        try watching.shell("cp pass/1.pkpass Downloads")
        try watching.wait(forPasses: [1])
        try watching.shell("mv Downloads away; cp pass/2.pkpass away")
        try watching.wait {
            watching.errors.hasSuffix(
                "\npassconduit: Downloads: is gone; it will be watched again once it is back\n")
        }
        try watching.shell("mv away Downloads")
        try watching.wait(forPasses: [1, 2])
        try watching.wait { watching.errors.hasSuffix("\npassconduit: Downloads: exists now\n") }
        try watching.shell("cp pass/3.pkpass Downloads; mkdir -p Later/mail; cp mail/4 Later/mail")
        try watching.wait(forPasses: [1, 2, 3, 4])
        #expect(try watching.end() == 0)
    }

    @Test("the library is ignored inside a watched folder")
    func library() throws {
        try watching.start(".")
        try watching.wait { watching.added.count == 9 }
        // The next mail is read after the initial scan, during which the same pass may be found in
        // further files.
        try watching.make(10...10)
        try watching.wait { watching.added.contains(10) }
        try remove(1)
        try watching.make(11...11)
        try watching.wait { watching.added.contains(11) }
        #expect(try watching.end() == 0)
        #expect(!watching.output.contains(".local/share/passconduit"))
        #expect(try watching.library == Array(2...11))
    }

    @Test("each problem is reported once")
    func problems() throws {
        try watching.shell(
            "cd Downloads; printf 'PK\\003\\004' > bad.pkpass; ln -s circle circle; ln -s . folder")
        try watching.start("Downloads")
        try watching.wait {
            watching.output.contains("malformed") && watching.errors.contains("circle")
                && watching.errors.contains("1 symbolic link not followed")
        }
        try watching.shell("cp pass/1.pkpass Downloads")
        try watching.wait { watching.added == [1] }
        try watching.shell("cp pass/2.pkpass Downloads")
        try watching.wait { watching.added == [1, 2] }
        #expect(try watching.end() == 0)
        #expect(watching.output.split(separator: "malformed").count == 2)
        #expect(watching.errors.split(separator: "circle").count == 2)
        #expect(watching.errors.split(separator: "not followed").count == 2)
    }

    @Test("a usage error is reported at once")
    func usage() throws {
        try watching.shell("rm -r Maildir Downloads; mkdir -p .local/share/passconduit")
        let nothing = try watching.program.run(["watch"])
        #expect(nothing.status == 64)
        #expect(
            nothing.errors
                == "passconduit: found neither mail nor a folder of downloads: name what to watch\n"
        )
        let library = try watching.program.run(["watch", ".local/share/passconduit/"])
        #expect(library.status == 64)
        #expect(library.errors.hasSuffix(" is the library itself\n"))
    }

    private func remove(_ serials: Int...) throws {
        for serial in serials {
            let result = try watching.program.run(["remove", "pass.com.example.ticket/\(serial)"])
            #expect(result.status == 0, "\(result.errors)")
        }
    }
}

extension Watching {
    func wait(_ location: SourceLocation = #_sourceLocation, until isSo: () -> Bool) throws {
        try wait(for: "sign", location, until: isSo)
    }
}
