import Foundation
import PassFixtures
import Testing

@Suite("import stores trusted passes, and others only if the user accepts them")
final class ImportTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home()
        program = Program(home: home)
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    private func outcomes(_ arguments: [String]) throws -> [String] {
        try program.run(["import", "--json"] + passes.trust + arguments).records
            .compactMap { $0["import"] as? String }
    }

    private var names: [String] {
        get throws {
            try program.run(["list", "--json"]).records.compactMap { $0["name"] as? String }
                .sorted()
        }
    }

    @Test(
        "a new pass is added, then unchanged; a newer version updates it, an older one joins its history"
    )
    func outcomes() throws {
        let (old, new) = (passes.path("trusted.pkpass"), passes.path("newer.pkpass"))
        #expect(try outcomes([old]) == ["added"])
        #expect(try outcomes([old]) == ["unchanged"])
        // Both may have been signed within the same second. Then the later arrival is newer.
        #expect(try outcomes([new]) == ["updated"])
        #expect(try outcomes([old, new]) == ["unchanged", "unchanged"])
        let shown = try program.run(["show", "1", "--history", "--json"]).records.first
        #expect((shown?["versions"] as? [Any])?.count == 2)
    }

    @Test("export gives the file of the issuer, whichever copy of it was imported first")
    func copies() throws {
        let file = passes.path("trusted.pkpass")
        let made = try program.shell(
            """
            python3 -c 'import sys, zipfile
            clean = zipfile.ZipFile(sys.argv[1])
            with zipfile.ZipFile("folder.pkpass", "w") as odd:
                for name in clean.namelist(): odd.writestr("Trip/" + name, clean.read(name))
            with open("padded.pkpass", "wb") as odd:
                odd.write(b"junk" + open(sys.argv[1], "rb").read() + b"footer")
            ' '\(file)'
            """)
        try #require(made.status == 0, "\(made.errors)")
        for (order, expected) in [
            (["folder.pkpass", file], ["added", "unchanged"]),
            ([file, "folder.pkpass"], ["added", "unchanged"]),
            (["padded.pkpass", "folder.pkpass", file], ["added", "unchanged", "unchanged"]),
        ] {
            let found = try order.flatMap { try outcomes([$0]) }
            #expect(found == expected)
            let exported = try program.shell(
                """
                "$PROGRAM" export -o - 1 | sha256sum; sha256sum < '\(file)'; rm -r .local
                """)
            #expect(exported.lines.count == 2 && Set(exported.lines).count == 1, "\(exported)")
        }
    }

    @Test("importing again without the authority takes no trust away")
    func withoutAuthority() throws {
        let (old, new) = (passes.path("trusted.pkpass"), passes.path("newer.pkpass"))
        #expect(try outcomes([old]) == ["added"])
        let again = try program.run(["import", "--json", "--accept", "untrusted", old, new])
        #expect(again.records.compactMap { $0["import"] as? String } == ["unchanged", "older"])
        let listed = try program.run(["list", "--json"]).records.first
        #expect(listed?["verdict"] as? String == "trusted")
    }

    @Test(
        "an untrusted pass is refused unless its verdict is accepted",
        arguments: [
            ([], ["refused", "refused", "refused", "refused"]),
            (["--accept", "unsigned"], ["refused", "refused", "refused", "added"]),
            (["--accept", "untrusted"], ["refused", "refused", "added", "refused"]),
            (
                ["--accept", "untrusted", "--accept", "unsigned"],
                ["refused", "refused", "added", "added"]
            ),
        ])
    func policy(options: [String], outcomes: [String]) throws {
        let files = ["html.pkpass", "tampered.pkpass", "untrusted.pkpass", "unsigned.pkpass"]
        #expect(try self.outcomes(options + files.map(passes.path)) == outcomes)
        let listed = try program.run(["list"])
        for accepted in options where accepted != "--accept" {
            #expect(listed.output.contains("  \(accepted)  "))
        }
    }

    @Test(
        "tampered and malformed passes are never accepted, and the reason is given",
        arguments: [("tampered", "not what its issuer signed"), ("malformed", "cannot be read")])
    func never(verdict: String, why: String) throws {
        let result = try program.run(["import", "--accept", verdict, passes.folder.path])
        #expect(result.status == 64)
        #expect(result.errors.contains(why))
        #expect(!FileManager.default.fileExists(atPath: home.library.path))
    }

    @Test("one line reports the result for each pass")
    func lines() throws {
        let result = try program.run(["import"] + passes.trust + [passes.path("mail.mbox")])
        #expect(result.status == 0)
        #expect(
            result.lines.map { $0.prefix(20) } == ["refused    unsigned ", "added      trusted  "])
    }

    @Test(
        "the exit code is 3 if a pass that the command line names is refused",
        arguments: [
            (["untrusted.pkpass"], 3), (["unsigned.pkpass"], 3), (["tampered.pkpass"], 3),
            (["html.pkpass"], 3), (["trusted.pkpass", "unsigned.pkpass"], 3),
            (["two.pkpasses"], 3), (["encoded.b64"], 3),
            (["--accept", "unsigned", "unsigned.pkpass"], 0),
            (["--tolerate-problems", "html.pkpass"], 0), (["trusted.pkpass"], 0),
            (["html.pkpass", "nowhere"], 2), (["folder"], 0), (["incomplete.pkpass/"], 3),
            (["mail.mbox"], 0), (["-"], 0),
        ] as [([String], Int32)])
    func refused(words: [String], status: Int32) throws {
        for folder in ["", "folder/"] {
            for name in ["trusted", "untrusted", "unsigned", "tampered", "html"] {
                try home.write(passes.data("\(name).pkpass"), to: "\(folder)\(name).pkpass")
            }
        }
        try home.write(passes.data("mail.mbox"), to: "mail.mbox")
        try home.write(Data("{}".utf8), to: "incomplete.pkpass/pass.json")
        let bundled = try program.shell(
            """
            python3 -c 'import zipfile
            with zipfile.ZipFile("two.pkpasses", "w") as bundle:
                for name in ["trusted.pkpass", "untrusted.pkpass"]: bundle.write(name)'
            """)
        try #require(bundled.status == 0, "\(bundled.errors)")
        try home.write(passes.data("tampered.pkpass").base64EncodedData(), to: "encoded.b64")
        let input = try words == ["-"] ? passes.data("unsigned.pkpass") : Data()
        let arguments = ["import"] + passes.trust + words
        #expect(try program.run(arguments, input: input).status == status)
        // Refused passes are not forgotten.
        #expect(try program.run(arguments, input: input).status == status)
    }

    @Test("show takes a pass file, and the folder of an unpacked pass")
    func shown() throws {
        try home.write(passes.data("trusted.pkpass"), to: "ticket.pkpass")
        try program.shellDone("python3 -m zipfile -e ticket.pkpass unpacked/a.pkpass")
        for name in ["ticket.pkpass", "unpacked/a.pkpass", "unpacked/a.pkpass/"] {
            let shown = try program.run(["show", name] + passes.trust)
            #expect(shown.status == 0, "\(shown.errors)")
            #expect(shown.output.contains("trusted"))
            let record = try program.run(["show", "--json", name] + passes.trust).records.first
            #expect(record?["verdict"] as? String == "trusted")
        }
        #expect(try program.run(["show", passes.path("html.pkpass")]).status == 3)
    }

    @Test("a list of names is no command line")
    func listed() throws {
        let url = URL(fileURLWithPath: passes.path("unsigned.pkpass")).absoluteString
        #expect(try program.run(["import", url]).status == 3)
        #expect(try program.run(["import", "-"], input: Data("\(url)\n".utf8)).status == 0)
    }

    @Test("having nothing to import is not an error, but an unreadable input is")
    func exitCodes() throws {
        #expect(try program.run(["import", passes.path("nothing")]).status == 0)
        #expect(try program.run(["import", "nowhere"]).status == 2)
    }

    @Test("an unreadable part is reported, and fails the run unless tolerated")
    func problems() throws {
        let type = "message/partial; id=x; number=1; total=2"
        let piece = "From: a@example.org\nContent-Type: \(type)\n\nx\n"
        for (options, status) in [([], 2), (["--tolerate-problems"], 0)] as [([String], Int32)] {
            let result = try program.run(["import"] + options + ["-"], input: Data(piece.utf8))
            #expect(result.status == status)
            #expect(result.errors.contains("in 2 fragments, and only these arrived: 1"))
        }
        let nowhere = ["import", "--tolerate-problems", "--library", "/dev/null/library"]
        #expect(try program.run(nowhere + [passes.path("nothing")]).status == 2)
        // The library is opened only if there is a pass to store.
        for (name, status) in [("trusted.pkpass", 2), ("unsigned.pkpass", 0)] as [(String, Int32)] {
            let arguments = nowhere + passes.trust + ["-"]
            #expect(try program.run(arguments, input: passes.data(name)).status == status)
        }
    }

    @Test("the option or the variables set the library's location", arguments: 0..<4)
    func place(row: Int) throws {
        let rows: [(variables: [String: String], options: [String], folder: String)] = [
            ([:], [], ".local/share/passconduit"),
            (["XDG_DATA_HOME": home.path("data")], [], "data/passconduit"),
            (["PASSCONDUIT_LIBRARY": home.path("mine")], [], "mine"),
            (["PASSCONDUIT_LIBRARY": home.path("mine")], ["--library", "other"], "other"),
        ]
        var program = program
        program.environment = rows[row].variables
        let arguments = ["import", passes.path("trusted.pkpass")] + passes.trust
        #expect(try program.run(arguments + rows[row].options).status == 0)
        #expect(
            FileManager.default.fileExists(atPath: home.path(rows[row].folder + "/library.sqlite")))
        #expect(try program.run(["list"] + rows[row].options).lines.count == 1)
    }

    @Test("if the library cannot be created, the run fails and reports nothing as imported")
    func noLibrary() throws {
        let result = try program.run(
            ["import", "--library", "/dev/null/library", passes.path("trusted.pkpass")]
                + passes.trust)
        #expect(result.status == 2)
        #expect(result.output == "")
        #expect(result.errors.hasPrefix("passconduit: "))
    }

    @Test("the mail is stored as the origin of its passes")
    func origin() throws {
        _ = try program.run(["import"] + passes.trust + [passes.path("mail.mbox")])
        let shown = try program.run(["show", "1", "--json"]).records.first
        let origin = try #require((shown?["origins"] as? [[String: Any]])?.first)
        #expect(origin["source"] as? String == passes.path("mail.mbox"))
        #expect(origin["from"] as? String == "Ada <ada@example.org>")
        #expect(origin["date"] as? String == "2024-05-01T10:02:00Z")
        #expect(origin["subject"] as? String == "Trip 2")
        #expect(origin["part"] as? String == "2")
        #expect(try names == ["pass.example.test/0001"])
    }
}
