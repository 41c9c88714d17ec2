import Foundation
import PassFixtures
import Testing

@Suite("Started by the desktop, open shows a window or says how to continue")
final class OpenOnDesktopTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home()
        passes = try TestPasses.make()
        // In a folder of its own, so that the tests do not use other programs in the build folder.
        let folder = home.folder.appendingPathComponent("bin")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let copy = folder.appendingPathComponent("passconduit")
        let built = Program.folder.appendingPathComponent("passconduit")
        do {
            try FileManager.default.linkItem(at: built, to: copy)
        } catch {
            try FileManager.default.copyItem(at: built, to: copy)
        }
        for name in ["programs", "runtime"] {
            try FileManager.default.createDirectory(
                at: home.folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        program = Program(
            copy.path, home: home,
            environment: [
                // The tests must not use the terminals of this computer either.
                "DISPLAY": ":99", "PATH": home.path("programs"),
                "XDG_RUNTIME_DIR": home.path("runtime"), "TERM": "xterm",
            ])
    }

    deinit { home.remove() }

    /// A program that records its arguments in a file with its own name, a NUL after each, and then
    /// runs `script`.
    private func standIn(_ name: String, in folder: String = "programs", script: String = "")
        throws
    {
        let file = try home.write(
            Data(
                """
                #!/bin/sh
                PATH='\(Program.searchPath)'
                grep -E '^Sig(Blk|Ign)' /proc/self/status > '\(home.path("signals"))'
                for word; do printf '\\0%s' "$word"; done >> '\(home.path(name))'
                \(script)
                """.utf8), to: "\(folder)/\(name)")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: file.path)
    }

    /// A terminal that runs `before`, then the command after its options, with answers typed into
    /// it.
    private func standInTerminal(
        _ name: String = "x-terminal-emulator", option: String = "-e", typing text: String = "",
        before: String = ":"
    ) throws {
        try home.write(Data(Program.terminal.utf8), to: "terminal.py")
        let skip = option.isEmpty ? "" : "[ \"$1\" = '\(option)' ] || exit 9; shift"
        try standIn(
            name,
            script: """
                \(skip)
                \(before)
                TYPED='\(text)' python3 '\(home.path("terminal.py"))' "$@" \
                    > '\(home.path("screen.part"))' 2>&1
                mv '\(home.path("screen.part"))' '\(home.path("screen"))'
                """)
    }

    /// The recorded arguments of a stand-in, once it has run: programs are started without waiting
    /// for them.
    private func noted(_ name: String) throws -> [String] {
        try contents(name).split(separator: "\0").map(String.init)
    }

    private func contents(_ name: String) throws -> String {
        let file = home.folder.appendingPathComponent(name)
        for _ in 0..<600 where !FileManager.default.fileExists(atPath: file.path) {
            Thread.sleep(forTimeInterval: 0.05)
        }
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    private var leftBehind: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: home.path("runtime")) }
    }

    private var names: [String] {
        get throws {
            try program.run(["list", "--json"]).records.compactMap { $0["name"] as? String }
        }
    }

    @Test("the viewer gets the files unchanged", arguments: ["bin", "programs"])
    func viewer(folder: String) throws {
        try standIn("passconduit-viewer", in: folder, script: "exit 7")
        try standIn("notify-send")
        let names = [
            "; touch x", "-rf", "a\nb", "it's \"one\"", "file:///tmp/%41.pkpass",
            "passconduit:pass/pass.example.test/0001", "passconduit:x",
        ]
        let result = try program.run(["open", "--language", "de", "--"] + names)
        #expect(result.status == 7)
        #expect(try noted("passconduit-viewer") == ["--language", "de", "--"] + names)
        #expect(!FileManager.default.fileExists(atPath: home.path("notify-send")))
        let bytes = try program.shell("\"$PROGRAM\" open \"$(printf '\\377.pkpass')\"")
        #expect(bytes.status == 7)
        let given = try Data(contentsOf: home.folder.appendingPathComponent("passconduit-viewer"))
        #expect(given.suffix(8) == Data([0xFF] + ".pkpass".utf8))
    }

    @Test("started from a terminal, it asks there")
    func terminal() throws {
        try standIn("passconduit-viewer")
        var program = program
        program.environment["PATH"]? += ":\(Program.searchPath)"
        let result = try program.onTerminal(
            ["open"] + passes.trust + [passes.path("trusted.pkpass")], typing: "y\n")
        #expect(result.output.contains("added      Example Air"))
    }

    @Test("started from a desktop program's terminal, it does not ask there")
    func launched() throws {
        try standIn("passconduit-viewer", script: "exit 7")
        var shell = Program("/bin/sh", home: home)
        shell.environment = program.environment
        shell.environment["PATH"]? += ":\(Program.searchPath)"
        for (process, status) in [("$$", 7), ("1", 0)] {
            let start = "GIO_LAUNCHED_DESKTOP_FILE_PID=\(process) exec \"$@\""
            let result = try shell.onTerminal(
                ["-c", start, "sh", program.path, "open"] + passes.trust
                    + [passes.path("trusted.pkpass")], typing: "\n")
            #expect(result.status == status)
            #expect(result.output.contains("[y/N]") == (status == 0))
        }
    }

    @Test(
        "without the viewer a terminal window asks, even if the file is removed before it opens",
        arguments: [
            ("xdg-terminal-exec", ""), ("x-terminal-emulator", "-e"), ("gnome-terminal", "--"),
            ("xfce4-terminal", "-x"),
        ])
    func window(name: String, option: String) throws {
        let file = try home.write(passes.data("trusted.pkpass"), to: "; touch x/-it's\n$(id)")
        try standIn("notify-send")
        try standInTerminal(
            name, option: option, typing: "y\n\n", before: "rm -r '\(home.path("; touch x"))'")
        let result = try program.run(["open"] + passes.trust + [file.path])
        #expect(result.status == 0)
        let screen = try contents("screen")
        #expect(screen.contains("Example Air"))
        #expect(screen.contains("added      Example Air, LIS -> OPO"))
        #expect(screen.contains("Press Enter to close this window."))
        #expect(try names == ["pass.example.test/0001"])
        // The command line contains no untrusted name.
        let command = try noted(name)
        #expect(command.last?.hasPrefix(home.path("runtime/passconduit-open-")) == true)
        #expect(!command.contains { $0.contains("touch") || $0.contains("$(id)") })
        #expect(try leftBehind == [])
        let record = try program.run(["show", "1", "--json"]).records.first
        let origin = (record?["origins"] as? [[String: Any]])?.first
        #expect(origin?["source"] as? String == file.path)
    }

    @Test("the user's preferred terminal comes first, with its own options")
    func ownTerminal() throws {
        try standIn("xdg-terminal-exec", script: "exit 1")
        try standIn("notify-send")
        try standInTerminal("kitty", option: "--single-instance", typing: "\n\n")
        var program = program
        program.environment["TERMINAL"] = "kitty --single-instance"
        let file = passes.path("trusted.pkpass")
        #expect(try program.run(["open"] + passes.trust + [file]).status == 0)
        #expect(try contents("screen").contains("Not added."))
        #expect(!FileManager.default.fileExists(atPath: home.path("xdg-terminal-exec")))
    }

    @Test("if a terminal exits without running the command, the next one is tried")
    func nextTerminal() throws {
        try standIn("xdg-terminal-exec")
        try standIn("notify-send")
        try standInTerminal("xterm", typing: "y\n\n")
        let file = passes.path("trusted.pkpass")
        #expect(try program.run(["open"] + passes.trust + [file]).status == 0)
        #expect(try noted("xdg-terminal-exec").contains("open"))
        #expect(try contents("screen").contains("added      Example Air"))
    }

    @Test("the window uses the same library, even without the variables")
    func ownLibrary() throws {
        try standIn("notify-send")
        try standInTerminal(typing: "y\n\n", before: "unset PASSCONDUIT_LIBRARY")
        var program = program
        program.environment["PASSCONDUIT_LIBRARY"] = home.path("mine")
        let file = passes.path("trusted.pkpass")
        #expect(try program.run(["open"] + passes.trust + [file]).status == 0)
        #expect(try contents("screen").contains("added      Example Air"))
        #expect(try program.run(["list"]).lines.count == 1)
    }

    @Test(
        "child processes have default signals: Ctrl-C works in the window",
        arguments: ["passconduit-viewer", "notify-send", "x-terminal-emulator"])
    func signals(name: String) throws {
        try standIn(name, script: "exit 1")
        _ = try program.run(["open", passes.path("unsigned.pkpass")])
        _ = try noted(name)
        let masks = try contents("signals").split(separator: "\n").map { line in
            UInt64(line.drop { $0 != "\t" }.dropFirst(), radix: 16)
        }
        #expect(masks.count == 2)
        #expect(masks.first == 0)
        #expect(masks.last.flatMap(\.self).map { $0 >> UInt64(SIGPIPE - 1) & 1 } == 0)
    }

    @Test("a notification shows the pass as text, never as markup")
    func notification() throws {
        try standIn("notify-send")
        try standInTerminal(typing: "\n\n")
        let file = passes.path("marked.pkpass")
        #expect(try program.run(["open", file]).status == 0)
        let words = try noted("notify-send")
        #expect(words.dropLast(2).contains("--"))
        #expect(words.dropLast().last == "A pass that is not signed")
        // notify-send interprets C escapes in its arguments, so each backslash is doubled.
        let title = "&lt;b&gt;trusted&lt;/b&gt; &amp;amp; \\\\074i\\\\076"
        #expect(words.last?.hasPrefix("unsigned: \(title), ") == true)
        _ = try contents("screen")
    }

    @Test("if no window can be opened, the notification says how to continue")
    func noTerminal() throws {
        try standIn("notify-send")
        try standIn("x-terminal-emulator", script: "exit 1")
        let file = try home.write(passes.data("trusted.pkpass"), to: "it's.pkpass").path
        let result = try program.run(["open"] + passes.trust + [file])
        #expect(result.status == 0)
        #expect(result.output.contains("Nothing was added. To add it: passconduit import "))
        #expect(try leftBehind == [])
        #expect(try names == [])
        for _ in 0..<600 where try noted("notify-send").count < 10 {
            Thread.sleep(forTimeInterval: 0.05)
        }
        #expect(try noted("notify-send").last?.contains("To add it, in a terminal: ") == true)
    }

    @Test("without terminal and notification, the result is printed")
    func nothing() throws {
        let result = try program.run(["open"] + passes.trust + [passes.path("trusted.pkpass")])
        #expect(result.status == 0)
        #expect(result.output.contains("  Verdict   trusted: "))
        #expect(result.output.contains("Nothing was added. To add it: passconduit import "))
        #expect(try leftBehind == [])
    }

    @Test("without the viewer, a passURL shows the pass in a terminal window, without a question")
    func passURL() throws {
        _ = try program.run(["import"] + passes.trust + [passes.path("trusted.pkpass")])
        try standIn("notify-send")
        try standInTerminal(typing: "\n")
        let url = "passconduit:pass/pass.example.test/0001"
        let result = try program.run(["open"] + passes.trust + [url])
        #expect(result.status == 0)
        #expect(result.errors == "")
        let screen = try contents("screen")
        #expect(screen.contains("already in the library: passconduit show 1"))
        #expect(!screen.contains("[y/N]"))
        #expect(try leftBehind == [])
        let missing = try program.run(["open", url + "2"])
        #expect(missing.status == 2)
        let words = "there is no pass pass.example.test/00012 in the library"
        #expect(missing.errors.contains(words))
        #expect(try noted("notify-send").contains { $0.contains(words) })
    }

    @Test("an unreadable URL is reported on the desktop too")
    func refused() throws {
        try standIn("notify-send")
        try standIn("x-terminal-emulator")
        let link = "ftp://example.org/<b>.pkpass"
        #expect(try program.run(["open", link]).status == 2)
        let words = try noted("notify-send")
        #expect(words.dropLast().last == "No pass could be read")
        #expect(
            words.last?.hasPrefix("ftp://example.org/&lt;b&gt;.pkpass: ftp: URLs") == true)
        #expect(!FileManager.default.fileExists(atPath: home.path("x-terminal-emulator")))
        #expect(try leftBehind == [])
    }

    @Test("it leaves no files when it is terminated while a window opens")
    func ended() throws {
        // A terminal that never runs the command, and exits with the test.
        try standIn(
            "x-terminal-emulator",
            script: "while [ ! -e '\(home.path("over"))' ] && [ -d '\(home.folder.path)' ]; do "
                + "sleep 0.1; done")
        let process = try program.start(["open"] + passes.trust + [passes.path("trusted.pkpass")])
        _ = try noted("x-terminal-emulator")
        #expect(try leftBehind.count == 1)
        process.terminate()
        for _ in 0..<600 where try !leftBehind.isEmpty { Thread.sleep(forTimeInterval: 0.05) }
        // Foundation waits for the children of a program before it reports that the program has
        // ended.
        try home.write(Data(), to: "over")
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == SIGTERM)
        #expect(try leftBehind == [])
    }

    @Test("a pipe or a folder is refused at once", arguments: ["mkfifo", "mkdir"])
    func noFile(command: String) throws {
        let path = home.path("a.pkpass")
        _ = try program.shell("PATH='\(Program.searchPath)' \(command) a.pkpass")
        let result = try program.run(["open", path])
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("passconduit: \(path): cannot open: "))
        #expect(try leftBehind == [])
    }

    @Test(
        "another user's folder is neither read nor removed",
        arguments: ["mine", "link", "link/", "link//"])
    func strangersFolder(name: String) throws {
        let folder = home.path("passconduit-open-mine")
        try home.write(passes.data("trusted.pkpass"), to: "passconduit-open-mine/1-copy")
        try home.write(Data("a".utf8), to: "passconduit-open-mine/1-name")
        let link = home.path("passconduit-open-link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
        // The first folder is readable by others, and the other is a link.
        let mode = name == "mine" ? 0o755 : 0o700
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
        let result = try program.run([
            "open", "--handed-over", home.path("passconduit-open-\(name)"),
        ])
        #expect(result.status == 2)
        #expect(result.errors.contains("it contains no passes to open"))
        #expect(FileManager.default.fileExists(atPath: folder + "/1-copy"))
    }
}
