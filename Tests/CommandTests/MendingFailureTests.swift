import Foundation
import Testing

@Suite("A repair that fails or is killed loses nothing: the next one completes it")
final class MendingFailureTests {
    private let home: Home
    private let program: Program
    private let post: Deliveries

    init() throws {
        home = try Home(named: "mending")
        program = Program(home: home)
        post = Deliveries(home: home)
    }

    deinit { home.remove() }

    private static let canTrace: Bool = {
        guard let home = try? Home() else { return false }
        defer { home.remove() }
        return (try? Program(home: home).shell("strace -o trace true"))?.status == 0
    }()

    /// Runs the program with system calls that fail as specified by `injection`.
    private func run(
        _ arguments: String, _ injection: String, about path: String? = nil
    ) throws -> Program.Result {
        try program.shell(
            """
            strace -f -o /dev/null \(path.map { "-P \($0)" } ?? "") -e inject=\(injection) \
            "$PROGRAM" \(arguments)
            """)
    }

    /// The passes with their numbers and origins.
    private func passes(_ library: String) throws -> [String] {
        let result = try program.run(["list", "--json", "--library", library])
        return try result.records.map { record in
            let name = try #require(record["name"] as? String)
            let shown = try program.run(["show", "--json", "--library", library, name])
            let pass = try #require(shown.records.first)
            let sources = try #require(Self.sources(pass))
            return "\(name) \(sources)"
        }
    }

    private static func sources(_ pass: [String: Any]) -> [String]? {
        (pass["origins"] as? [[String: Any]])?.compactMap { $0["source"] as? String }
    }

    private func tree(_ folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: home.path(folder))
        return (names?.compactMap { $0 as? String } ?? []).sorted()
    }

    enum Place: String, CaseIterable { case file, folder, passes }

    @Test(
        "an unreadable folder is left in place, and no index is built without it",
        .enabled(if: canTrace, "strace cannot trace here"),
        arguments: Place.allCases, ["EMFILE", "EIO", "EACCES"])
    func unreadable(place: Place, code: String) throws {
        _ = try post.run("together", 4, 0, 0, library: "library")
        let files = tree("library/passes")
        try #require(files.count { $0.hasSuffix(".pkpass") } == 4)
        try FileManager.default.removeItem(atPath: home.path("library/library.sqlite"))
        try home.write(Data("Dear Ada,\n".utf8), to: "letter")
        let file = try #require(files.first { $0.hasSuffix(".pkpass") })
        let path =
            switch place {
            case .file: home.path("library/passes/\(file)")
            case .folder: home.path("library/passes/\(file.prefix(2))")
            case .passes: home.path("library/passes")
            }
        let commands = [
            "import --library library letter", "library check --mend --library library",
        ]
        for command in commands {
            let result = try run(command, "openat,open:error=\(code)", about: path)
            #expect(result.status != 0)
            #expect(result.errors.contains("cannot read \(path): "))
            #expect(tree("library/passes") == files)
            #expect(!tree("library").contains { $0.hasPrefix("damaged") || $0.hasSuffix(".new") })
        }
        _ = try program.run(["import", "--library", "library", "letter"])
        #expect(try program.run(["list", "--json", "--library", "library"]).records.count == 4)
    }

    @Test(
        "a version whose file is temporarily inaccessible is kept",
        .enabled(if: canTrace, "strace cannot trace here"),
        arguments: ["EMFILE", "EIO", "EACCES"])
    func unseen(code: String) throws {
        _ = try post.run("together", 4, 0, 0, library: "library")
        let file = try #require(tree("library/passes").first { $0.hasSuffix(".pkpass") })
        let path = home.path("library/passes/\(file)")
        let result = try run(
            "library check --mend --library library",
            "openat,open,access,faccessat,faccessat2:error=\(code)", about: path)
        #expect(result.status != 0)
        #expect(result.errors.contains("cannot read \(path): "))
        #expect(try program.run(["list", "--json", "--library", "library"]).records.count == 4)
    }

    @Test(
        "an index that is temporarily inaccessible is kept",
        .enabled(if: canTrace, "strace cannot trace here"))
    func unseenIndex() throws {
        _ = try post.run("together", 4, 0, 0, library: "library")
        let result = try run(
            "library check --mend --library library", "access,faccessat,faccessat2:error=EIO",
            about: home.path("library/library.sqlite"))
        #expect(result.status != 0)
        #expect(!tree("library").contains("damaged"))
    }

    @Test(
        "killed during the exchange of the indexes, it keeps the origins of passes",
        .enabled(if: canTrace, "strace cannot trace here"), .timeLimit(.minutes(5)),
        arguments: [("rename", 3), ("link", 1), ("unlink", 2)])
    func killed(call: String, least: Int) throws {
        let left = try post.run("log", 8, library: "made")
        // The latest rows are only in the log.
        try #require(try #require(left.log) > 0)
        try home.write(Data("half".utf8), to: "made/library.sqlite.new")
        try home.write(Data("Dear Ada,\n".utf8), to: "letter")
        let command = "import --library library letter"
        var (expected, kills): ([String], Int) = ([], 0)
        for turn in 0...12 {
            #expect(try program.shell("rm -rf library; cp -a made library").status == 0)
            if turn > 0 {
                let result = try run(command, "\(call):signal=KILL:when=\(turn)")
                kills += result.errors.contains("made again") ? 0 : 1
            }
            _ = try program.run(["import", "--library", "library", "letter"])
            let passes = try passes("library")
            if turn == 0 { expected = passes }
            #expect(passes == expected, "\(call) \(turn)")
            let names = tree("library")
            #expect(!names.contains { $0.hasSuffix(".new") || $0.hasSuffix(".ready") })
        }
        #expect(expected.count == 8)
        #expect(kills >= least)
    }
}
