import Foundation
import PassFixtures
import Testing

@Suite("On a system where something is missing, no pass is lost")
final class DeliverConditionsTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home(named: "conditions")
        program = Program("passconduit-deliver", home: home)
        passes = try TestPasses.make()
        let octets = try passes.data("trusted.pkpass").base64EncodedString(
            options: .lineLength76Characters)
        let mail = """
            From: a@example.org
            Content-Type: application/octet-stream; name=ticket.pkpass
            Content-Transfer-Encoding: base64

            \(octets)

            """
        try home.write(Data(mail.utf8), to: "mail")
        try home.write(passes.data("authority.pem"), to: "authority.pem")
    }

    deinit { home.remove() }

    @Test("without /proc", .enabled(if: Mounts.arePossible, Mounts.reason))
    func noProc() throws {
        let result = try program.shell(
            """
            exec 2>&1
            unshare -m sh -ec 'mount -t tmpfs none /proc; bin=$(dirname "$PROGRAM")
            "$PROGRAM" --library library --trust-root authority.pem < mail; echo $?
            "$PROGRAM" --helo || echo $?
            "$bin/passconduit" list --library library | wc -l
            "$bin/passconduit" verify mail || echo $?'
            """)
        #expect(result.lines.first == "0")
        #expect(result.lines.contains("64"))
        #expect(result.lines.contains("1"))
        #expect(result.lines.last == "3")
    }

    private static let asNobody = "setpriv --reuid 65534 --regid 65534 --clear-groups"

    /// Whether this is root, and another user may run the programs.
    private static let canRunAsNobody: Bool = {
        guard getuid() == 0, let home = try? Home(named: "nobody") else { return false }
        defer { home.remove() }
        let deliver = Program("passconduit-deliver", home: home)
        return (try? deliver.shell("\(asNobody) \"$PROGRAM\" --version").status) == 0
    }()

    /// Runs lines as nobody in a home of its own, with functions for the programs.
    private func asNobody(_ lines: String) throws -> [String] {
        try home.write(Data(lines.utf8), to: "lines")
        let result = try program.shell(
            """
            exec 2>&1; chmod 755 .; mkdir nobody; chown 65534:65534 nobody; cd nobody
            export HOME=$PWD TMPDIR=/tmp PATH="$(dirname "$PROGRAM"):$PATH"
            \(Self.asNobody) sh ../lines
            """)
        return result.lines
    }

    @Test(
        "while a file in the trust folder cannot be read, mail waits",
        .enabled(if: canRunAsNobody, "it takes root, and programs that others may run"))
    func unreadableTrust() throws {
        let lines = try asNobody(
            """
            passconduit trust add ../authority.pem > /dev/null
            trust=.config/passconduit/trust; file=$(ls $trust); chmod 000 $trust/$file
            passconduit-deliver < ../mail; echo $?
            passconduit-deliver --spool < ../mail; echo $?
            passconduit watch .; echo $?
            chmod 600 $trust/$file
            passconduit-deliver --spool < /dev/null; passconduit list --json | grep -c trusted
            chmod 000 $trust; passconduit-deliver < ../mail; echo $?
            passconduit watch .; echo $?
            """)
        let told = lines.filter { $0.hasPrefix("passconduit: ") }
        #expect(told.count == 5)
        #expect(told.prefix(3).allSatisfy { $0.hasSuffix(".pem: cannot open: permission denied") })
        let folder = "/trust: cannot read: permission denied"
        #expect(told.suffix(2).allSatisfy { $0.hasSuffix(folder) })
        #expect(
            lines.filter { !$0.hasPrefix("passconduit") } == ["75", "0", "2", "1", "75", "2"])
    }

    @Test(
        "a file in the trust folder that is no certificate keeps no mail waiting",
        .enabled(if: canRunAsNobody, "it takes root, and programs that others may run"))
    func otherTrust() throws {
        let lines = try asNobody(
            """
            passconduit trust add ../authority.pem > /dev/null; cd .config/passconduit/trust
            echo text > 1; mkdir 2; mkdir -m 000 3; mkfifo 4
            passconduit-deliver < "$HOME/../mail"; echo $?
            passconduit list --json 2> /dev/null | grep -c trusted
            """)
        #expect(lines.count == 6)
        for (number, line) in lines.prefix(4).enumerated() {
            #expect(line.hasSuffix("/\(number + 1): not a certificate in PEM or DER"))
        }
        #expect(lines.suffix(2) == ["0", "1"])
    }

    @Test(
        "without HOME, all commands find the library of the user database",
        .enabled(if: canRunAsNobody, "it takes root, and programs that others may run"))
    func noHome() throws {
        let lines = try asNobody(
            """
            unset HOME; home=$(getent passwd 65534 | cut -d: -f6)
            passconduit import ../mail | grep -c "$home/.local"
            passconduit list 2>&1 | grep -c "$home/.local"
            passconduit import ../mail 2>&1 | grep -c "$home/.local"
            """)
        #expect(lines.filter { !$0.hasPrefix("passconduit: ") } == ["0", "1", "1"])
    }
}
