import Foundation
import PassFixtures
import Testing

@Suite("The user limits whom to trust, and sees which passes nobody vouches for any more")
final class TrustTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home(named: "trust")
        program = Program(home: home)
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    private func add(_ types: String...) throws -> Program.Result {
        let options = types.flatMap { ["--for", $0] }
        return try program.run(["trust", "add", passes.path("authority.pem")] + options)
    }

    private func remove() throws -> Program.Result {
        let file = try program.run(["trust", "list", "--json"]).records.first?["file"]
        return try program.run(["trust", "remove", try #require(file as? String)])
    }

    private var standing: String {
        get throws {
            let columns = try program.run(["list"]).output.split(separator: "  ")
            return columns.first { $0.hasPrefix("trusted") }.map(String.init) ?? ""
        }
    }

    private func vouchedFor(_ options: String...) throws -> Bool? {
        try program.run(["list", "--json"] + options).records.first?["vouchedFor"] as? Bool
    }

    @Test("trust add --for limits an authority to pass types")
    func limited() throws {
        let file = passes.path("trusted.pkpass")
        let added = try add("pass.org.example", "pass.com.example.*")
        #expect(added.status == 0)
        #expect(added.output.hasSuffix("  only for pass.org.example, pass.com.example.*\n"))
        #expect(try program.run(["trust", "list"]).output == added.output)
        let record = try program.run(["trust", "list", "--json"]).records.first
        #expect(record?["passTypes"] as? [String] == ["pass.org.example", "pass.com.example.*"])

        let verified = try program.run(["verify", file])
        #expect(verified.status == 3)
        #expect(verified.output.contains("[anchor-not-for-pass-type]"))
        #expect(
            verified.output.contains("which you do not trust for the pass type 'pass.example.test'")
        )
        #expect(try program.run(["verify", file] + passes.trust).status == 0)

        #expect(try add("pass.example.*").status == 0)
        #expect(try program.run(["verify", file]).status == 0)
        #expect(try !add().output.contains("only for"))
        #expect(try program.run(["trust", "list", "--json"]).records.first?["passTypes"] == nil)
    }

    @Test("senseless patterns are refused", arguments: ["", "*", "pass.*", "com.a.*", "pass.*.a"])
    func refused(pattern: String) throws {
        let result = try add(pattern)
        #expect(result.status == 64)
        #expect(
            result.errors.hasPrefix("passconduit: the value '\(pattern)' is invalid for '--for "))
        #expect(try program.run(["trust", "list"]).output == "")
    }

    @Test("after trust remove, passes are marked until the authority is added again")
    func removed() throws {
        _ = try add()
        _ = try program.run(["import", passes.path("trusted.pkpass")])
        #expect(try standing == "trusted")
        #expect(try vouchedFor() == true)

        let removed = try remove()
        #expect(removed.status == 0)
        #expect(removed.output.hasPrefix("removed  "))
        #expect(
            removed.errors == "passconduit: 1 pass in the library is no longer vouched for\n")
        #expect(try standing == "trusted, no longer vouched for")
        #expect(try vouchedFor() == false)
        let record = try #require(try program.run(["list", "--json"]).records.first)
        #expect(record["verdict"] as? String == "trusted")
        #expect((record["anchor"] as? [String: String])?["origin"] == "own")
        #expect(try vouchedFor("--trust-root", passes.path("authority.pem")) == true)
        #expect(try program.run(["search", "porto"]).output.contains("no longer vouched for"))
        for options in [[], ["--card"]] {
            let shown = try program.run(["show", "1"] + options).output
            #expect(shown.contains("  Verdict    trusted, no longer vouched for\n"))
        }
        #expect(
            try program.run(["show", "1", "--json"]).records.first?["vouchedFor"] as? Bool == false)

        #expect(try add("pass.example.test").errors == "")
        #expect(try standing == "trusted")
        #expect(
            try add("pass.example.other").errors
                == "passconduit: 1 pass in the library is no longer vouched for\n")
        #expect(try vouchedFor() == false)
        #expect(try add().errors == "")
        #expect(try vouchedFor() == true)
    }

    @Test("an authority given for one import is not missed, but one that was kept since then is")
    func given() throws {
        let authority = ["--trust-root", passes.path("authority.pem")]
        _ = try program.run(["import", passes.path("trusted.pkpass")] + authority)
        #expect(try standing == "trusted")
        #expect(try vouchedFor() == nil)
        #expect(try vouchedFor(authority[0], authority[1]) == true)
        let record = try #require(try program.run(["list", "--json"]).records.first)
        #expect((record["anchor"] as? [String: String])?["origin"] == "given")
        let shown = try program.run(["show", "1"]).output
        #expect(shown.contains("  Verdict    trusted\n  Today      untrusted - "))

        #expect(try add().errors == "")
        #expect(try vouchedFor() == true)
        #expect(
            try remove().errors == "passconduit: 1 pass in the library is no longer vouched for\n")
        _ = try program.run(["import", "--all", passes.path("trusted.pkpass")] + authority)
        #expect(try standing == "trusted, no longer vouched for")
    }

    @Test("an authority given for one import is not missed if it is kept for other pass types")
    func givenBeside() throws {
        _ = try add("pass.example.other")
        let authority = ["--trust-root", passes.path("authority.pem")]
        _ = try program.run(["import", passes.path("trusted.pkpass")] + authority)
        #expect(try standing == "trusted")
        #expect(try vouchedFor() == nil)
    }

    @Test("a change is recorded although another one failed")
    func partly() throws {
        _ = try add()
        _ = try program.run(["import", passes.path("trusted.pkpass")])
        let file = try #require(
            try program.run(["trust", "list", "--json"]).records.first?["file"] as? String)
        let result = try program.run(["trust", "remove", file, "nowhere"])
        #expect(result.status == 1)
        #expect(
            result.errors.hasPrefix("passconduit: 1 pass in the library is no longer vouched for\n")
        )
    }

    @Test("a certificate file that is deleted by hand counts as removed")
    func deleted() throws {
        _ = try add("pass.example.*")
        _ = try program.run(["import", passes.path("trusted.pkpass")])
        let folder = home.path(".config/passconduit/trust")
        for file in try FileManager.default.contentsOfDirectory(atPath: folder)
        where file.hasSuffix(".for") {
            try Data("pass.other\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(file)"))
        }
        #expect(try vouchedFor() == false)
        try FileManager.default.removeItem(atPath: folder)
        #expect(try vouchedFor() == false)
    }

    @Test("passes stored before the library recorded authorities are found, too")
    func unknown() throws {
        _ = try add()
        _ = try program.run(["import", passes.path("trusted.pkpass")])
        let python = Program("/usr/bin/python3", home: home)
        let script = """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1]) as index:
                index.execute("UPDATE versions SET anchor = NULL, anchorOrigin = NULL")
            """
        let index = home.library.appendingPathComponent("library.sqlite").path
        #expect(try python.run(["-c", script, index]).status == 0)
        #expect(try vouchedFor() == nil)
        #expect(try standing == "trusted")
        #expect(try remove().errors.hasPrefix("passconduit: 1 pass in the library"))
        #expect(try vouchedFor() == false)
    }

    @Test("without a library, the trust folder is changed nevertheless")
    func noLibrary() throws {
        #expect(try add().errors == "")
        #expect(try remove().errors == "")
        #expect(!FileManager.default.fileExists(atPath: home.library.path))
    }
}
