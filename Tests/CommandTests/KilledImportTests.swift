import Foundation
import PassFixtures
import Testing

@Suite("An import killed at any moment has completed what it reported, and left nothing half done")
struct KilledImportTests {
    private static let count = 80
    private let home: Home
    private let program: Program

    init() throws {
        home = try Home(named: "killed")
        program = Program(home: home)
    }

    @Test("killed many times", .tags(.repeats), .timeLimit(.minutes(10)))
    func killed() throws {
        defer { home.remove() }
        try makePasses()
        let start = ContinuousClock.now
        try #require(try run("import", "--accept", "unsigned", "passes", to: "whole").status == 0)
        let duration = ContinuousClock.now - start
        let whole = try digests(in: "whole")
        try #require(whole.count == Self.count)

        var cutShort = 0
        let kills = rounds(100)
        var round = -1
        // Under load, the kills may come before there is a library. Then more kills are needed.
        while round < kills || cutShort <= kills / 10, round < 5 * kills {
            round += 1
            let library = "library-\(round)"
            let reported = try killedImport(to: library, after: duration * .random(in: 0..<1))
            // It was killed before there was a library.
            guard FileManager.default.fileExists(atPath: home.path("\(library)/library.sqlite"))
            else {
                #expect(reported.isEmpty)
                continue
            }
            let findings = try run("library", "check", "--mend", "--json", to: library).records
                .filter { $0["record"] as? String == "libraryFinding" }
                .compactMap { $0["code"] as? String }
            #expect(Set(findings).isSubset(of: ["leftover-file", "orphan-file"]))
            #expect(try run("library", "check", to: library).status == 0)
            let kept = try digests(in: library)
            #expect(reported.isSubset(of: kept))
            #expect(kept.isSubset(of: whole))
            cutShort += kept.count < whole.count ? 1 : 0
            guard round.isMultiple(of: rounds(10, least: 5)) else { continue }
            // A second run imports the rest.
            #expect(try run("import", "--accept", "unsigned", "passes", to: library).status == 0)
            #expect(try digests(in: library) == whole)
        }
        #expect(cutShort > kills / 10, "hardly a kill came before the end")
    }

    /// The passes that an import reported before it was killed.
    private func killedImport(to library: String, after delay: Duration) throws -> Set<String> {
        let (seconds, attoseconds) = delay.components
        let pause = Double(seconds) + Double(attoseconds) * 1e-18
        let result = try program.shell(
            """
            "$PROGRAM" import --json --accept unsigned --library \(library) passes &
            sleep \(pause)
            kill -9 $!
            wait
            """)
        let imported = result.records.filter { $0["import"] as? String == "added" }
        return Set(imported.compactMap { $0["sha256"] as? String })
    }

    private func run(_ arguments: String..., to library: String) throws -> Program.Result {
        try program.run(arguments + ["--library", library])
    }

    private func digests(in library: String) throws -> Set<String> {
        Set(try run("list", "--json", to: library).records.compactMap { $0["sha256"] as? String })
    }

    private func makePasses() throws {
        let made = try program.shell(
            """
            mkdir passes && python3 -c '
            import json, zipfile
            for number in range(\(Self.count)):
                with zipfile.ZipFile(f"passes/{number}.pkpass", "w") as archive:
                    archive.writestr("pass.json", json.dumps({
                        "formatVersion": 1, "passTypeIdentifier": "pass.com.example.ticket",
                        "serialNumber": str(number), "teamIdentifier": "A1B2C3D4E5",
                        "organizationName": "Example", "description": "Ticket", "generic": {}}))
            '
            """)
        try #require(made.status == 0, "\(made.errors)")
    }
}
