import Foundation
import PassFixtures
import Testing

@Suite("The changes in a new version of a pass are reported in the issuer's words")
final class ChangesTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    private static let samples = Program.package.appendingPathComponent("Samples").path
    private let gates = [4, 7].map {
        "\(ChangesTests.samples)/passes/trusted/boarding-pass-air-gate-\($0).pkpass"
    }
    private let sampleTrust = ["--trust-root", "\(ChangesTests.samples)/authority/root.pem"]

    init() throws {
        home = try Home(named: "changes")
        program = Program(home: home)
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    private func importPass(_ name: String, _ options: [String] = []) throws -> Program.Result {
        try program.run(["import"] + options + passes.trust + [passes.path(name)])
    }

    private func changes(_ record: [String: Any]?) throws -> String? {
        guard let changes = record?["changes"] else { return nil }
        let json = try JSONSerialization.data(
            withJSONObject: changes, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: json, as: UTF8.self)
    }

    @Test("an import line shows the changes, and list shows them for a week")
    func lines() throws {
        let first = try importPass("trusted.pkpass").lines
        #expect(first.first?.hasSuffix("  \(passes.path("trusted.pkpass"))") == true)
        let line = try importPass("moved.pkpass").lines.first
        #expect(line?.hasPrefix("updated    trusted") == true)
        #expect(line?.hasSuffix("\(passes.path("moved.pkpass")) - Gate changed to 7") == true)
        for command in [["list"], ["search", "porto"]] {
            let listed = try program.run(command).lines
            #expect(listed.count == 1)
            let news =
                /.*  pass\.example\.test\/0001  Gate changed to 7 \((today|yesterday) [0-9:]{5}\)/
            #expect(try news.wholeMatch(in: listed.first ?? "") != nil, "\(listed)")
        }
        // Importing the same version again changes nothing.
        let again = try importPass("moved.pkpass").lines.first
        #expect(again?.hasPrefix("unchanged") == true && again?.contains("Gate changed") == false)
        #expect(try importPass("trusted.pkpass").output.contains("Gate changed") == false)
    }

    @Test("list shows a change from its arrival, however long ago the pass was signed")
    func arrival() throws {
        for gate in gates { _ = try program.run(["import"] + sampleTrust + [gate]) }
        let news = /.*  Your gate is now 7 \((today|yesterday) [0-9:]{5}\)/
        #expect(try news.wholeMatch(in: program.run(["list"]).lines.first ?? "") != nil)
        #expect(try program.run(["list", "--json"]).records.first?["changes"] != nil)
    }

    @Test("versions that came in one import are not listed as a recent change")
    func old() throws {
        let imported = try program.run(["import", "--jobs", "1"] + sampleTrust + gates)
        #expect(imported.lines.last?.hasSuffix(" - Your gate is now 7") == true)
        #expect(imported.lines.first?.contains("Your gate") == false)
        #expect(try program.run(["list"]).output.contains("Your gate") == false)
        #expect(try program.run(["list", "--json"]).records.first?["changes"] == nil)
    }

    @Test("records contain the old and the new values")
    func records() throws {
        let golden =
            #"[{"key":"gate","label":"Gate","message":"Your gate is now 7","new":"7","old":"4"}]"#
        let imported = try program.run(["import", "--json", "--jobs", "1"] + sampleTrust + gates)
        #expect(try changes(imported.records[0]) == nil)
        #expect(try changes(imported.records[1]) == golden)
        let line = imported.lines[1]
        #expect(
            line.hasSuffix(
                #""import":"updated","changes":[{"key":"gate","label":"Gate","old":"4","new":"7","#
                    + #""message":"Your gate is now 7"}]}"#))
        let shown = try program.run(["show", "--json", "1"]).records.first
        #expect(try changes(shown) == golden)
        let versions =
            try program.run(["show", "--json", "--history", "1"]).records
            .first?["versions"] as? [[String: Any]]
        #expect(try versions?.map(changes) == [golden, nil])

        _ = try importPass("trusted.pkpass")
        _ = try importPass("moved.pkpass")
        let records = try program.run(["list", "--json"]).records
        #expect(
            try records.compactMap(changes) == [
                #"[{"key":"gate","label":"Gate","message":"Gate changed to 7","new":"7","old":"23"},"#
                    + #"{"key":"seat","label":"Seat","new":"3C","old":"12A"},"#
                    + #"{"key":"terms","label":"Terms","old":"Be there early.\nBring the dog."}]"#
            ])
    }

    @Test(
        "changes are printed in the reader's language, even if it was chosen after the import",
        arguments: [
            ("pt_BR.UTF-8", "Seu portão agora é 7"), ("ru_RU.UTF-8", "Ваш выход теперь 7"),
            ("ja_JP.UTF-8", "Your gate is now 7"),
        ])
    func language(locale: String, message: String) throws {
        var program = program
        program.environment = ["LANG": locale]
        let line = try program.run(["import", "--jobs", "1"] + sampleTrust + gates).lines.last
        #expect(line?.hasSuffix(" - \(message)") == true)
        #expect(try program.run(["show", "1", "--history"]).lines.contains("    \(message)"))
        let english = try program.run(["show", "1", "--history", "--language", "en"])
        #expect(english.lines.contains("    Your gate is now 7"))
    }

    @Test("the history shows what each version changed, including silent changes")
    func history() throws {
        _ = try importPass("trusted.pkpass")
        _ = try importPass("moved.pkpass")
        let lines = try program.run(["show", "1", "--history"]).lines
        let history = lines.drop { $0 != "Versions" }.dropFirst().map { line in
            line.hasPrefix("    ") ? line : String(line.prefix(14))
        }
        let digests = try ["moved.pkpass", "trusted.pkpass"].map {
            "  " + (try #require(passes.facts[$0]).sha256.prefix(12))
        }
        #expect(
            history == [
                digests[0], "    Gate changed to 7", "    Seat   12A -> 3C",
                "    Terms  removed: Be there early. Bring the dog.", digests[1],
            ])
    }

    @Test("trusting an authority later reports no change")
    func judgedAnew() throws {
        _ = try importPass("trusted.pkpass")
        let file = passes.path("moved.pkpass")
        let untrusted = try program.run(["import", "--accept", "untrusted", file])
        #expect(untrusted.lines.first?.hasPrefix("older") == true)
        let updated = try importPass("moved.pkpass", ["--json"]).records.first
        #expect(updated?["import"] as? String == "updated")
        #expect(try changes(updated)?.contains("Gate changed to 7") == true)

        var other = program
        other.environment = ["PASSCONDUIT_LIBRARY": home.path("other")]
        _ = try other.run(["import", "--accept", "untrusted", file])
        let again = try other.run(["import", "--json"] + passes.trust + [file]).records.first
        #expect(again?["import"] as? String == "updated")
        #expect(again?["changes"] == nil)
    }

    @Test("if the earlier version is lost, its change is left out and everything else is shown")
    func lost() throws {
        _ = try importPass("trusted.pkpass")
        _ = try importPass("moved.pkpass")
        let sha256 = try #require(passes.facts["trusted.pkpass"]).sha256
        let file = home.library.appendingPathComponent(
            "passes/\(sha256.prefix(2))/\(sha256).pkpass")
        try FileManager.default.removeItem(at: file)
        let listed = try program.run(["list"])
        #expect(listed.status == 0 && listed.errors == "")
        #expect(listed.lines.first?.hasSuffix("pass.example.test/0001") == true)
        #expect(try program.run(["show", "1", "--history"]).status == 0)
    }

    @Test("watch reports once that the desktop cannot show notifications, and goes on")
    func unnotified() throws {
        for folder in ["Downloads", "programs"] {
            try FileManager.default.createDirectory(
                atPath: home.path(folder), withIntermediateDirectories: true)
        }
        _ = try importPass("trusted.pkpass")
        var program = program
        program.environment["PATH"] = home.path("programs")
        let missing =
            "notify-send is not installed or cannot be started: desktop notifications are not shown"
        #expect(try reports(of: program, importing: "moved.pkpass") == missing)
        let script = try home.write(Data("#!/bin/sh\nexit 1\n".utf8), to: "programs/notify-send")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: script.path)
        _ = try program.run(["remove", "--yes", "1"])
        _ = try importPass("trusted.pkpass")
        let failed = "notify-send failed: desktop notifications are not shown"
        #expect(try reports(of: program, importing: "moved.pkpass") == failed)
    }

    /// What watch reports while it imports a pass that changes a stored one.
    private func reports(of program: Program, importing name: String) throws -> String {
        let output = try home.write(Data(), to: "output")
        let errors = try home.write(Data(), to: "errors")
        let process = try program.start(
            ["watch", "--notify"] + passes.trust + ["Downloads"],
            output: FileHandle(forWritingTo: output), errors: FileHandle(forWritingTo: errors))
        defer { if process.isRunning { process.terminate() } }
        let file = try home.write(try passes.data(name), to: "Downloads/\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        for _ in 0..<600
        where try Data(contentsOf: output).isEmpty || Data(contentsOf: errors).isEmpty {
            Thread.sleep(forTimeInterval: 0.05)
        }
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try String(contentsOf: output, encoding: .utf8).hasPrefix("updated  "))
        let text = try String(contentsOf: errors, encoding: .utf8)
        return text.replacing("passconduit: ", with: "").trimmingCharacters(in: .newlines)
    }

    @Test("a desktop notification appears when a pass in mail changes a stored one")
    func watched() throws {
        let notifications = Notifications(home)
        try notifications.addStandIn()
        var program = program
        program.environment["PATH"] = "\(home.path("programs")):\(Program.searchPath)"
        for folder in ["Downloads", "notifications"] {
            try FileManager.default.createDirectory(
                atPath: home.path(folder), withIntermediateDirectories: true)
        }
        _ = try importPass("trusted.pkpass")
        let process = try program.start(["watch", "--notify"] + passes.trust + ["Downloads"])
        defer { if process.isRunning { process.terminate() } }
        let moved = try passes.data("moved.pkpass")
        try home.write(moved, to: "moved.part")
        try FileManager.default.moveItem(
            atPath: home.path("moved.part"), toPath: home.path("Downloads/moved.pkpass"))
        let words = try notifications.shown(1)
        #expect(
            words.map { $0.suffix(2) } == [
                ["Boarding pass changed", "Example Air, LIS -&gt; OPO: Gate changed to 7"]
            ])
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
