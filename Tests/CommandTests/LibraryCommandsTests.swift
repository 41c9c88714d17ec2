import Foundation
import PassFixtures
import Testing

@Suite("Passes can be listed, searched, exported, removed and checked")
final class LibraryCommandsTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    /// A library of two passes: number 1 is trusted, number 2 unsigned.
    init() throws {
        home = try Home()
        program = Program(home: home)
        passes = try TestPasses.make()
        let files = ["trusted.pkpass", "unsigned.pkpass"].map(passes.path)
        _ = try program.run(
            ["import", "--jobs", "1", "--accept", "unsigned"] + passes.trust + files)
    }

    deinit { home.remove() }

    @Test("list prints a line for each pass")
    func list() throws {
        let result = try program.run(["list", "--sort", "organization"])
        #expect(result.status == 0)
        #expect(
            result.lines == [
                "   1  Boarding pass  Example Air, LIS -> OPO  2030-05-01 10:00  trusted   "
                    + "pass.example.test/0001",
                "   2  Boarding pass  Example Air, LIS -> OPO  2030-05-01 10:00  unsigned  "
                    + "pass.example.test/0002",
            ])
        #expect(try program.run(["list", "--limit", "1", "--page", "2"]).lines.count == 1)
        #expect(try program.run(["list", "--limit", "1", "--page", "3"]).lines.isEmpty)
    }

    @Test("list --json prints a record for each pass")
    func listRecords() throws {
        let result = try program.run(["list", "--json", "--sort", "organization"])
        let facts = try #require(passes.facts["unsigned.pkpass"])
        let line = try #require(result.lines.last)
            .replacing(/"importedAt":"[-0-9T:]+Z"/, with: #""importedAt":"T""#)
        let golden = #"""
            {"version":1,"record":"libraryPass","id":2,"name":"pass.example.test/0002",\#
            "sha256":"\#(facts.sha256)","size":\#(facts.size),"verdict":"unsigned",\#
            "reasons":[{"code":"no-signature","detail":"there is no signature"}],"notes":[],"walletRefuses":[],\#
            "importedAt":"T","relevantDate":"2030-05-01T10:00:00Z","voided":false,\#
            "pass":{"passTypeIdentifier":"pass.example.test","serialNumber":"0002",\#
            "teamIdentifier":"TEAM123456","organizationName":"Example Air",\#
            "description":"Flight to Porto","style":"boardingPass"},\#
            "origins":[{"source":"\#(passes.path("unsigned.pkpass"))","messageID":"","from":"",\#
            "date":"","subject":"","part":""}],"automaticUpdates":true,"notifications":true}
            """#
        #expect(line == golden)
    }

    @Test("show prints everything needed to travel with the pass")
    func show() throws {
        let result = try program.run(["show", "1"])
        #expect(result.status == 0)
        let front = """
            Boarding pass  Example Air, LIS -> OPO
            Flight to Porto

              Gate  23

              Lisbon  LIS
              Porto   OPO

              Seat  12A

              Relevant  Wednesday, May 1, 2030 at 10:00 AM GMT

              QR code  M1LOVELACE/ADA
                       ABC123

              Terms
                Be there early.
                Bring the dog.

              Verdict    trusted

            """
        #expect(result.output.replacing(" UTC", with: " GMT").hasPrefix(front))
        #expect(result.output.contains("  Signed by  Pass Type ID: pass.example.test"))
        #expect(result.output.contains("  From       \(passes.path("trusted.pkpass"))\n"))
    }

    @Test("show prints the first and the last place that a pass came from, --long all of them")
    func origins() throws {
        let original = try passes.data("trusted.pkpass")
        let copies = try (1...4).map { try home.write(original, to: "copy\($0).pkpass").path }
        for copy in copies { _ = try program.run(["import", copy] + passes.trust) }
        func places(_ options: String...) throws -> [String] {
            try program.run(["show", "1"] + options).lines.drop { !$0.contains("  From  ") }
                .prefix { !$0.contains("Imported") }
                .map { $0.replacing("From", with: "").trimmingCharacters(in: .whitespaces) }
        }
        let all = [passes.path("trusted.pkpass")] + copies
        #expect(try places() == [all[0], "and 3 more", all[4]])
        #expect(try places("--long") == all)
        let record = try program.run(["show", "1", "--json"]).records.first
        #expect((record?["origins"] as? [Any])?.count == 5)
    }

    @Test("show prints labels in the reader's language", arguments: [["LANG": "de_DE.UTF-8"], [:]])
    func language(variables: [String: String]) throws {
        var program = program
        program.environment = variables
        let options = variables.isEmpty ? ["--language", "de"] : []
        let output = try program.run(["show", "1"] + options).output
        #expect(output.contains("  Flugsteig  23\n"))
        #expect(output.contains("Mittwoch, 1. Mai 2030"))
    }

    @Test(
        "a pass can be named in several ways",
        arguments: ["2", "0002", "pass.example.test/0002"])
    func names(name: String) throws {
        let record = try program.run(["show", "--json", name]).records.first
        #expect(record?["name"] as? String == "pass.example.test/0002")
        let sha256 = try #require(record?["sha256"] as? String)
        #expect(try program.run(["show", String(sha256.prefix(8))]).status == 0)
    }

    @Test("an unknown name is an error", arguments: ["show", "export", "remove"])
    func unknown(command: String) throws {
        let result = try program.run([command, "nobody"])
        #expect(result.status == 1)
        let clause = "there is no pass nobody in the library"
        let advice = "`passconduit list` shows the numbers"
        #expect(result.errors == "passconduit: \(clause) (\(advice))\n")
        #expect(result.output == "")
    }

    @Test(
        "search finds passes that contain all words, and reports when there are none",
        arguments: [
            (["porto"], 2), (["LIS", "12a"], 2), (["flugsteig"], 1), (["0002"], 1), (["xyz"], 0),
        ])
    func search(words: [String], count: Int) throws {
        let result = try program.run(["search", "--json"] + words)
        #expect(result.records.count == count)
        #expect(result.status == (count == 0 ? 1 : 0))
        #expect(try program.run(["search"] + words).lines.count == count)
    }

    @Test("export writes the original bytes and overwrites nothing without --force")
    func export() throws {
        let original = try passes.data("trusted.pkpass")
        let named = try program.run(["export", "1"])
        #expect(named.output == "0001.pkpass\n")
        #expect(try Data(contentsOf: home.folder.appendingPathComponent("0001.pkpass")) == original)

        let again = try program.run(["export", "1"])
        #expect(again.status == 2)
        #expect(
            again.errors == "passconduit: 0001.pkpass: already exists: --force overwrites it\n")
        #expect(try program.run(["export", "2", "-o", "0001.pkpass", "--force"]).status == 0)
        let forced = try Data(contentsOf: home.folder.appendingPathComponent("0001.pkpass"))
        #expect(forced == (try passes.data("unsigned.pkpass")))

        let piped = try program.shell("\"$PROGRAM\" export 1 -o - > out && sha256sum < out")
        #expect(piped.output.hasPrefix(try #require(passes.facts["trusted.pkpass"]).sha256))
        #expect(try program.run(["export", "1", "-o", "no/such/folder"]).status == 2)
    }

    @Test("remove deletes either all named passes or none")
    func remove() throws {
        #expect(try program.run(["remove", "1", "nobody"]).status == 1)
        #expect(try program.run(["list"]).lines.count == 2)
        let result = try program.run(["remove", "--yes", "1"])
        #expect(result.output == "removed  pass.example.test/0001\n")
        #expect(try program.run(["list"]).lines.count == 1)
    }

    @Test("check finds manual changes and repairs them with --mend")
    func check() throws {
        #expect(
            try program.run(["library", "check"]).output == "2 passes, 2 versions, 0 problems\n")
        let sha256 = try #require(passes.facts["unsigned.pkpass"]).sha256
        let file = home.library.appendingPathComponent(
            "passes/\(sha256.prefix(2))/\(sha256).pkpass")
        try FileManager.default.removeItem(at: file)

        let found = try program.run(["library", "check"])
        #expect(found.status == 2)
        #expect(found.output.contains("found   missing-file"))
        let record = try program.run(["library", "check", "--json"]).records.first
        #expect(record?["code"] as? String == "missing-file")
        #expect(record?["mended"] as? Bool == false)
        #expect(try program.run(["library", "check", "--mend"]).status == 0)
        #expect(try program.run(["library", "check"]).output == "1 pass, 1 version, 0 problems\n")
    }

    @Test(
        "a pass whose file is damaged is neither shown nor exported", arguments: ["show", "export"])
    func damaged(command: String) throws {
        let sha256 = try #require(passes.facts["unsigned.pkpass"]).sha256
        let file = home.library.appendingPathComponent(
            "passes/\(sha256.prefix(2))/\(sha256).pkpass")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        try Data("damaged".utf8).write(to: file)
        let result = try program.run([command, "2"])
        #expect(result.status == 2)
        #expect(result.errors.contains("was changed"))
    }

    @Test("before the first import, lists are empty, which is said and is no error")
    func first() throws {
        var program = program
        program.environment["PASSCONDUIT_LIBRARY"] = home.path("new")
        for command in [["list"], ["list", "--json"], ["downloads", "list"]] {
            let result = try program.run(command)
            #expect(result.status == 0 && result.output == "")
            #expect(result.errors.contains("`passconduit import` creates one"), "\(result.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: home.path("new")))
    }

    @Test(
        "an empty result says so on a terminal, with what to do next",
        arguments: [
            (["list"], "passconduit import"), (["downloads", "list"], "--all"),
            (["downloads", "list", "--all"], "passconduit import URL"),
            (["certificate", "list"], "passconduit certificate request"),
            (["trust", "list"], "passconduit trust add"), (["search", "x"], "passconduit import"),
        ])
    func empty(command: [String], advice: String) throws {
        _ = try program.run(["remove", "--yes", "1", "2"])
        #expect(try program.onTerminal(command).output.contains(advice))
        #expect(try program.onTerminal(command + ["--json"]).output == "")
        let piped = try program.run(command)
        #expect(piped.output == "" && piped.errors == "")
    }

    @Test("a page after the last one says how many passes there are")
    func pastTheEnd() throws {
        let result = try program.onTerminal(["list", "--limit", "5", "--page", "2"])
        #expect(result.output.contains("the library has only 2 passes"))
    }

    @Test("a search that is cut says how many passes there are")
    func cut() throws {
        let cut = try program.run(["search", "--limit", "1", "porto"])
        #expect(cut.lines.count == 1 && cut.errors == "1 of 2 shown (--limit shows more)\n")
        #expect(try program.run(["search", "--limit", "2", "porto"]).errors == "")
    }

    @Test("a file in place of the library is named, with what to do")
    func file() throws {
        try home.write(Data(), to: "file")
        let commands = [
            ["list"], ["show", "1"], ["import", passes.path("trusted.pkpass")], ["update"],
            ["update", "1"], ["update", "--off", "1"],
            ["library", "check"], ["library", "check", "--mend"],
        ]
        for command in commands {
            let result = try program.run(command + ["--library", "file"])
            #expect(result.status == 2)
            #expect(result.errors.contains("not a directory"), "\(result.errors)")
            #expect(result.errors.contains("--library and PASSCONDUIT_LIBRARY name a folder"))
        }
    }

    @Test("a missing library is reported", arguments: [["list"], ["show", "1"], ["search", "x"]])
    func noLibrary(arguments: [String]) throws {
        let result = try program.run(arguments + ["--library", "nowhere"])
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("passconduit: there is no library at "))
        #expect(!FileManager.default.fileExists(atPath: home.path("nowhere")))
    }
}
