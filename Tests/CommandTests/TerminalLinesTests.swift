import Foundation
import Testing

/// What people see of `scan`, `import`, `list` and `search`. CONTRIBUTING.md says how to regenerate
/// the files in `lines`.
@Suite("Result lines fit the terminal in every language")
final class TerminalLinesTests {
    private static let folder = Program.package.appendingPathComponent("Tests/CommandTests/lines")
    private static let samples = Program.package.appendingPathComponent("Samples")

    private let home: Home
    private let program: Program

    init() throws {
        home = try Home(named: "lines")
        program = Program(home: home)
    }

    deinit { home.remove() }

    @Test("in English", arguments: [60, 80, 120])
    func english(width: Int) throws { try session(locale: "en_US", width: width) }

    @Test(
        "in other languages",
        .enabled(
            if: ["ko", "pt", "ru"].allSatisfy {
                let catalogue = catalogues.appendingPathComponent("\($0)/LC_MESSAGES")
                return FileManager.default.fileExists(atPath: catalogue.path)
            }, "`make catalogues` was not run"),
        arguments: ["ko_KR", "pt_PT", "ru_RU"], [60, 80, 120])
    func translated(locale: String, width: Int) throws { try session(locale: locale, width: width) }

    private func session(locale: String, width: Int) throws {
        let language = String(locale.prefix(2))
        try fillHome()
        let roots = ["authority", "demo"].map { "\(Self.samples.path)/\($0)/root.pem" }
        _ = try program.run(["trust", "add"] + roots)
        let script = Self.commands.map { "echo '$ passconduit \($0)'; \"$PROGRAM\" \($0)" }
        let shell = Program(
            "/bin/sh", home: home,
            environment: [
                "LANG": "\(locale).UTF-8", "NO_COLOR": "1", "PROGRAM": program.path,
            ])
        let result = try shell.onTerminal(["-c", script.joined(separator: "\n")], columns: width)
        #expect(try tooWide(result.output, width) == "")
        let session = withoutTime(result.output)

        let name = "\(language)-\(width).txt"
        if let folder = ProcessInfo.processInfo.environment["PASSCONDUIT_LINES"] {
            try Data(session.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        let expected = try String(
            contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
        #expect(session == expected)
    }

    private static let commands = [
        "scan Downloads", "import boarding-pass-air-gate-4.pkpass", "import inbox.mbox Downloads",
        // Sources that were not modified just now would be skipped.
        "import --all inbox.mbox", "import --all --verbose inbox.mbox",
        "import no-signing-time.pkpass", "list", "scan --links html.eml",
    ]

    private func fillHome() throws {
        let files = [
            "mailbox/tree/Downloads", "demo/inbox.mbox", "links/html.eml",
            "passes/trusted/boarding-pass-air-gate-4.pkpass",
            "passes/untrusted/no-signing-time.pkpass",
        ]
        for file in files {
            let source = Self.samples.appendingPathComponent(file)
            let name = source.lastPathComponent
            try FileManager.default.copyItem(
                at: source, to: home.folder.appendingPathComponent(name))
        }
        for file in [
            "tampered/extra-file", "tampered/file-changed", "unsigned/pass-json-only",
            "untrusted/other-authority",
        ] {
            let source = Self.samples.appendingPathComponent("passes/\(file).pkpass")
            try home.write(Data(contentsOf: source), to: "Downloads/\(source.lastPathComponent)")
        }
        // Wide characters, an emoji, and a letter with a mark of its own.
        let name = "콘서트 입장권 🎫 2042년 6월 14일 서울 올림픽공원, cafe\u{301}, 좌석 12A.pkpass"
        try home.write(Data("x".utf8), to: "Downloads/\(name)")
    }

    /// The output without the times that a summary and a recent change end with, and without
    /// carriage returns.
    private func withoutTime(_ output: String) -> String {
        output.replacing("\r\n", with: "\n")
            .replacing(/\n( {4}[^\n]*) \([^()\n]*[0-9]:[0-9][0-9][^()\n]*\)\n/) { "\n\($0.1)\n" }
            .replacing(/,?\s(?:(?:in|em|за)\s)?[0-9]+(?:[.,][0-9]+)?(?:\s[sс]|초)\n/, with: "\n")
    }

    /// Lines that take more columns than the terminal has.
    private func tooWide(_ output: String, _ width: Int) throws -> String {
        let python = Program("/usr/bin/python3", home: home, environment: ["PYTHONUTF8": "1"])
        let result = try python.run(["-c", Self.measure, "\(width)"], input: Data(output.utf8))
        return result.output + result.errors
    }

    private static let measure = """
        import sys, unicodedata
        def columns(line):
            return sum(0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else
                       2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
        for line in sys.stdin.read().splitlines():
            if columns(line) > int(sys.argv[1]):
                print(line)
        """

    @Test("--long prints on a terminal what a file gets")
    func long() throws {
        try fillHome()
        var program = program
        program.environment["NO_COLOR"] = "1"
        let trust = ["--trust-root", "\(Self.samples.path)/authority/root.pem"]
        let commands = [
            ["scan", "Downloads"] + trust, ["import", "--all", "Downloads"] + trust, ["list"],
            ["search", "air"],
        ]
        // Once before, so that both imports find the library as it stays.
        _ = try program.run(commands[1])
        for command in commands {
            let piped = try program.run(command).output
            #expect(!piped.isEmpty)
            let full = try program.onTerminal(
                command + ["--long", "-v"].prefix(command[0] == "import" ? 2 : 1))
            #expect(full.output.replacing("\r\n", with: "\n").hasPrefix(piped), "\(full.output)")
        }
    }

    @Test(
        "terminals without symbols get words",
        arguments: [["LANG": "C"], ["TERM": "linux"], ["TERM": "dumb"]])
    func words(variables: [String: String]) throws {
        try fillHome()
        // Python would set a UTF-8 locale.
        let setting = (["LC_CTYPE": ""].merging(variables) { $1 }).map { "\($0)=\($1)" }
        let wrapped = Program("/usr/bin/env", home: home)
        let result = try wrapped.onTerminal(
            setting + [program.path, "scan", "Downloads"], columns: 80)
        let lines = result.output.split(whereSeparator: \.isNewline)
        #expect(
            lines.contains {
                $0.hasSuffix("malformed\u{1B}[0m  error.pkpass")
                    || $0.hasPrefix("malformed  error.pkpass")
            }, "\(lines)")
        #expect(lines.contains("    not a ZIP archive (it looks like text/html)"), "\(lines)")
        #expect(!result.output.contains("\u{2717}") && !result.output.contains("\u{2026}"))
    }

    @Test("a file gets a line for each unchanged pass")
    func unchanged() throws {
        try fillHome()
        let command = [
            "import", "--trust-root", "\(Self.samples.path)/demo/root.pem", "--all", "inbox.mbox",
        ]
        #expect(try program.run(command).lines.allSatisfy { $0.hasPrefix("added ") })
        let lines = try program.run(command).lines
        #expect(lines.count == 5 && lines.allSatisfy { $0.hasPrefix("unchanged ") })
    }
}
