import Foundation
import PassFixtures
import Testing

@Suite("A damaged library still accepts mail and loses nothing")
final class DamagedLibraryTests {
    private let home: Home
    private let program: Program
    private let post: Deliveries

    init() throws {
        home = try Home(named: "damaged")
        program = Program("passconduit-deliver", home: home)
        post = Deliveries(home: home)
    }

    deinit { home.remove() }

    private func deliver(_ number: Int) throws -> Program.Result {
        try program.run(
            Deliveries.trust + ["--library", "library"], input: Deliveries.mail(number))
    }

    private var stored: Set<String> {
        get throws {
            let result = try Program(home: home).run(["list", "--json", "--library", "library"])
            return Set(result.records.compactMap { $0["name"] as? String })
        }
    }

    private func check(_ options: String...) throws -> [String] {
        try Program(home: home).run(
            ["library", "check", "--json", "--library", "library"] + options
        )
        .records.compactMap { $0["code"] as? String }
    }

    private func names(_ numbers: Range<Int>) -> Set<String> {
        Set(numbers.map { "pass.example.post/\($0)" })
    }

    /// Python code that damages the index, with `path` set to its path.
    private static let damages = [
        "emptied": "os.truncate(path, 0)",
        "cut in the middle": "os.truncate(path, os.path.getsize(path) // 2)",
        "cut within a page": "os.truncate(path, os.path.getsize(path) - 100)",
        "overwritten in the middle": """
        size = os.path.getsize(path)
        with open(path, 'r+b') as file: file.seek(8192); file.write(b'U' * (size - 8192))
        """,
        "overwritten at the beginning": """
        with open(path, 'r+b') as file: file.write(bytes(512))
        """,
        "a text": "open(path, 'w').write('Dear Ada,\\n' * 1000)",
        "another database": """
        os.remove(path)
        sqlite3.connect(path).execute('CREATE TABLE diary (day)')
        """,
        "gone": "os.remove(path)",
    ]

    @Test("a damaged index is moved to `damaged` and rebuilt", arguments: damages.keys.sorted())
    func damaged(name: String) throws {
        let unsigned = try TestPasses.make().path("unsigned.pkpass")
        let accepted = ["import", "--accept", "unsigned", "--library", "library", unsigned]
        #expect(try Program(home: home).run(accepted).status == 0)
        _ = try post.run("together", 20, 0, 0, library: "library")
        let before = try stored
        #expect(before.count == 21)
        let script = try #require(Self.damages[name])
        let damaged = try Program("/usr/bin/env", home: home).run([
            "python3", "-c", "import os, sqlite3\npath = 'library/library.sqlite'\n" + script,
        ])
        try #require(damaged.status == 0, "\(damaged.errors)")

        let result = try deliver(20)
        #expect(result.status == 0)
        #expect(result.output == "")
        let told = try #require(
            result.errors.wholeMatch(
                of:
                    /passconduit: \S+\/library.sqlite: .*; it was rebuilt from the pass files .*\n/
            ))
        #expect(told.output.filter { $0 == "\n" }.count == 1)
        #expect(try stored == before.union(["pass.example.post/20"]))
        let kept =
            (try? FileManager.default.contentsOfDirectory(atPath: home.path("library/damaged")))
        #expect(
            kept?.contains { $0.hasPrefix("library.sqlite-") } == (name == "gone" ? false : true))
        #expect(try check() == [])
        // The next run reports nothing.
        #expect(try deliver(21).errors == "")
    }

    @Test("when many runs start at once, one of them rebuilds the index", .timeLimit(.minutes(2)))
    func together() throws {
        _ = try post.run("together", 20, 0, 0, library: "library")
        let index = home.path("library/library.sqlite")
        try #require(FileHandle(forWritingAtPath: index)).truncate(atOffset: 0)
        let outcome = try post.run("together", 40, 0, 0, library: "library")
        #expect(outcome.statuses == ["0": 40])
        #expect(outcome.stored == Array(0..<40))
        #expect(outcome.errors.count == 1)
        let damaged = try FileManager.default.contentsOfDirectory(
            atPath: home.path("library/damaged"))
        #expect(damaged.count == 1)
    }

    /// Ways to damage the log, and whether an import notices the damage by itself.
    private static let logDamages = [
        ("rm library.sqlite-wal", true), ("echo text > library.sqlite-wal", true),
        (": > library.sqlite-shm", false), ("rm library.sqlite-shm", false),
        ("head -c 4096 /dev/urandom > library.sqlite-shm", false),
    ]

    @Test(
        "if the log is damaged, the passes that were only in it are imported again",
        arguments: logDamages)
    func log(line: String, isNoticed: Bool) throws {
        let left = try post.run("log", 8, library: "library")
        #expect(left.statuses == ["0": 8])
        try #require(try #require(left.log) > 0)
        #expect(try program.shell("cd library && \(line)").status == 0)
        let result = try deliver(8)
        #expect(result.status == 0)
        #expect(result.errors.contains("it was added again") == isNoticed)
        #expect(try stored == names(0..<9))
        #expect(try check() == [])
    }

    @Test("if the log is missing without a trace, check finds the passes that were only in it")
    func logGone() throws {
        _ = try post.run("log", 8, library: "library")
        #expect(
            try program.shell("cd library && rm library.sqlite-wal library.sqlite-shm").status == 0)
        #expect(try deliver(8).status == 0)
        #expect(try Set(check()) == ["orphan-file"])
        let trusted = try program.shell(
            "\(Program(home: home).path) trust add '\(Deliveries.trust[1])'")
        #expect(trusted.status == 0)
        #expect(try Set(check("--mend")) == ["orphan-file"])
        #expect(try stored == names(0..<9))
        #expect(try check() == [])
    }

    @Test("a library of a later version is left unchanged")
    func newer() throws {
        #expect(try deliver(0).status == 0)
        let python = try Program("/usr/bin/env", home: home).run([
            "python3", "-c",
            "import sqlite3\nwith sqlite3.connect('library/library.sqlite') as index:\n"
                + "    index.execute(\"INSERT INTO grdb_migrations VALUES ('99: later')\")",
        ])
        #expect(python.status == 0)
        let result = try deliver(1)
        #expect(result.status == 75)
        #expect(result.errors.contains("was made by a newer version"))
        #expect(!FileManager.default.fileExists(atPath: home.path("library/damaged")))
    }

    @Test("commands that only read say how to repair it")
    func hint() throws {
        #expect(try deliver(0).status == 0)
        try home.write(Data("Dear Ada,\n".utf8), to: "library/library.sqlite")
        let result = try Program(home: home).run(["list", "--library", "library"])
        #expect(result.status == 2)
        #expect(result.errors.contains("`passconduit library check --mend` rebuilds it"))
    }
}
