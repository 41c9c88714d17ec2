import Foundation
import PassFixtures
import Testing

@Suite("passconduit-deliver exits in time, whatever its child processes do")
final class DeliverDeadlineTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home(named: "deadline")
        program = Program("passconduit-deliver", home: home)
        passes = try TestPasses.make()
        try home.write(mail, to: "mail")
        try home.write(Data("From: a@example.org\n\nHello.\n".utf8), to: "plain")
    }

    deinit { home.remove() }

    private var mail: Data {
        get throws {
            let type = "Content-Type: application/octet-stream; name=trusted.pkpass"
            let octets = try passes.data("trusted.pkpass").base64EncodedString(
                options: .lineLength76Characters)
            return Data(
                "From: a@example.org\n\(type)\nContent-Transfer-Encoding: base64\n\n\(octets)\n"
                    .utf8)
        }
    }

    private var trust: String { passes.trust.joined(separator: " ") }

    private var waiting: [String] { files("spool/new") }

    private func files(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: home.path(folder))) ?? []
    }

    private var storedCount: Int {
        get throws {
            try Program(home: home).run(["list", "--json", "--library", "library"]).records.count
        }
    }

    /// The program, with a script beside it in place of passconduit.
    private func standIn(_ script: String) throws -> Program {
        try home.write(Data("#!/bin/sh\n\(script)\n".utf8), to: "stand-in/passconduit")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: home.path("stand-in/passconduit"))
        let copy = home.path("stand-in/passconduit-deliver")
        if !FileManager.default.fileExists(atPath: copy) {
            try FileManager.default.copyItem(atPath: program.path, toPath: copy)
        }
        return Program(copy, home: home)
    }

    /// Lines of `sh` that wait until the processes listed in the file `processes` have exited. They
    /// exit with 1 if the processes keep running.
    private static let waitForEnds = """
        for round in $(seq 100); do
            left=
            while read -r process; do
                grep -qs '^State:.[^XZ]' /proc/$process/status && left=$process
            done < processes
            [ -n "$left" ] || exit 0
            sleep 0.05
        done
        exit 1
        """

    private func areGone() throws -> Bool {
        try program.shell(Self.waitForEnds).status == 0
    }

    @Test(
        "when memory runs out, the pass is imported later", .timeLimit(.minutes(1)),
        arguments: [
            (80_000, "--spool=spool"), (120_000, ""), (120_000, "--tee"),
            (120_000, "--header --spool=spool"), (140_000, ""), (140_000, "--spool=spool"),
        ])
    func memory(kibibytes: Int, options: String) throws {
        let result = try program.shell(
            """
            ulimit -c 0; ulimit -v \(kibibytes)
            exec "$PROGRAM" --deadline=2 --library library \(trust) \(options) < mail > output
            """)
        let isStored = try storedCount == 1
        if options.contains("--spool") {
            #expect(result.status == 0)
            #expect(isStored || waiting.count == 1)
            #expect(files("spool/cur").isEmpty)
        } else {
            // Memory may also run out after the pass was stored. Then the mail is delivered again.
            #expect([0, 75].contains(result.status), "\(result.errors)")
            #expect(isStored || result.status == 75, "\(result.errors)")
        }
        if options.contains("--tee") || options.contains("--header") {
            let output = try Data(contentsOf: URL(fileURLWithPath: home.path("output")))
            #expect(try output.suffix(mail.count) == mail)
        }

        if let name = waiting.first, name.contains(",attempts=") {
            try FileManager.default.moveItem(
                atPath: home.path("spool/new/\(name)"), toPath: home.path("spool/new/1.later"))
        }
        let input = options.contains("--spool") ? "plain" : "mail"
        let later = try program.shell(
            "\"$PROGRAM\" --library library \(trust) --spool=spool < \(input)")
        #expect(later.status == 0 && later.errors == "")
        #expect(try storedCount == 1)
        #expect(waiting.isEmpty)
    }

    /// A user that no other test uses, since the limit counts all processes of a user.
    private static let asNobody = "setpriv --reuid 65533 --regid 65533 --clear-groups"

    /// Whether this is root, and another user may run the programs.
    private static let canRunAsNobody: Bool = {
        guard let home = try? Home(named: "nobody") else { return false }
        defer { home.remove() }
        let deliver = Program("passconduit-deliver", home: home)
        let result = try? deliver.shell("\(asNobody) prlimit --nproc=100 \"$PROGRAM\" --version")
        return result?.status == 0
    }()

    @Test(
        "when processes run out, the pass is imported later", .timeLimit(.minutes(1)),
        .enabled(if: canRunAsNobody, "it takes root, and programs that others may run"),
        arguments: [1, 4])
    func processes(count: Int) throws {
        let result = try program.shell(
            """
            chmod 755 .; mkdir nobody; chown 65533 nobody; cd nobody; cp '\(passes.trust[1])' trust
            deliver() {
                \(Self.asNobody) prlimit --nproc=$1 env HOME=$PWD "$PROGRAM" --deadline=$3 \\
                    --trust-root trust --spool < ../$2
            }
            deliver \(count) mail 2 || exit
            find .local/state/passconduit/spool/new -type f
            deliver 1000 plain 30
            """)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines.count == 1)
        #expect(files("nobody/.local/state/passconduit/spool/new").isEmpty)
        let list = try Program(home: home)
            .run(["list", "--json", "--library", "nobody/.local/share/passconduit"])
        #expect(list.records.count == 1)
    }

    /// Scripts in place of passconduit that would exit only after a while, and whether the pass is
    /// imported when they end.
    private static let standIns = [
        ("echo $$ > processes; exec sleep 15", false),
        ("echo $$ > processes; exec sleep 15 >&-", false),
        (
            "echo $$ > processes; trap '' TERM HUP INT; for round in $(seq 150); do sleep 0.1; done",
            false
        ),
        ("echo $$ > processes; kill -STOP $$", false),
        ("echo $$ > processes; exec yes", false),
        ("echo $$ > processes; kill -KILL $$", false),
        ("sleep 15 & echo $! > processes; echo $$ >> processes; wait", false),
        ("sleep 15 & echo $! > processes; exit 0", true),
        ("yes & echo $! > processes; exit 0", true),
        ("sleep 15 & echo $! > processes; exit 2", false),
    ]

    @Test(
        "it exits in time when passconduit hangs, is killed or leaves processes behind",
        .timeLimit(.minutes(1)), arguments: standIns)
    func standIns(script: String, isDone: Bool) throws {
        let standIn = try standIn(script)
        let start = ContinuousClock.now
        let result = try standIn.run(["--deadline=1"], input: mail)
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(result.status == (isDone ? 0 : 75))
        #expect(try areGone())

        let spooled = try standIn.run(["--deadline=1", "--spool=spool"], input: mail)
        #expect(spooled.status == 0)
        #expect(waiting.count == (isDone ? 0 : 1))
        // The program hangs without a message as well, so this message is not charged with an
        // attempt.
        #expect(!waiting.contains { $0.contains("attempts") })
        #expect(try areGone())
    }

    @Test("the header contains what passconduit reported on passes, even if it was killed")
    func header() throws {
        let standIn = try standIn("echo 'added a/1 trusted'; exec sleep 15")
        let result = try standIn.run(["--deadline=1", "--header"], input: mail)
        #expect(result.status == 75)
        let field = Data("X-Passconduit: added a/1 trusted\n".utf8)
        #expect(try Data(result.output.utf8) == field + mail)
    }

    @Test("a message on which the import hangs is charged with an attempt and delays no other")
    func late() throws {
        let standIn = try standIn("[ -s /dev/stdin ] && exec sleep 15; exit 0")
        let options = ["--deadline=3", "--spool=spool"]
        #expect(try standIn.run(options, input: mail).errors.contains("did not end in time"))
        #expect(try #require(waiting.first).hasSuffix(",attempts=1"))
        try home.write(mail, to: "spool/new/1.a")
        try home.write(mail, to: "spool/new/2.b")
        let start = ContinuousClock.now
        #expect(try standIn.run(options, input: Data()).status == 0)
        #expect(ContinuousClock.now - start < .seconds(6))
        #expect(waiting.filter { $0.hasSuffix(",attempts=1") }.count == 2)
        #expect(!waiting.contains("1.a") && waiting.contains("2.b"))
    }

    @Test("mail without passes does not wait long for a passconduit that hangs without a message")
    func unsound() throws {
        let standIn = try standIn("exec sleep 15")
        try home.write(mail, to: "spool/new/1.a")
        let start = ContinuousClock.now
        #expect(try standIn.run(["--deadline=20", "--spool=spool"], input: Data()).status == 0)
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(waiting.count == 1 && !waiting[0].contains("attempts"))
    }

    @Test("a search that takes too long counts as inconclusive")
    func search() throws {
        let standIn = try standIn("cat > came")
        #expect(try standIn.shell("\"$PROGRAM\" < plain").status == 0)
        #expect(!files("").contains("came"))
        // Only the process that searches calls seccomp(2), before it reads.
        let slow = "strace -f -o trace -e trace=seccomp -e inject=seccomp:delay_enter=1000000"
        #expect(try standIn.shell("\(slow) \"$PROGRAM\" --deadline=3 < plain").status == 0)
        #expect(try program.shell("cmp plain came").status == 0)
    }

    @Test("none of its child processes outlives it")
    func killed() throws {
        let standIn = try standIn(
            "echo $$ > processes.new; mv processes.new processes; exec sleep 15")
        let result = try standIn.shell(
            """
            "$PROGRAM" < mail & until [ -e processes ]; do sleep 0.02; done
            kill -KILL $!; wait $!; [ $? -eq 137 ] || exit 2
            \(Self.waitForEnds)
            """)
        #expect(result.status == 0)
    }
}
