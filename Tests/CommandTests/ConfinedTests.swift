import Foundation
import PassFixtures
import Testing

@Suite("Commands that read untrusted input drop all rights they do not need")
final class ConfinedTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home(named: "confined")
        program = Program(home: home)
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    /// The kernel features that the program reports. For the commands, only the results are
    /// checked.
    private static let offered: String = {
        guard let home = try? Home(named: "offered") else { return "" }
        defer { home.remove() }
        return (try? Program(home: home).run(["--version", "--verbose"]).output) ?? ""
    }()

    private static var hasSeccomp: Bool { offered.contains("programs        by seccomp") }
    private static var hasLandlock: Bool { offered.contains("other files     by Landlock") }

    @Test(
        "all threads of a run are confined when it reads its input",
        .enabled(if: hasSeccomp, "this kernel has no seccomp"),
        arguments: [["scan"], ["import"], ["open"], ["verify"]])
    func threads(command: [String]) throws {
        let jobs = ["open", "verify"].contains(command[0]) ? [] : ["--jobs", "4"]
        let run = try WaitingRun(program, command + jobs + [passes.path("mail.mbox"), "-"])
        let statuses = try run.statuses()
        #expect(statuses.count > 1)
        for status in statuses {
            #expect(status.contains("NoNewPrivs:\t1"))
            #expect(status.contains("Seccomp:\t2"))
            // The first five capabilities let root access any file.
            let capabilities = try #require(status.firstMatch(of: /CapEff:\t([0-9a-f]+)/)).1
            #expect(try #require(UInt64(capabilities, radix: 16)) < 0x20)
        }
        run.end()
    }

    @Test(
        "a file outside the folder is not opened through a link created later, not even by root",
        .enabled(if: hasLandlock, "this kernel has no Landlock"))
    func lateLink() throws {
        try home.write(passes.data("trusted.pkpass"), to: "mail/first.pkpass")
        try home.write(passes.data("trusted.pkpass"), to: "secret/pass.pkpass")
        let run = try WaitingRun(program, ["scan", "--jobs", "1"] + passes.trust + ["-", "mail"])
        _ = try run.statuses()
        try FileManager.default.createSymbolicLink(
            atPath: home.path("mail/late.pkpass"),
            withDestinationPath: "../secret/pass.pkpass")
        run.end()
        #expect(run.lines.count == 1)
        #expect(run.lines.first?.hasSuffix("mail/first.pkpass") == true)
        #expect(run.problems == ["passconduit: mail/late.pkpass: cannot open: permission denied"])
    }

    @Test(
        "a named file is read even if another one takes its place during the run",
        .enabled(if: hasLandlock, "this kernel has no Landlock"),
        arguments: [["scan", "--jobs", "1"], ["import", "--jobs", "1"]])
    func replaced(command: [String]) throws {
        try home.write(passes.data("trusted.pkpass"), to: "first.pkpass")
        try home.write(passes.data("newer.pkpass"), to: "newer.pkpass")
        let run = try WaitingRun(program, command + passes.trust + ["-", "first.pkpass"])
        _ = try run.statuses()
        try program.shellDone("mv newer.pkpass first.pkpass")
        run.end()
        #expect(run.problems == [])
        #expect(run.lines.count == 1)
        #expect(run.lines.first?.contains("trusted") == true)
    }

    @Test("links to files out of a folder are followed, and links to folders with -L")
    func links() throws {
        for (pass, name) in [
            ("trusted", "disk/a/one"), ("newer", "disk/b/two"), ("unsigned", "disk/c/three"),
        ] { try home.write(passes.data("\(pass).pkpass"), to: "\(name).pkpass") }
        try FileManager.default.createDirectory(
            atPath: home.path("mail/deep"), withIntermediateDirectories: true)
        for (link, target) in [
            ("mail/folder", "../disk/a"), ("disk/a/further", "../b"),
            ("mail/deep/file.pkpass", "../../disk/c/three.pkpass"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: home.path(link), withDestinationPath: target)
        }
        let file = "mail/deep/file.pkpass"
        let others = ["mail/folder/further/two.pkpass", "mail/folder/one.pkpass"]
        for options in [[], ["-L"], ["--follow-symlinks"]] {
            let scan = try program.run(["scan", "--json", "mail"] + options)
            #expect(scan.errors == "")
            let sources = scan.records.compactMap { $0["source"] as? String }
            #expect(sources == [file] + (options.isEmpty ? [] : others))
            let count = scan.records.last?["linksNotFollowed"] as? Int
            #expect(count == (options.isEmpty ? 1 : nil))
        }
    }

    @Test(
        "attachments beside an Apple Mail message are read, however the message is named",
        arguments: [
            ["Box.mbox"], ["Box.mbox/Messages"], ["Box.mbox/Messages/1.partial.emlx"],
            ["Box.mbox/Messages/"],
        ])
    func besides(sources: [String]) throws {
        let mail = """
            From: ada@example.org
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=b

            --b

            Here it is.
            --b
            Content-Type: application/vnd.apple.pkpass; name=unsigned.pkpass
            Content-Transfer-Encoding: base64
            X-Apple-Content-Length: 1000

            --b--

            """
        try home.write(
            Data("\(mail.utf8.count)\n\(mail)".utf8), to: "Box.mbox/Messages/1.partial.emlx")
        try home.write(
            passes.data("unsigned.pkpass"), to: "Box.mbox/Attachments/1/2/unsigned.pkpass")
        let scan = try program.run(["scan"] + sources)
        #expect(scan.errors == "")
        #expect(scan.lines.count == 1)
        #expect(scan.lines.first?.hasPrefix("unsigned") == true)
    }

    @Test("a library whose index and files are in other folders works as usual")
    func library() throws {
        for folder in ["index", "files", "library"] {
            try FileManager.default.createDirectory(
                atPath: home.path(folder), withIntermediateDirectories: true)
        }
        for (link, target) in [
            ("library/passes", "../files"), ("library/library.sqlite", "../index/it.sqlite"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: home.path(link), withDestinationPath: target)
        }
        try home.write(Data(), to: "index/it.sqlite")
        let place = ["--library", "library"]
        let added = try program.run(
            ["import"] + passes.trust + place + [passes.path("trusted.pkpass")])
        #expect(added.errors == "")
        #expect(added.lines.first?.hasPrefix("added") == true)
        #expect(try program.run(["list"] + place).lines.count == 1)
        #expect(try program.run(["show", "1"] + place).status == 0)
        #expect(try program.run(["search", "porto"] + place).status == 0)
        #expect(try program.run(["library", "check", "--mend"] + place).status == 0)
    }

    @Test(
        "large parts are spooled to the default folder, or to TMPDIR",
        arguments: [nil, "spool"])
    func spool(folder: String?) throws {
        if let folder {
            try FileManager.default.createDirectory(
                atPath: home.path(folder), withIntermediateDirectories: true)
        }
        let made = try program.shell(
            """
            python3 -c '
            import json, os, zipfile
            with zipfile.ZipFile("inner.pkpass", "w") as archive:
                archive.writestr("pass.json", json.dumps({
                    "formatVersion": 1, "passTypeIdentifier": "pass.com.example.ticket",
                    "serialNumber": "1", "teamIdentifier": "A1B2C3D4E5",
                    "organizationName": "Example", "description": "Ticket", "generic": {}}))
                archive.writestr("icon.png", os.urandom(3 << 20))
            with zipfile.ZipFile("outer.zip", "w") as archive: archive.write("inner.pkpass")
            ' && gzip outer.zip
            """)
        try #require(made.status == 0, "\(made.errors)")
        let program = Program(
            home: home, environment: folder.map { ["TMPDIR": home.path($0)] } ?? [:])
        let scan = try program.run(["scan", "outer.zip.gz"])
        #expect(scan.errors == "")
        #expect(scan.lines.first?.hasPrefix("unsigned") == true)
    }

    @Test("--version --verbose reports what the kernel supports; plain --version does not")
    func version() throws {
        let version = try program.run(["--version"])
        let lines = try program.run(["--version", "--verbose"]).lines
        #expect(lines.first.map { $0 + "\n" } == version.output)
        #expect(lines.count == 7)
        #expect(try program.run(["--verbose", "--version"]).lines == lines)
        // Ask the kernel the same question from Python (landlock_create_ruleset without a ruleset).
        let asked = try program.shell(
            "python3 -c 'import ctypes; print(ctypes.CDLL(None).syscall(444, None, 0, 1))'")
        let landlock = Int(asked.output.dropLast()) ?? 0
        let files = landlock > 0 ? "Landlock \(landlock)" : "nothing, on this kernel"
        #expect(lines.dropFirst(3).first?.hasPrefix("  other files     by \(files)") == true)
    }
}

/// A run that has read everything except its standard input and waits for it.
private final class WaitingRun {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()
    private(set) var lines: [String] = []
    private(set) var problems: [String] = []

    init(_ program: Program, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: program.path)
        process.arguments = arguments
        process.currentDirectoryURL = program.home.folder
        process.environment = ["HOME": program.home.folder.path, "PATH": Program.searchPath]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // The first bytes rule out a list of URLs. Until the kind of input is known, the program
        // reads nothing and drops no rights.
        try input.fileHandleForWriting.write(contentsOf: Data("From: ada@example.org\n".utf8))
    }

    private func readStatuses(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
            try? String(contentsOfFile: "\(folder)/\($0)/status", encoding: .utf8)
        }
    }

    /// The kernel's status of each thread, once there are several and one of them has a filter,
    /// which is installed last.
    func statuses() throws -> [String] {
        let folder = "/proc/\(process.processIdentifier)/task"
        for _ in 0..<1000 {
            let statuses = try readStatuses(folder)
            if statuses.count > 1, statuses.contains(where: { $0.contains("Seccomp:\t2") }) {
                // The filter may have been installed between two of these reads.
                return try readStatuses(folder)
            }
            usleep(10_000)
        }
        return []
    }

    /// Closes its input and waits until it exits.
    func end() {
        try? input.fileHandleForWriting.close()
        let text = { (pipe: Pipe) in
            String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                .split(separator: "\n").map(String.init)
        }
        lines = text(output)
        problems = text(errors)
        process.waitUntilExit()
    }
}
