import Foundation
import PassFixtures
import Testing

@Suite("passconduit-deliver imports passes from mail and never rejects a message for one")
final class DeliverTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home()
        program = Program("passconduit-deliver", home: home)
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    /// The program in a folder without passconduit.
    private func alone() throws -> Program {
        let path = home.path("alone/passconduit-deliver")
        try FileManager.default.createDirectory(
            atPath: home.path("alone"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: program.path, toPath: path)
        return Program(path, home: home, environment: ["PATH": "alone:."])
    }

    private func mail(_ attachment: String?) throws -> Data {
        let text = "From: Ada <ada@example.org>\nSubject: Trip\nMIME-Version: 1.0\n"
        guard let attachment else { return Data("\(text)\nHello.\n".utf8) }
        let octets = try passes.data(attachment).base64EncodedString(
            options: .lineLength76Characters)
        return Data(
            """
            \(text)Content-Type: application/octet-stream; name=\(attachment)
            Content-Transfer-Encoding: base64

            \(octets)

            """.utf8)
    }

    private var stored: [String] {
        get throws {
            try Program(home: home).run(["list", "--json"]).records
                .compactMap { $0["name"] as? String }
        }
    }

    @Test("a trusted pass is stored, and nothing is printed")
    func trusted() throws {
        let result = try program.run(passes.trust, input: mail("trusted.pkpass"))
        #expect(result.status == 0)
        #expect(result.output == "" && result.errors == "")
        #expect(try stored == ["pass.example.test/0001"])
    }

    @Test("a message after an mbox `From ` line, into the library named by the option")
    func fromLine() throws {
        let line = Data("From ada@example.org Wed May  1 10:00:00 2024\n".utf8)
        let arguments = passes.trust + ["--library=elsewhere"]
        let result = try program.run(arguments, input: line + mail("trusted.pkpass"))
        #expect(result.status == 0)
        #expect(FileManager.default.fileExists(atPath: home.path("elsewhere/library.sqlite")))
    }

    @Test(
        "an untrusted pass is not stored, and the delivery succeeds",
        arguments: ["untrusted", "unsigned", "tampered", "html", "five", "bomb", "climbing"])
    func notTrusted(name: String) throws {
        let result = try program.run(passes.trust, input: mail("\(name).pkpass"))
        #expect(result.status == 0)
        #expect(result.output == "")
        #expect(try stored == [])
    }

    @Test("a problem in the message is reported, and the delivery succeeds")
    func problem() throws {
        let mail =
            "From: a@example.org\nContent-Type: message/partial; id=x; number=1; total=2\n\nx\n"
        let result = try program.run([], input: Data(mail.utf8))
        #expect(result.status == 0)
        #expect(result.errors.contains("in 2 fragments, and only these arrived: 1"))
    }

    @Test("without a candidate nothing is started, whatever the state of the library")
    func noCandidate() throws {
        let alone = try alone()
        for mail in [try mail(nil), Data(), Data("From: a@example.org".utf8)] {
            let result = try alone.run(["--library", "/dev/null/library"], input: mail)
            #expect(result.status == 0)
            #expect(result.output == "" && result.errors == "")
        }
    }

    @Test("if the library cannot store the pass, the mail system retries")
    func noLibrary() throws {
        for folder in ["/dev/null/library", "/proc/library"] {
            let result = try program.run(
                passes.trust + ["--library", folder], input: mail("trusted.pkpass"))
            #expect(result.status == 75)
            #expect(result.output == "")
            #expect(result.errors.hasPrefix("passconduit: cannot write "))
        }
    }

    @Test(
        "mail without passes does not wait for the library",
        arguments: ["untrusted.pkpass", "tampered.pkpass", "html.pkpass", "office.docx"])
    func noLibraryNeeded(name: String) throws {
        if name == "office.docx" {
            let made = try program.shell(
                "python3 -c 'import zipfile; zipfile.ZipFile(\"\(name)\", \"w\").writestr(\"a.xml\", \"<a/>\")'"
            )
            try #require(made.status == 0)
        }
        let folder = name.hasSuffix("x") ? home.folder : passes.folder
        let octets = try Data(contentsOf: folder.appendingPathComponent(name))
        let mail =
            "From: a@example.org\nContent-Type: application/octet-stream; name=\(name)\n"
            + "Content-Transfer-Encoding: base64\n\n"
            + octets.base64EncodedString(options: .lineLength76Characters)
        let result = try program.run(
            passes.trust + ["--library", "/proc/library"], input: Data(mail.utf8))
        #expect(result.status == 0)
        #expect(result.output == "")
        #expect(!result.errors.contains("/proc/library"))
    }

    @Test(
        "if passconduit is missing, the mail system retries; relative folders are not searched")
    func noProgram() throws {
        let alone = try alone()
        try FileManager.default.createSymbolicLink(
            atPath: home.path("passconduit"), withDestinationPath: Program(home: home).path)
        let result = try alone.run(passes.trust, input: mail("trusted.pkpass"))
        #expect(result.status == 75)
        #expect(
            result.errors
                == "passconduit-deliver: cannot start passconduit: no such file or directory\n")
    }

    @Test("passconduit is found in an absolute folder of $PATH")
    func searchPath() throws {
        var alone = try alone()
        alone.environment = ["PATH": "alone:\(Program.folder.path)"]
        #expect(try alone.run(passes.trust, input: mail("trusted.pkpass")).status == 0)
        #expect(try stored.count == 1)
    }

    @Test("without a readable message, or space to store it, the mail system retries")
    func noMessage() throws {
        #expect(try program.shell("\"$PROGRAM\" <&-").status == 75)
        #expect(try program.shell("\"$PROGRAM\" < .").status == 75)
        let limited = "(ulimit -f 100; head -c 10000000 /dev/zero | \"$PROGRAM\")"
        let result = try program.shell(limited)
        #expect(result.status == 75)
        #expect(result.errors == "passconduit-deliver: the message: cannot write: file too large\n")
    }

    @Test(
        "it works however the mail system sets up its streams and child signals",
        arguments: [
            "cat mail | \"$PROGRAM\" $T", "\"$PROGRAM\" $T < mail >&-",
            "\"$PROGRAM\" $T < mail 2>&-",
            "trap '' CHLD; exec \"$PROGRAM\" $T < mail",
            "(head -c 50; sleep 0.1; head -c 1000; sleep 0.1; cat) < mail | \"$PROGRAM\" $T",
        ])
    func streams(line: String) throws {
        try home.write(mail("trusted.pkpass"), to: "mail")
        let line = "T='\(passes.trust.joined(separator: " "))'; \(line)"
        #expect(try program.shell(line).status == 0)
        #expect(try stored.count == 1)
    }

    @Test(
        "a large message takes no more memory than a small one",
        arguments: [("image/png", 0), ("application/vnd.apple.pkpass", 75)])
    func large(type: String, status: Int32) throws {
        var alone = try alone()
        alone.environment["HEAD"] =
            "From: a@example.org\nContent-Transfer-Encoding: base64\nContent-Type: \(type)"
        let line =
            "(printf '%s\\n\\n' \"$HEAD\"; base64 < /dev/zero) "
            + "| head -c 60000000 | (ulimit -v 20000; exec \"$PROGRAM\")"
        alone.environment["PATH"] = Program.searchPath
        #expect(try alone.shell(line).status == status)
    }

    @Test("a character set that needs a shared library is left to passconduit")
    func characterSets() throws {
        let alone = try alone()
        for (name, status) in [("=?iso-8859-1?Q?=C1.pdf?=", 0), ("=?koi8-r?Q?=C1.pdf?=", 75)] {
            let mail = "From: a@b.example\nContent-Type: text/plain; name=\"\(name)\"\n\nHello.\n"
            #expect(try alone.run([], input: Data(mail.utf8)).status == Int32(status))
        }
    }

    @Test("the process that searches the message may only read it and write its result")
    func confined() throws {
        try home.write(mail(nil), to: "mail")
        let trace =
            "strace -f -e trace=fork,vfork,clone,clone3,read,mmap,landlock_restrict_self,seccomp"
        let result = try program.shell(
            "\(trace) -o trace \"$PROGRAM\" < mail; sed 's/^[0-9]* *//' trace")
        try #require(result.status == 0, "\(result.errors)")
        guard let start = result.lines.firstIndex(where: { $0.contains("clone") }) else {
            Issue.record("it starts no process: \(result.output)")
            return
        }
        // The parent waits, so the calls that follow are the child's.
        let calls = result.lines[(start + 1)...].map { $0.prefix { $0 != "(" } }
        #expect(calls.contains("seccomp"))
        let end = calls.lastIndex(of: "seccomp") ?? 0
        #expect(result.lines[start + 1 + end].hasSuffix("= 0"))
        #expect(!calls[..<end].contains("read") && !calls[..<end].contains("mmap"))
    }

    @Test("it is linked statically, so that it starts at once")
    func isStatic() throws {
        let result = try program.shell("ldd \"$PROGRAM\" 2>&1")
        #expect(result.output.contains("not a dynamic executable"))
    }

    @Test("--help prints its usage, and --version the version of passconduit")
    func usage() throws {
        let help = try program.run(["--help"])
        #expect(help.status == 0)
        #expect(help.output.contains("USAGE: passconduit-deliver"))
        let version = try program.run(["--version"])
        #expect(try version.output == Program(home: home).run(["--version"]).output)
        let mistake = try program.run(["message.eml"], input: mail("trusted.pkpass"))
        #expect(mistake.status == 64)
        #expect(mistake.errors.hasPrefix("passconduit-deliver: unexpected argument"))
    }
}
