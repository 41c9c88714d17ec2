import Foundation
import PassFixtures
import Testing

@Suite("lint prints file, key and remedy of each mistake")
final class LintTests {
    private let home: Home
    private let program: Program

    init() throws {
        home = try Home()
        program = Program(home: home)
    }

    deinit { home.remove() }

    /// A folder with an icon of Python's making and this pass.json.
    private func write(_ members: String, to folder: String = "Event.pass") throws {
        try home.write(
            Data(
                """
                {"formatVersion": 1, "passTypeIdentifier": "pass.example.test",
                 "serialNumber": "1", "teamIdentifier": "TEAM123456",
                 "organizationName": "Sample", "description": "A sample",
                 \(members)}
                """.utf8), to: "\(folder)/pass.json")
        try home.write(Self.icon, to: "\(folder)/icon.png")
    }

    /// A black image of 38 x 38 pixels, encoded by Python's zlib.
    private static let icon =
        Data(
            base64Encoded: """
                iVBORw0KGgoAAAANSUhEUgAAACYAAAAmCAAAAACNVrZyAAAAFElEQVR42mNgGAWjYBSMglEwtAEABcoA
                AR+GpNAAAAAASUVORK5CYII=
                """, options: .ignoreUnknownCharacters) ?? Data()

    @Test("a pass without mistakes prints nothing")
    func clean() throws {
        try write("\"generic\": {}")
        let result = try program.run(["lint", "Event.pass"])
        #expect(result.status == 0)
        #expect(result.output + result.errors == "")
    }

    @Test(
        "the exit code is 3 only for errors",
        arguments: [
            ("\"generic\": {}, \"backgroundColor\": \"#ffffff\"", 0),
            ("\"generic\": {}, \"backgroundColor\": \"white\"", 3),
        ] as [(String, Int32)])
    func exitCode(members: String, status: Int32) throws {
        try write(members)
        let result = try program.run(["lint", "Event.pass"])
        #expect(result.status == status)
        #expect(result.lines.count == 1)
    }

    @Test("what cannot be read has exit code 2, and does not stop the others")
    func unreadable() throws {
        try write("\"generic\": {}, \"voided\": \"true\"")
        let result = try program.run(["lint", "nowhere", "Event.pass"])
        #expect(result.status == 2)
        #expect(result.errors == "passconduit: nowhere: cannot open: no such file or directory\n")
        #expect(result.lines.count == 1)
    }

    @Test("a line names pass, file, key, problem and remedy")
    func lines() throws {
        try write("\"generic\": {\"primaryFields\": [{\"key\": \"a\"}]}, \"webServiceUrl\": \"x\"")
        try home.write(Data(), to: "Event.pass/notes.txt")
        let result = try program.run(["lint", "Event.pass"])
        #expect(
            result.lines == [
                "Event.pass: pass.json: generic.primaryFields[0].value: "
                    + "Field dictionary must contain key 'value'; add 'value'",
                "Event.pass: pass.json: webServiceUrl: Wallet does not know the key "
                    + "'webServiceUrl'; did you mean 'webServiceURL'?",
                "Event.pass: notes.txt: warning: Wallet does not use a file of this name; "
                    + "remove it",
            ])
    }

    @Test("JSON has one record per mistake")
    func json() throws {
        try write("\"generic\": {}, \"voided\": \"true\"")
        let result = try program.run(["lint", "--json", "Event.pass"])
        #expect(
            result.output == """
                {"version":1,"record":"lint","path":"Event.pass","file":"pass.json",\
                "key":"voided","severity":"error","rule":"wrong-type",\
                "message":"the value is text instead of true or false",\
                "remedy":"write true or false, without quotes","fixed":false}

                """)
    }

    @Test("SARIF is one document, also without mistakes")
    func sarif() throws {
        try write("\"generic\": {}", to: "Clean.pass")
        let clean = try program.run(["lint", "--sarif", "Clean.pass"])
        #expect(clean.status == 0)
        let empty = try #require(clean.records.first?["runs"] as? [[String: Any]])
        #expect((empty[0]["results"] as? [Any])?.isEmpty == true)

        try write("\"generic\": {}, \"voided\": \"true\", \"stripColour\": \"x\"", to: "a b.pass")
        let result = try program.run(["lint", "--sarif", "a b.pass"])
        #expect(result.status == 3)
        #expect(result.lines.count == 1)
        let document = try #require(result.records.first)
        #expect(document["version"] as? String == "2.1.0")
        #expect((document["$schema"] as? String)?.contains("sarif-2.1.0") == true)
        let run = try #require((document["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: [String: Any]])?["driver"])
        let rules = try #require(driver["rules"] as? [[String: Any]])
        #expect(rules.compactMap { $0["id"] as? String } == ["wrong-type", "misspelt-key"])
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.compactMap { $0["ruleIndex"] as? Int } == [0, 1])
        #expect(results.allSatisfy { $0["level"] as? String == "error" })
        let location = try #require((results[0]["locations"] as? [[String: Any]])?.first)
        let physical = try #require(location["physicalLocation"] as? [String: [String: Any]])
        #expect(physical["artifactLocation"]?["uri"] as? String == "a%20b.pass/pass.json")
        #expect(physical["region"]?["startLine"] as? Int == 4)
        let logical = location["logicalLocations"] as? [[String: String]]
        #expect(logical == [["fullyQualifiedName": "voided"]])
    }

    @Test("--fix corrects what has one right answer, once")
    func fix() throws {
        try write("\"generic\" : {}, \"voided\": \"true\", \"webServiceURL\": \"x\"")
        try home.write(Data("\u{0}".utf8), to: "Event.pass/.DS_Store")
        let fixed = try program.run(["lint", "--fix", "--json", "Event.pass"])
        #expect(fixed.status == 3)
        #expect(
            fixed.records.map { $0["rule"] as? String } == [
                "wrong-type", "system-file", "url-invalid", "missing-counterpart",
            ])
        #expect(fixed.records.map { $0["fixed"] as? Bool } == [true, true, false, false])
        let text = try String(
            contentsOf: home.folder.appendingPathComponent("Event.pass/pass.json"),
            encoding: .utf8)
        #expect(text.hasSuffix("\n \"generic\" : {}, \"voided\": true, \"webServiceURL\": \"x\"}"))
        let names = try FileManager.default.contentsOfDirectory(atPath: home.path("Event.pass"))
        #expect(names.sorted() == ["icon.png", "pass.json"])

        let again = try program.run(["lint", "--fix", "--json", "Event.pass"])
        #expect(again.records.map { $0["fixed"] as? Bool } == [false, false])
        #expect(
            try String(
                contentsOf: home.folder.appendingPathComponent("Event.pass/pass.json"),
                encoding: .utf8) == text)
    }

    @Test("without --fix nothing is written")
    func readOnly() throws {
        try write("\"generic\": {}, \"voided\": \"true\"")
        let file = home.folder.appendingPathComponent("Event.pass/pass.json")
        let before = try Data(contentsOf: file)
        _ = try program.run(["lint", "Event.pass"])
        #expect(try Data(contentsOf: file) == before)
    }

    @Test("a signed pass is linted, but not corrected")
    func packed() throws {
        let samples = Sample.folder.appendingPathComponent("passes")
        let file = samples.appendingPathComponent("tolerated/json-voided-as-text.pkpass").path
        let arguments = ["lint", "--json", "--trust-root", Sample.root.path, file]
        let result = try program.run(arguments)
        #expect(result.status == 3)
        let errors = result.records.filter { $0["severity"] as? String == "error" }
        #expect(errors.map { $0["key"] as? String } == ["voided"])
        let fixing = try program.run(arguments + ["--fix"])
        #expect(fixing.status == 2)
        #expect(fixing.errors.contains("a signed pass cannot be corrected"))
        #expect(fixing.output == result.output)
    }

    @Test("the certificate and the previous version are compared")
    func comparisons() throws {
        let passes = try TestPasses.make()
        try write("\"generic\": {\"backFields\": [{\"key\": \"a\", \"value\": \"1\"}]}")
        try write(
            "\"generic\": {\"backFields\": [{\"key\": \"a\", \"value\": \"2\"}]}", to: "New.pass")
        let changed = try program.run(["lint", "--json", "--previous", "Event.pass", "New.pass"])
        #expect(changed.status == 0)
        #expect(changed.records.map { $0["rule"] as? String } == ["change-without-message"])
        // An authority is not a certificate for passes.
        let certificate = ["--certificate", passes.path("authority.pem")]
        let wrong = try program.run(["lint", "--json"] + certificate + ["Event.pass"])
        #expect(wrong.status == 3)
        let rules = Set(wrong.records.compactMap { $0["rule"] as? String })
        #expect(rules.isSuperset(of: ["wrong-certificate-purpose", "pass-type-mismatch"]))
        let none = try program.run(["lint", "--certificate", "Event.pass/pass.json", "Event.pass"])
        #expect(none.status == 2)
    }

    @Test("two versions of a signed pass have the same serial number")
    func versions() throws {
        let passes = ["4", "7"].map {
            Sample.folder.appending(path: "passes/trusted/boarding-pass-air-gate-\($0).pkpass").path
        }
        let root = Sample.folder.appending(path: "authority/root.pem").path
        let result = try program.run(["lint", "--trust-root", root] + passes)
        #expect(result.errors == "")
        #expect(result.output == "")
        #expect(result.status == 0)
    }

    @Test("a serial number may occur once in a run")
    func serialNumbers() throws {
        try write("\"generic\": {}", to: "a")
        try write("\"generic\": {}", to: "b")
        let result = try program.run(["lint", "--json", "a", "b"])
        #expect(result.status == 3)
        #expect(result.records.map { $0["path"] as? String } == ["b"])
        #expect(result.records.map { $0["rule"] as? String } == ["repeated-serial-number"])
    }
}
