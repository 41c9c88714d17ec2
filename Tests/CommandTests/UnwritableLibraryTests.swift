import Foundation
import Testing

@Suite("If a pass cannot be stored now, the mail system retries, and then it is stored")
final class UnwritableLibraryTests {
    private let home: Home
    private let program: Program
    private var post: Deliveries

    init() throws {
        home = try Home(named: "unwritable")
        program = Program("passconduit-deliver", home: home)
        post = Deliveries(home: home)
        try home.write(Deliveries.mail(0), to: "mail")
    }

    deinit { home.remove() }

    private func shell(_ lines: String, as user: String = "") throws -> [String] {
        var program = program
        program.environment["DELIVER"] =
            "\(user) \(program.path) \(try Deliveries.trust.joined(separator: " "))"
        program.environment["LIST"] = Program(home: home).path + " list --library"
        return try program.shell("exec 2>&1; \(lines)").lines
    }

    private static let mounted = "unshare -m sh -ec '"

    @Test(
        "the disk of the library is full at any point of an import",
        .enabled(if: Mounts.arePossible, Mounts.reason), .timeLimit(.minutes(3)))
    func fullLibrary() throws {
        try FileManager.default.createDirectory(
            atPath: home.path("disk"), withIntermediateDirectories: true)
        post.prefix = Mounts.prefix(mounting: "disk")
        let outcome = try post.run("full", 400, 10, library: "disk/library")
        let codes = try #require(outcome.codes)
        #expect(Set(codes) == [0, 75])
        #expect(codes.filter { $0 == 75 }.count >= 5)
        #expect(outcome.whole == true, "after each, the library held what was accepted")
        // Once there is space, all passes are stored.
        let last = try #require(outcome.stored)
        #expect(last == Array(0..<last.count))
        #expect(codes.suffix(last.count).allSatisfy { $0 == 0 })
        #expect(outcome.errors.count == codes.filter { $0 == 75 }.count)
        for error in outcome.errors {
            #expect(error.hasPrefix("passconduit: cannot write \(home.path("disk/library"))"))
        }
    }

    @Test(
        "the disk for temporary files is full, and another one stores the message in the meantime",
        .enabled(if: Mounts.arePossible, Mounts.reason))
    func fullTemporary() throws {
        let lines = try shell(
            """
            mkdir temporary; (printf "Subject: x\\nX: "; head -c 3000000 /dev/zero | tr "\\0" x
            echo; cat mail) > large
            \(Self.mounted)mount -t tmpfs -o size=1m none temporary; export TMPDIR=$PWD/temporary
            $DELIVER --library library < large; echo $?; ls temporary'
            $LIST library | wc -l
            """)
        #expect(lines == ["0", "1"])
    }

    @Test(
        "the library is on a read-only file system", .enabled(if: Mounts.arePossible, Mounts.reason)
    )
    func readOnly() throws {
        let lines = try shell(
            """
            $DELIVER --library library < mail; echo $?
            cp '\(Deliveries.folder.path)/1.eml' mail
            \(Self.mounted)mount --bind library library; mount -o remount,ro,bind library
            $DELIVER --library library < mail || echo $?'
            $DELIVER --library library < mail; echo $?; $LIST library | wc -l
            """)
        #expect(lines.count == 5)
        #expect(lines.first == "0")
        #expect(lines.dropFirst().first?.hasPrefix("passconduit: cannot write ") == true)
        #expect(lines.dropFirst(2) == ["75", "0", "2"])
    }

    @Test(
        "the library, or the log of its index, belongs to another user",
        .enabled(if: getuid() == 0, "it takes root to be two persons"),
        arguments: ["library", "library/library.sqlite-wal", "library/library.sqlite"])
    func foreign(file: String) throws {
        let lines = try shell(
            """
            chmod 755 .; mkdir library; chown 65534:65534 library
            $DELIVER --library library < mail; echo $?
            cp '\(Deliveries.folder.path)/1.eml' mail
            touch \(file); chown root:root \(file); chmod 700 \(file)
            $DELIVER --library library < mail; echo $?
            chown -R 65534:65534 library
            $DELIVER --library library < mail; echo $?; $LIST library | wc -l
            ls library | grep damaged
            """, as: "setpriv --reuid 65534 --regid 65534 --clear-groups env TMPDIR=/tmp")
        #expect(lines.count == 5)
        #expect(lines.first == "0")
        #expect(lines.dropFirst().first?.hasPrefix("passconduit: cannot ") == true)
        #expect(lines.dropFirst(2) == ["75", "0", "2"])
    }

    @Test("another program writes to the index for a while")
    func lockedShortly() throws {
        let outcome = try post.run("locked", 3, library: "library")
        #expect(outcome.codes == [0, 0, 0])
        #expect(outcome.stored == [0, 1, 2])
    }

    @Test("another program writes to the index for longer than half a minute")
    func locked() throws {
        let outcome = try post.run("locked", 36, library: "library")
        #expect(outcome.codes == [0, 75, 0])
        #expect(outcome.stored == [0, 2])
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.contains("is in use by another program") == true)
    }

    @Test(
        "with few system resources the pass is either stored or retried",
        arguments: [
            "ulimit -f 40", "ulimit -f 100", "ulimit -n 8", "ulimit -n 9", "ulimit -n 11",
            "ulimit -n 14", "ulimit -n 20", "ulimit -t 1", "ulimit -v 60000", "umask 077",
            "umask 0", "unset HOME",
            "cd /",
        ])
    func limited(limit: String) throws {
        let library = home.path("library with spaces")
        let lines = try shell(
            """
            export TMPDIR=$PWD
            (exec < mail; ulimit -c 0; \(limit); exec $DELIVER --library '\(library)'); echo $?
            $LIST '\(library)' 2>/dev/null | grep -c Parcel
            """)
        let ending = lines.suffix(2)
        #expect(ending == ["0", "1"] || ending == ["75", "0"], "\(lines)")
    }

    @Test("a library whose path is not UTF-8 is refused, and no other is used instead")
    func notText() throws {
        let lines = try shell(
            """
            name=$(printf 'x\\377'); $DELIVER --library "$name" < mail; echo $?
            PASSCONDUIT_LIBRARY="$PWD/$name" $DELIVER < mail; echo $?; ls -d x*
            """)
        #expect(lines.filter { $0 == "75" }.count == 2)
        #expect(lines.filter { $0.contains("the path of the library is not UTF-8") }.count == 2)
        #expect(lines.last?.contains("x*") == true)
    }

    @Test("a truncated message is reported, and nothing is stored", arguments: [10, 50, 90])
    func cut(percent: Int) throws {
        let mail = try Deliveries.mail(4)
        let result = try program.run(
            Deliveries.trust + ["--library", "library"],
            input: mail.prefix(mail.count * percent / 100))
        #expect(result.status == 0)
        #expect(
            result.errors
                == "passconduit: standard input, message 1, part 2: the pass is malformed "
                + "and was refused: the archive is cut off: its end is missing\n")
        #expect(try Program(home: home).run(["list", "--library", "library"]).lines == [])
    }
}
