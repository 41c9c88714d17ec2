import Foundation
import PassFixtures
import Testing

@Suite("Confined commands work with every version of Landlock")
final class KernelsTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home(named: "kernels")
        program = Program(home: home)
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    /// Versions of Landlock; nil means a kernel without Landlock.
    private static let versions = [nil, 2, 3, 5, 7] as [Int?]

    /// Runs passconduit as on a kernel with this version. The system-call filter must refuse what
    /// older versions do not restrict, which this checks as well.
    private func run(_ version: Int?, _ arguments: [String]) throws -> Program.Result {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        guard let version else {
            let script = tests.appendingPathComponent("without_landlock.py").path
            return try program.execute(
                "/usr/bin/python3", [script, program.path] + arguments, input: Data())
        }
        let probe = Program.folder.appendingPathComponent("confinement-probe").path
        let rights = ["--read", "/", "--write", "/", "--execute", "/", "--properties"]
        return try program.execute(
            probe, rights + ["--landlock", String(version), program.path] + arguments,
            input: Data())
    }

    @Test("names in every character set of the C library are decoded", arguments: versions)
    func charsets(version: Int?) throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("charsets.py").path
        let made = try program.execute(
            "/usr/bin/python3", [script, passes.path("unsigned.pkpass"), "mail.mbox"],
            input: Data())
        try #require(made.status == 0, "\(made.errors)")
        let names = try JSONDecoder().decode([[String]].self, from: Data(made.output.utf8))
        #expect(names.count > 900)
        let scan = try run(version, ["scan", "--json", "--jobs", "8", "mail.mbox"])
        #expect(scan.errors == "")
        let passes = scan.records.filter { $0["record"] as? String == "pass" }
        #expect(passes.count == names.count)
        for (expected, pass) in zip(names, passes) {
            let name = pass["name"] as? String ?? ""
            #expect(name.prefix { $0 != "." } == expected[1].prefix { $0 != "." }, "\(expected[0])")
        }
    }

    @Test(
        "a library is created, filled, searched, damaged, repaired and emptied", arguments: versions
    )
    func library(version: Int?) throws {
        let more = passes.trust + ["--accept", "unsigned"]
        let added = try run(version, ["import", "--jobs", "4"] + more + [passes.path("mail.mbox")])
        #expect(added.errors == "")
        #expect(added.lines.filter { $0.hasPrefix("added") }.count == 2)
        #expect(try run(version, ["import"] + more + [passes.path("mail.mbox")]).status == 0)
        #expect(try run(version, ["list"]).lines.count == 2)
        #expect(try run(version, ["search", "porto"]).lines.count == 2)
        #expect(try run(version, ["show", "1"]).status == 0)
        #expect(try run(version, ["update"]).errors == "")
        let verified = try run(
            version, ["verify"] + passes.trust + [passes.path("trusted.pkpass")])
        #expect(verified.status == 0)
        #expect(try run(version, ["library", "check", "--mend"]).status == 0)
        let index = home.library.appendingPathComponent("library.sqlite")
        try Data("no index\n".utf8).write(to: index)
        #expect(try run(version, ["list"]).status == 2)
        #expect(try run(version, ["library", "check", "--mend"]).status == 0)
        #expect(try run(version, ["list"]).lines.count == 2)
        #expect(try run(version, ["remove", "1"]).status == 0)
        #expect(try run(version, ["list"]).lines.count == 1)
    }
}
