import Foundation
import PassFixtures
import Testing

@Suite("scan finds passes, prints their verdicts and changes nothing")
final class ScanTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home()
        program = Program(home: home)
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    @Test("one line per pass with its location, and reasons for an untrusted one")
    func lines() throws {
        let result = try program.run(["scan"] + passes.trust + [passes.path("mail.mbox")])
        let mbox = passes.path("mail.mbox")
        #expect(
            result.lines == [
                "unsigned   Boarding pass  Example Air, LIS -> OPO  pass.example.test/0002  "
                    + "\(mbox), message 2, part 2 - there is no signature",
                "trusted    Boarding pass  Example Air, LIS -> OPO  pass.example.test/0001  "
                    + "\(mbox), message 3, part 2",
            ])
        #expect(result.errors == "")
        #expect(result.status == 0)
        #expect(!FileManager.default.fileExists(atPath: home.library.path))
    }

    @Test("unreadable files beyond the first twenty are counted, and listed with --verbose")
    func manyUnreadable() throws {
        try FileManager.default.createDirectory(
            atPath: home.path("mail"), withIntermediateDirectories: true)
        for number in 10..<33 {
            try FileManager.default.createSymbolicLink(
                atPath: home.path("mail/\(number)"), withDestinationPath: "nowhere")
        }
        for options in [[], ["-v"], ["--verbose"]] {
            let isCut = options.isEmpty
            let scan = try program.run(["scan", "--json", "mail"] + options)
            #expect(scan.status == 2)
            let codes = scan.records.compactMap { $0["code"] as? String }
            #expect(codes.count == (isCut ? 21 : 23))
            let counts = scan.records.compactMap { $0["count"] as? Int }
            #expect(counts == (isCut ? [3] : []))
            #expect(codes.last == (isCut ? "more-unreadable" : "dangling-link"))
            #expect(scan.records.last?["problems"] as? Int == 23)
            let more = "passconduit: 3 more files could not be read (--verbose lists them all)"
            #expect(scan.errors.contains(more) == isCut)
        }
    }

    @Test("records in the documented form, the summary last")
    func records() throws {
        let result = try program.run(["scan", "--json", passes.path("mail.mbox")])
        let facts = try #require(passes.facts["unsigned.pkpass"])
        let offset = try #require(passes.facts["second message"]?.size)
        let golden = #"""
            {"version":1,"record":"pass","source":"\#(passes.path("mail.mbox"))","message":\#
            {"index":1,"offset":\#(offset),"messageID":"1@example.org",\#
            "from":"Ada <ada@example.org>","date":"Wed, 1 May 2024 10:01:00 +0000",\#
            "subject":"Trip 1"},"part":"2","name":"unsigned.pkpass",\#
            "mediaType":"application/vnd.apple.pkpass","evidence":["extension","mime","content"],\#
            "size":\#(facts.size),"sha256":"\#(facts.sha256)","verdict":"unsigned",\#
            "reasons":[{"code":"no-signature","detail":"there is no signature"}],"notes":[],"walletRefuses":[],\#
            "pass":{"passTypeIdentifier":"pass.example.test","serialNumber":"0002",\#
            "teamIdentifier":"TEAM123456","organizationName":"Example Air",\#
            "description":"Flight to Porto","style":"boardingPass"}}
            """#
        #expect(result.lines.first == golden)
        let size = try #require(passes.facts["mail.mbox"]?.size)
        let summary = try #require(result.lines.last).replacing(/[0-9.]+}$/, with: "T}")
        let goldenSummary = #"""
            {"version":1,"record":"summary","sources":1,"messages":3,"parts":5,"bytes":\#(size),\#
            "candidates":2,"trusted":0,"untrusted":1,"unsigned":1,"tampered":0,"malformed":0,\#
            "problems":0,"seconds":T}
            """#
        #expect(summary == goldenSummary)
        #expect(result.lines.count == 3)
    }

    @Test(
        "every verdict with its reason",
        arguments: [
            ("trusted.pkpass", "trusted", ""),
            ("untrusted.pkpass", "untrusted", "chain"),
            ("unsigned.pkpass", "unsigned", "no signature"),
            ("tampered.pkpass", "tampered", "icon.png"),
            ("html.pkpass", "malformed", "not a ZIP archive (it looks like text/html)"),
            ("empty.pkpass", "malformed", "not a ZIP archive"),
            ("five.pkpass", "malformed", "the archive is cut off"),
            ("climbing.pkpass", "malformed", "../climbed.txt"),
            ("bomb.pkpass", "malformed", "icon.png"),
        ])
    func verdicts(file: String, verdict: String, reason: String) throws {
        let result = try program.run(["scan"] + passes.trust + [passes.path(file)])
        #expect(result.status == 0)
        #expect(result.lines.count == 1)
        #expect(result.output.hasPrefix(verdict + " "))
        if reason.isEmpty {
            #expect(!result.output.contains(" - "))
        } else if reason != "chain" {
            #expect(result.output.contains(reason))
        }
        let climbed = passes.folder.deletingLastPathComponent().appendingPathComponent(
            "climbed.txt")
        #expect(!FileManager.default.fileExists(atPath: climbed.path))
    }

    @Test("each member of a bundle is a separate pass")
    func bundle() throws {
        let result = try program.run(["scan", "--json", passes.path("bundle.pkpasses")])
        #expect(result.records.compactMap { $0["part"] as? String } == ["!a.pkpass", "!b.pkpass"])
        #expect(result.records.last?["candidates"] as? Int == 2)
    }

    @Test(
        "a mailbox of any form gives the same result from standard input as from a file",
        arguments: [
            "mmdf", "babyl", "smtp-session", "emlx-too-short.emlx", "compressed.emlx.gz",
            "utf-8-mark.mbox", "blank-lines.mbox", "utf-16.eml", "beginning-lost-long-ago.mbox",
        ])
    func forms(name: String) throws {
        let file = Program.package.appendingPathComponent("Samples/mailbox/\(name)")
        try #require(FileManager.default.fileExists(atPath: file.path))
        let named = try program.run(["scan", "--json", file.path])
        let piped = try program.run(["scan", "--json", "-"], input: try Data(contentsOf: file))
        let places = [named, piped].map { result in
            result.records.filter { $0["record"] as? String == "pass" }.map { record in
                let message = record["message"] as? [String: Any] ?? [:]
                let keys = ["index", "offset", "messageID"].map { "\(message[$0] ?? "")" }
                return keys + [record["part"], record["sha256"]].map { $0 as? String ?? "" }
            }
        }
        #expect(!places[0].isEmpty)
        #expect(places[0] == places[1])
    }

    @Test("standard input is a source like any other", arguments: ["mail.mbox", "trusted.pkpass"])
    func standardInput(file: String) throws {
        let result = try program.run(["scan", "-"], input: try passes.data(file))
        #expect(result.status == 0)
        #expect(result.output.contains("standard input"))
        let piped = try program.shell("cat '\(passes.path(file))' | \"$PROGRAM\" scan --json -")
        #expect(piped.records.first?["source"] as? String == "-")
    }

    @Test("if nothing is found, the exit code is 1", arguments: ["no-passes.mbox", "nothing"])
    func nothingFound(source: String) throws {
        let result = try program.run(["scan", passes.path(source)])
        #expect(result.status == 1)
        #expect(result.output == "")
        #expect(result.errors.hasPrefix("passconduit: no passes in "))
        let forPrograms = try program.run(["scan", "--json", passes.path(source)])
        #expect(forPrograms.errors == "")
    }

    @Test("an unreadable file is reported, the rest is read, and the exit code is 2")
    func unreadable() throws {
        let result = try program.run(["scan", "nowhere.mbox", passes.path("trusted.pkpass")])
        #expect(result.status == 2)
        #expect(result.lines.count == 1)
        #expect(result.errors.hasPrefix("passconduit: nowhere.mbox: "))
        #expect(result.errors.contains("no such file or directory"))
        #expect(!result.errors.hasSuffix(".\n"))

        let alone = try program.run(["scan", "--json", "nowhere.mbox"])
        #expect(alone.status == 2)
        #expect(alone.records.first?["record"] as? String == "problem")
        #expect(alone.records.first?["message"] == nil)
    }

    @Test("a truncated mailbox yields its complete passes")
    func truncated() throws {
        let result = try program.run(["scan", "--json", passes.path("truncated.mbox")])
        #expect(result.records.first?["verdict"] as? String == "unsigned")
        #expect([0, 2].contains(result.status))
    }

    @Test("text of passes is escaped in lines and left unchanged in records")
    func escaping() throws {
        let line = try program.run(["scan", passes.path("steering.pkpass")]).output
        #expect(line.contains(#"\u{1B}[31mred\u{202E}\u{9B}"#))
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        let record = try program.run(["scan", "--json", passes.path("steering.pkpass")])
        let pass = try #require(record.records.first?["pass"] as? [String: Any])
        #expect(pass["organizationName"] as? String == "\u{1B}[31mred\u{202E}\u{9B}")
        #expect(record.output.contains(#"\u001b[31mred"# + "\u{202E}\u{9B}"))
    }

    @Test("a path need not be UTF-8")
    func bytes() throws {
        let result = try program.shell(
            """
            cp '\(passes.path("unsigned.pkpass"))' "$(printf 'caf\\351.pkpass')"
            "$PROGRAM" scan . && "$PROGRAM" scan "$(printf 'caf\\351.pkpass')"
            """)
        #expect(result.status == 0)
        #expect(result.lines.count == 2)
        #expect(result.lines.allSatisfy { $0.contains("caf\u{FFFD}.pkpass") })
    }

    @Test("pass types that an app declares count as passes")
    func types() throws {
        let voucher = passes.path("html.voucher")
        #expect(try program.run(["scan", voucher]).status == 1)
        let result = try program.run(["scan", "--types", passes.path("types.plist"), voucher])
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("malformed "))
    }

    @Test("the number of workers does not change the result")
    func jobs() throws {
        let runs = try ["1", "2", "7"].map {
            try program.run(["scan", "--jobs", $0, passes.folder.path]).lines
        }
        #expect(runs[0] == runs[1])
        #expect(runs[0] == runs[2])
    }

    @Test("the program exits quietly if the pipe is closed", arguments: ["", "--json"])
    func brokenPipe(option: String) throws {
        let folder = passes.folder.path
        let result = try program.shell(
            "{ \"$PROGRAM\" scan \(option) '\(folder)' '\(folder)'; echo $? >&2; } | head -1")
        #expect(result.lines.count == 1)
        #expect(result.errors == "0\n")
    }

    @Test("results that cannot be written are an error")
    func fullDisk() throws {
        let file = passes.path("trusted.pkpass")
        let result = try program.shell("\"$PROGRAM\" scan '\(file)' > /dev/full")
        #expect(result.status == 2)
        #expect(
            result.errors == "passconduit: standard output: cannot write: no space left on device\n"
        )
    }
}
