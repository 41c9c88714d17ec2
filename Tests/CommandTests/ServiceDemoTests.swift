import Foundation
import Glibc
import Testing

/// Runs `Samples/service/run` with the programs of this build.
@Suite(
    "The demonstration of the web service works on any machine, and leaves nothing behind",
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "needs openssl"))
final class ServiceDemoTests {
    private static let folder = Program.package.appending(path: "Samples/service")

    private let home: Home
    private let program: Program

    init() throws {
        home = try Home(named: "service")
        let temporary = home.folder.appending(path: "temporary")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        // The person who runs it has settings, a time zone and a proxy that does not answer.
        program = Program(
            Self.folder.appending(path: "run").path, home: home,
            environment: [
                "TMPDIR": temporary.path, "TZ": "Pacific/Auckland",
                "PASSCONDUIT_LIBRARY": home.path("library"), "XDG_CONFIG_HOME": home.path("config"),
                "https_proxy": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9",
            ])
    }

    deinit { home.remove() }

    @Test("each change arrives with an update, and the output is that in the README")
    func english() throws {
        let lines = try run()
        expectFacts(lines)
        let readme = try String(
            contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
        let block = try #require(readme.firstMatch(of: /```console\n((?s).*?)\n```/)).1
        let shown = block.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.map(masked) == shown.map { masked(String($0)) })
        expectNothingLeft()
    }

    @Test("the same in another language")
    func korean() throws {
        expectFacts(try run(in: ["LANG": "ko_KR.UTF-8", "LANGUAGE": "ko"]))
        expectNothingLeft()
    }

    @Test("a signal ends it and both of its programs")
    func stopped() throws {
        let output = try home.write(Data(), to: "output")
        // The threads of Dispatch block signals, and so do the programs that they start.
        let unblocked = """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.execv(sys.argv[1], sys.argv[1:])
            """
        let python = Program("/usr/bin/python3", home: home, environment: program.environment)
        let process = try python.start(
            ["-c", unblocked, program.path, Program.folder.path],
            output: try FileHandle(forWritingTo: output))
        let deadline = ContinuousClock.now + .seconds(60)
        while try !String(contentsOf: output, encoding: .utf8).contains("update --all") {
            try #require(process.isRunning && .now < deadline)
            usleep(20_000)
        }
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == SIGTERM)
        expectNothingLeft()
    }

    /// The lines of the demonstration, which must succeed.
    private func run(in environment: [String: String] = [:]) throws -> [String] {
        var program = program
        program.environment.merge(environment) { $1 }
        let result = try program.shell("\"$PROGRAM\" '\(Program.folder.path)' 2>&1")
        #expect(result.status == 0, "\(result.output)")
        return result.output.trimmingCharacters(in: .newlines)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Expects the output that is the same in every language.
    private func expectFacts(_ lines: [String]) {
        let facts = [
            "issuer$ passconduit-serve update --store passes pass.example.boarding 0001 --set gate=7",
            "pass.example.boarding/0001 - Your gate is now 7",
            "person$ passconduit show pass.example.boarding/0001 --history",
            "GATE  7",
            "    Your gate is now 7",
            "/pass.pkpass",
            "issuer$ passconduit-serve update --store passes pass.example.coupon C1 --set state=redeemed",
            "pass.example.coupon/C1 - Your coupon is redeemed",
            "issuer$ passconduit-serve void --store passes pass.example.coupon C1",
            "person$ passconduit list",
            "issuer$ passconduit-serve publish --store passes mail/C1.pkpass",
            "/v1/passes/pass.example.coupon/C1: ",
            "issuer$ passconduit-serve log --store passes",
            "Z pass.example.coupon/C1: the server sent an older pass: it was signed at ",
            "issuer$ passconduit-serve status --store passes",
        ]
        var rest = lines[...]
        for fact in facts {
            guard let index = rest.firstIndex(where: { $0.contains(fact) }) else {
                Issue.record("'\(fact)' is not in its place in \(lines)")
                return
            }
            rest = rest[(index + 1)...]
        }
    }

    /// A line without the times, keys, digests and ports, which differ from run to run.
    private func masked(_ line: String) -> String {
        line.replacing(/\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\dZ)?)?/, with: "DATE")
            .replacing(/today \d\d:\d\d/, with: "today")
            .replacing(/(Signed|Imported)   .*/) { "\($0.1)" }
            .replacing(/[0-9a-f]{12,}/, with: "HEX")
            .replacing(/127\.0\.0\.1:\d+/, with: "ADDRESS")
            .replacing(/tls\.key \d+/, with: "tls.key PORT")
    }

    /// Expects no file in the temporary folder and in the home, and no process in them.
    private func expectNothingLeft() {
        let files = FileManager.default
        // A program in the foreground may run for a moment after a signal to the shell.
        let deadline = ContinuousClock.now + .seconds(10)
        while !processes().isEmpty, .now < deadline { usleep(20_000) }
        #expect(processes() == [])
        #expect((try? files.contentsOfDirectory(atPath: home.path("temporary"))) == [])
        for name in ["library", "config", ".config", ".local", ".cache"] {
            #expect(!files.fileExists(atPath: home.path(name)), "\(name)")
        }
    }

    /// The processes whose current folder is in the temporary folder.
    private func processes() -> [String] {
        let files = FileManager.default
        return ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).filter { number in
            let folder = try? files.destinationOfSymbolicLink(atPath: "/proc/\(number)/cwd")
            return folder?.hasPrefix(home.path("temporary")) == true
        }
    }
}
