import Foundation
import PassFixtures
import Testing

@Suite("verify explains a verdict")
final class VerifyTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home()
        program = Program(home: home)
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    @Test(
        "the exit code is 0 only if all passes are trusted",
        arguments: [
            (["trusted.pkpass"], 0, "trusted"),
            (["untrusted.pkpass"], 3, "untrusted"),
            (["unsigned.pkpass"], 3, "unsigned"),
            (["tampered.pkpass"], 3, "tampered"),
            (["html.pkpass"], 3, "malformed"),
            (["empty.pkpass"], 3, "malformed"),
            (["five.pkpass"], 3, "malformed"),
            (["bomb.pkpass"], 3, "malformed"),
            (["climbing.pkpass"], 3, "malformed"),
            (["types.plist"], 3, "malformed"),
            (["trusted.pkpass", "unsigned.pkpass"], 3, "trusted"),
            (["trusted.pkpass", "nowhere.pkpass"], 2, "trusted"),
            (["unsigned.pkpass", "nowhere.pkpass"], 2, "unsigned"),
            (["nothing"], 2, ""),
        ] as [([String], Int32, String)])
    func exitCode(files: [String], status: Int32, verdict: String) throws {
        let result = try program.run(["verify"] + passes.trust + files.map(passes.path))
        #expect(result.status == status)
        #expect(result.errors.isEmpty == (status != 2))
        if !verdict.isEmpty {
            #expect(result.lines.first == "\(passes.path(files[0])): \(verdict)")
            #expect(result.output.contains("verdict"))
        }
    }

    @Test("--wallet also fails for a trusted pass that Wallet refuses")
    func wallet() throws {
        let samples = Sample.folder.appendingPathComponent("passes")
        let trust = ["--trust-root", Sample.root.path]
        let good = samples.appendingPathComponent("trusted/generic-gym.pkpass").path
        let bare = samples.appendingPathComponent("tolerated/no-icon.pkpass").path
        #expect(try program.run(["verify", "--wallet", good] + trust).status == 0)
        #expect(try program.run(["verify", bare] + trust).status == 0)
        let refused = try program.run(["verify", "--wallet", bare, good] + trust)
        #expect(refused.status == 3)
        let reason = "Pass does not contain icon.png, icon@2x.png or icon@3x.png"
        let lines = refused.lines.filter { $0.contains("Wallet would refuse this pass") }
        #expect(lines == ["  note       Wallet would refuse this pass: \(reason)"])
        let records = try program.run(["verify", "--json", bare, good] + trust).records
        #expect(records.map { $0["walletRefuses"] as? [String] } == [["missing-icon"], []])
    }

    @Test("each check is listed, passed or failed, with its explanation")
    func checks() throws {
        let trusted = try program.run(["verify"] + passes.trust + [passes.path("trusted.pkpass")])
        #expect(!trusted.output.contains("failed"))
        #expect(trusted.output.contains("  signed by  Pass Type ID: pass.example.test"))
        let tampered = try program.run(["verify"] + passes.trust + [passes.path("tampered.pkpass")])
        #expect(tampered.lines.contains { $0.hasPrefix("  failed") && $0.contains("icon.png") })
        #expect(tampered.lines.contains { $0.hasPrefix("  passed") && $0.contains("archive") })
    }

    @Test("the user can trust an authority once or permanently")
    func trust() throws {
        let file = passes.path("trusted.pkpass")
        #expect(try program.run(["verify", file]).status == 3)
        #expect(try program.run(["trust", "list"]).output == "")
        let added = try program.run(["trust", "add", passes.path("authority.pem")])
        #expect(added.status == 0)
        #expect(added.output.contains("Sample Root"))
        #expect(try program.run(["verify", file]).status == 0)

        let listed = try program.run(["trust", "list", "--json"]).records
        #expect(listed.map { $0["record"] as? String } == ["authority"])
        let name = try #require(listed.first?["file"] as? String)
        #expect(try program.run(["trust", "remove", name]).status == 0)
        #expect(try program.run(["verify", file]).status == 3)
        #expect(try program.run(["trust", "remove", name]).status == 1)
    }

    @Test(
        "a file that is not a certificate is not trusted",
        arguments: ["html.pkpass", "nowhere.pem"])
    func noCertificate(file: String) throws {
        let result = try program.run(["trust", "add", passes.path(file)])
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("passconduit: \(passes.path(file)): "))
        let once = ["--trust-root", passes.path(file), passes.path("trusted.pkpass")]
        #expect(try program.run(["verify"] + once).status == 2)
    }

    @Test(
        "a pass can be verified at another time",
        arguments: [("2001-01-01", 3), ("2001-01-01T10:00:00Z", 3)])
    func at(date: String, status: Int32) throws {
        let arguments = ["verify", "--at", date, passes.path("trusted.pkpass")]
        #expect(try program.run(arguments + passes.trust).status == status)
    }

    @Test("the records are those of scan")
    func records() throws {
        for file in ["trusted.pkpass", "unsigned.pkpass", "bundle.pkpasses"].map(passes.path) {
            let scanned = try program.run(["scan", "--json", file]).lines.dropLast()
            #expect(try program.run(["verify", "--json", file]).lines == Array(scanned))
        }
    }

    @Test(
        "a pass on standard input is explained like a file",
        arguments: [("trusted.pkpass", 0, 1), ("bundle.pkpasses", 3, 2), ("types.plist", 3, 1)]
            as [(String, Int32, Int)])
    func standardInput(file: String, status: Int32, count: Int) throws {
        let trust = passes.trust.map { "'\($0)'" }.joined(separator: " ")
        let result = try program.shell(
            "cat '\(passes.path(file))' | \"$PROGRAM\" verify --json \(trust) -")
        #expect(result.status == status)
        #expect(result.records.count == count)
    }
}
