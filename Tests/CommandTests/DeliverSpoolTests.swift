import Foundation
import PassFixtures
import Testing

@Suite("With --spool a message waits until its passes can be stored")
final class DeliverSpoolTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home(named: "spool")
        program = Program("passconduit-deliver", home: home)
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    private func mail(_ attachment: String?) throws -> Data {
        guard let attachment else { return Data("From: a@example.org\n\nHello.\n".utf8) }
        let type = "Content-Type: application/octet-stream; name=\(attachment)"
        let octets = try passes.data(attachment).base64EncodedString(
            options: .lineLength76Characters)
        return Data(
            "From: a@example.org\n\(type)\nContent-Transfer-Encoding: base64\n\n\(octets)\n".utf8)
    }

    private func deliver(
        _ attachment: String?, _ arguments: String..., library: String = "library"
    ) throws -> Program.Result {
        let options = passes.trust + ["--library", library] + arguments
        return try program.run(options, input: mail(attachment))
    }

    private func files(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: home.path(folder))) ?? []
    }

    private var stored: Set<String> {
        get throws {
            let records = try Program(home: home).run(["list", "--json", "--library", "library"])
                .records
            return Set(records.compactMap { $0["name"] as? String })
        }
    }

    @Test("the next run imports it, whatever its own message contains")
    func waits() throws {
        let kept = try deliver("trusted.pkpass", "--spool", library: "/proc/library")
        #expect(kept.status == 0)
        let folder = ".local/state/passconduit/spool"
        #expect(kept.errors.contains("the message is kept in \(home.path(folder))"))
        #expect(files("\(folder)/new").count == 1)
        let name = try #require(files("\(folder)/new").first)
        let message = URL(fileURLWithPath: home.path("\(folder)/new/\(name)"))
        #expect(try Data(contentsOf: message) == mail("trusted.pkpass"))

        // Without the option the spool is not read.
        #expect(try deliver(nil).status == 0)
        #expect(files("\(folder)/new").count == 1)
        let next = try deliver(nil, "--spool")
        #expect(next.status == 0 && next.errors == "")
        #expect(files("\(folder)/new").isEmpty && files("\(folder)/tmp").isEmpty)
        #expect(try stored == ["pass.example.test/0001"])
    }

    @Test("the spool is in the folder named by the option, and other users cannot read it")
    func named() throws {
        let option = "--spool=\(home.path("a/b c/spool"))"
        #expect(try deliver("trusted.pkpass", option, library: "/proc/library").status == 0)
        #expect(files("a/b c/spool/new").count == 1)
        for folder in ["a/b c", "a/b c/spool", "a/b c/spool/new"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: home.path(folder))
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
        #expect(try deliver("newer.pkpass", option).status == 0)
        #expect(files("a/b c/spool/new").isEmpty)
        #expect(try stored.count == 1)
    }

    @Test("each run imports some of many waiting messages, the oldest first")
    func many() throws {
        let folder = home.path("spool")
        #expect(
            try deliver("trusted.pkpass", "--spool=\(folder)", library: "/proc/library").status == 0
        )
        let name = try #require(files("spool/new").first)
        for number in 0..<20 {
            try FileManager.default.copyItem(
                atPath: "\(folder)/new/\(name)", toPath: "\(folder)/new/2\(name)\(number)")
        }
        #expect(try deliver(nil, "--spool=\(folder)").status == 0)
        #expect(files("spool/new").count == 5)
        #expect(!files("spool/new").contains(name))
        #expect(try deliver(nil, "--spool=\(folder)").status == 0)
        #expect(files("spool/new").isEmpty)
    }

    @Test("messages wait while the library is missing, and mail without passes is not delayed")
    func stays() throws {
        let option = "--spool=\(home.path("spool"))"
        _ = try deliver("trusted.pkpass", option, library: "/proc/library")
        // After one attempt, there is a pause.
        #expect(try deliver(nil, option, library: "/proc/library").errors.contains("/proc/library"))
        #expect(try deliver(nil, option, library: "/proc/library").errors == "")
        #expect(files("spool/new").count == 1)
        // A successful import shows that the program works again.
        #expect(try deliver("newer.pkpass", option).status == 0)
        #expect(files("spool/new").isEmpty)
    }

    @Test(
        "a message that crashes passconduit is tried five times at growing intervals, then set aside"
    )
    func broken() throws {
        let option = "--spool=\(home.path("spool"))"
        let breaking = try breakingProgram(on: "[ -s /dev/stdin ] &&")
        let result = try breaking.run([option], input: mail("trusted.pkpass"))
        #expect(result.status == 0)
        #expect(result.errors.contains("was ended by signal 11"))
        for attempts in 1..<5 {
            let name = try #require(files("spool/new").first)
            #expect(name.hasSuffix(",attempts=\(attempts)"))
            #expect(try breaking.run([option], input: mail(nil)).errors == "")
            #expect(files("spool/new") == [name])
            try moveBack(name)
            let told = try breaking.run([option], input: mail(nil)).errors
            #expect(told.contains("kept in 'cur', and not tried again") == (attempts == 4))
        }
        #expect(files("spool/new").isEmpty && files("spool/cur").count == 1)
        // The spool is an ordinary Maildir.
        let scan = try Program(home: home).run(["scan"] + passes.trust + ["--json", "spool"])
        #expect(scan.records.filter { $0["verdict"] as? String == "trusted" }.count == 1)
    }

    @Test("a message that crashes passconduit once is imported by a later attempt")
    func brokenOnce() throws {
        let option = "--spool=\(home.path("spool"))"
        let breaking = try breakingProgram(on: "[ -s /dev/stdin ] &&")
        _ = try breaking.run([option], input: mail("trusted.pkpass"))
        try moveBack(#require(files("spool/new").first))
        #expect(try deliver(nil, option).errors == "")
        #expect(files("spool/new").isEmpty && files("spool/cur").isEmpty)
        #expect(try stored.count == 1)
    }

    /// Changes the name of a message so that its last attempt was years ago.
    private func moveBack(_ name: String) throws {
        let rest = name.drop { $0 != "." }
        try FileManager.default.moveItem(
            atPath: home.path("spool/new/\(name)"),
            toPath: home.path("spool/new/1000000000\(rest)"))
    }

    @Test("a message is not charged with an attempt if passconduit also crashes without a message")
    func brokenProgram() throws {
        let breaking = try breakingProgram(on: "")
        #expect(try breaking.run([], input: mail("trusted.pkpass")).status == 75)
        let option = "--spool=\(home.path("spool"))"
        #expect(try breaking.run([option], input: mail("trusted.pkpass")).status == 0)
        #expect(files("spool/new").count == 1 && files("spool/cur").isEmpty)
        #expect(try breaking.run([option], input: mail(nil)).status == 0)
        #expect(files("spool/new").count == 1 && files("spool/cur").isEmpty)
        #expect(try deliver("newer.pkpass", option).status == 0)
        #expect(files("spool/new").isEmpty)
        #expect(try stored.count == 1)
    }

    /// The program, with a stand-in for passconduit that crashes on a condition, like a program
    /// with a bug.
    private func breakingProgram(on condition: String) throws -> Program {
        try standIn("#!/bin/sh\nulimit -c 0; \(condition) kill -SEGV $$; exit 0\n")
    }

    /// The program, with a script beside it in place of passconduit.
    private func standIn(_ script: String) throws -> Program {
        try home.write(Data(script.utf8), to: "broken/passconduit")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: home.path("broken/passconduit"))
        let copy = home.path("broken/passconduit-deliver")
        try FileManager.default.copyItem(atPath: program.path, toPath: copy)
        return Program(copy, home: home)
    }

    @Test("a message that always fails delays no other, and is set aside after some days")
    func failing() throws {
        let option = "--spool=\(home.path("spool"))"
        _ = try deliver("trusted.pkpass", option, library: "/proc/library")
        let first = try #require(files("spool/new").first)
        // A stand-in that fails on certain messages and passes all others to passconduit.
        let program = Program(home: home).path
        let script = """
            #!/bin/sh
            cat > message
            if grep -q fails message; then exit 2; fi
            exec \(program) "$@" < message

            """
        let failing = try standIn(script)
        let bad = "From: a@example.org\nSubject: fails\n\nfails\n"
        for number in 0..<3 {
            try home.write(Data(bad.utf8), to: "spool/new/0\(number)")
        }
        let options = passes.trust + ["--library", "library", option]
        // The three messages are tried first on this run, and last on later runs.
        #expect(try failing.run(options, input: mail("newer.pkpass")).status == 0)
        #expect(files("spool/new").contains(first))
        #expect(try failing.run(options, input: mail("newer.pkpass")).status == 0)
        #expect(!files("spool/new").contains(first) && files("spool/new").count == 3)
        // Change their last attempts to years ago.
        for name in files("spool/new") {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9)],
                ofItemAtPath: home.path("spool/new/\(name)"))
        }
        let last = try failing.run(options, input: mail("newer.pkpass"))
        #expect(last.status == 0 && last.errors.contains("kept in 'cur', and not tried again"))
        #expect(files("spool/new").isEmpty && files("spool/cur").count == 3)
    }

    @Test(
        "a large message is delivered complete even if no temporary folder can hold it",
        .enabled(if: Mounts.arePossible, Mounts.reason),
        arguments: [("--header", true), ("--tee", true), ("", true), ("--header", false)])
    func large(option: String, isSpooling: Bool) throws {
        let mail = try mail("trusted.pkpass") + Data(repeating: 0x0A, count: 3_000_000)
        try home.write(mail, to: "mail")
        let words = [option] + passes.trust + (isSpooling ? ["--spool=/mnt/home/spool"] : [])
        let result = try program.shell(
            """
            unshare -m sh -ec '
                mount -t tmpfs none /mnt; mkdir /mnt/home /mnt/programs
                mount --bind "$HOME" /mnt/home; mount --bind "$(dirname "$PROGRAM")" /mnt/programs
                cd /mnt/home; export HOME=/mnt/home
                mount -t tmpfs -o size=64k none /tmp; mount -t tmpfs -o size=64k none /var/tmp
                exec /mnt/programs/passconduit-deliver --library /proc/library "$@" < mail > output
                ' sh \(words.joined(separator: " "))
            """)
        #expect(result.status == (isSpooling ? 0 : 75), "\(result.errors)")
        let output = try Data(contentsOf: URL(fileURLWithPath: home.path("output")))
        #expect(output == (option.isEmpty ? Data() : mail))
        guard isSpooling else { return }
        let kept = try #require(files("spool/new").first)
        #expect(try Data(contentsOf: URL(fileURLWithPath: home.path("spool/new/\(kept)"))) == mail)
    }

    @Test("if the spool cannot be written either, the mail system retries")
    func nowhere() throws {
        let result = try deliver("trusted.pkpass", "--spool=/proc/spool", library: "/proc/library")
        #expect(result.status == 75)
        #expect(result.errors.contains("/proc/spool: cannot make a folder"))
    }

    @Test(
        "a user without a home has no spool, and the mail system retries",
        .enabled(if: getuid() == 0, "it takes root to be another user"))
    func homeless() throws {
        // /etc/passwd does not name this user.
        let asNobody = "setpriv --reuid 65533 --regid 65533 --clear-groups env -u HOME TMPDIR=/tmp"
        let homeless = try program.shell(
            "chmod 755 .; \(asNobody) \"$PROGRAM\" --spool --library /proc/library "
                + passes.trust.joined(separator: " "),
            input: mail("trusted.pkpass"))
        #expect(homeless.status == 75)
        #expect(homeless.errors.contains("--spool=FOLDER names one"))
    }

    @Test("library check counts the messages that wait and those that were given up")
    func counted() throws {
        let empty = try Program(home: home).run(["import", passes.path("nothing")])
        #expect(empty.status == 0)
        let check = { try Program(home: self.home).run(["library", "check"]).lines }
        #expect(try check().count == 1)
        _ = try deliver("trusted.pkpass", "--spool", library: "/proc/library")
        _ = try deliver("newer.pkpass", "--spool", library: "/proc/library")
        let folder = ".local/state/passconduit/spool"
        try home.write(mail("unsigned.pkpass"), to: "\(folder)/cur/1.x:2,")
        #expect(
            try check().dropFirst() == [
                "2 messages wait in the spool; to try again: "
                    + "passconduit-deliver --spool < /dev/null",
                "1 message given up is in the spool; to import and remove it: "
                    + "passconduit import \(home.path(folder))/cur "
                    + "&& rm \(home.path(folder))/cur/*",
            ])
        let record = try Program(home: home).run(["library", "check", "--json"]).records.last
        #expect(record?["messagesWaiting"] as? Int == 2)
        #expect(record?["messagesGivenUp"] as? Int == 1)
        // It belongs to the default library.
        let other = try Program(home: home).run(
            ["library", "check", "--library", home.library.path])
        #expect(other.lines.count == 1)
        let list = try Program(home: home).onTerminal(["list"])
        #expect(list.output.contains("2 messages wait in the spool"))
        #expect(try Program(home: home).run(["list"]).errors == "")

        let next = try program.shell("\"$PROGRAM\" --spool \(passes.trust.joined(separator: " "))")
        #expect(next.status == 0)
        #expect(try check().count == 2)
    }

    @Test("nothing that a sender wrote gets into the log of the mail system")
    func discreet() throws {
        let archive = try program.shell(
            """
            python3 -c 'import zipfile
            with zipfile.ZipFile("a.zip", "w") as archive: archive.writestr("Secret.pkpass", "x")'
            base64 a.zip
            """)
        let mail = """
            From: Secret <secret@example.org>
            Subject: Secret
            Content-Type: application/zip; name=Secret.zip
            Content-Transfer-Encoding: base64

            \(archive.output)
            """
        let result = try program.run(["--spool"], input: Data(mail.utf8))
        #expect(result.status == 0)
        #expect(result.errors.contains("the pass is malformed and was refused"))
        #expect(!result.errors.lowercased().contains("secret"))
    }

    @Test("with --tee the message is written to standard output as well")
    func tee() throws {
        let result = try deliver(
            "trusted.pkpass", "--tee", "--spool=\(home.path("spool"))", library: "/proc/library")
        #expect(result.status == 0)
        #expect(try Data(result.output.utf8) == mail("trusted.pkpass"))
        #expect(files("spool/new").count == 1)
    }
}
