import Foundation
import PassFixtures
import Testing

@Suite("A library in a place where nothing can be written is read completely, and never changed")
final class ReadOnlyLibraryTests {
    private let home: Home
    private let program: Program

    /// The state of the library's index when it becomes read-only.
    enum Index: CaseIterable {
        case withLog, withLogAndItsIndex, withoutLog, withEmptyLog, ofEarlierVersion

        /// Lines of Python that produce it from an index with a log.
        var preparation: String {
            let open = "import sqlite3; index = sqlite3.connect('library/library.sqlite')\n"
            return switch self {
            // Opening it would write the log to the index.
            case .withLog: ""
            case .withLogAndItsIndex: "open('library/library.sqlite-shm', 'w')"
            case .withoutLog: open + "index.execute('PRAGMA journal_mode')"
            case .withEmptyLog:
                open + "index.execute('PRAGMA journal_mode'); index.close()\n"
                    + "open('library/library.sqlite-wal', 'w')"
            case .ofEarlierVersion:
                open + "index.execute('ALTER TABLE versions DROP COLUMN anchor')\n"
                    + "index.execute('ALTER TABLE versions DROP COLUMN anchorOrigin')\n"
                    + "index.execute('DELETE FROM grdb_migrations WHERE identifier LIKE \"10:%\"')\n"
                    + "index.commit()"
            }
        }
    }

    /// A library of two passes. The second was added while another program had the index open, so
    /// that its row is only in the log.
    init() throws {
        home = try Home(named: "read-only")
        let passes = try TestPasses.make()
        program = Program(
            home: home,
            environment: [
                "AUTHORITY": passes.path("authority.pem"),
                "TRUSTED": passes.path("trusted.pkpass"),
                "UNSIGNED": passes.path("unsigned.pkpass"),
            ])
        let made = try program.shell(
            """
            chmod 755 .; mkdir temporary mounted; chmod 777 temporary
            "$PROGRAM" trust add "$AUTHORITY" && "$PROGRAM" import --library made "$TRUSTED" || exit
            cat > hold.py <<'END'
            import sqlite3, subprocess, sys
            index = sqlite3.connect("made/library.sqlite")
            index.execute("BEGIN").execute("SELECT count(*) FROM passes").fetchone()
            subprocess.run([sys.argv[1], "import", "--library", "made", "--accept", "unsigned",
                sys.argv[2]], check=True)
            subprocess.run(["cp", "-r", "made", "library"], check=True)
            END
            python3 hold.py "$PROGRAM" "$UNSIGNED" || exit
            rm library/library.sqlite-shm; test -s library/library.sqlite-wal
            """)
        try #require(made.status == 0, "\(made)")
    }

    deinit { home.remove() }

    /// Runs commands that see the library, and expects it to stay as it is.
    private func run(_ commands: String, on index: Index, in place: String) throws
        -> Program.Result
    {
        let python = Program("/usr/bin/python3", home: home)
        let prepared = try python.run(["-c", index.preparation])
        try #require(prepared.status == 0, "\(prepared)")
        return try program.shell(
            """
            cat > commands <<'END'
            export TMPDIR=$PWD/temporary PASSCONDUIT_LIBRARY=$PWD/library
            \(commands)
            END
            look() { find library -printf '%p %s %T@\\n' | sort; }
            look > before
            \(place)
            look | diff before -; ls temporary
            """)
    }

    private static let mounted = """
        unshare -m sh -c 'mount --bind library library; mount -o remount,ro,bind library
        . ./commands'
        """
    private static let unwritable = """
        chown -R 65534:65534 library; chmod -R u=rX,go= library
        setpriv --reuid 65534 --regid 65534 --clear-groups sh ./commands
        """

    private static let reading = """
        "$PROGRAM" list --sort organization | cut -c-17
        "$PROGRAM" search porto | wc -l
        "$PROGRAM" show 1 | grep Verdict
        "$PROGRAM" show --json 2 | grep -o '"verdict":"[a-z]*"'
        "$PROGRAM" export 2 -o - | cmp - "$UNSIGNED"
        "$PROGRAM" library check
        "$PROGRAM" render 1 -o "$TMPDIR/pass.png" && rm "$TMPDIR/pass.png"
        """
    private static let answers = [
        "   1  Boarding pa", "   2  Boarding pa", "2", "  Verdict    trusted",
        #""verdict":"unsigned""#, "2 passes, 2 versions, 0 problems",
    ]

    @Test(
        "on a read-only file system", .enabled(if: Mounts.arePossible, Mounts.reason),
        arguments: Index.allCases)
    func mounted(index: Index) throws {
        let result = try run(Self.reading, on: index, in: Self.mounted)
        #expect(result.lines == Self.answers)
        #expect(result.errors == "")
    }

    @Test(
        "in a folder without the permission to write",
        .enabled(if: getuid() == 0, "it takes root to be two persons"), arguments: Index.allCases)
    func unwritable(index: Index) throws {
        let result = try run(Self.reading, on: index, in: Self.unwritable)
        #expect(result.lines == Self.answers)
        #expect(result.errors == "")
    }

    @Test(
        "commands that would change it fail with one message",
        .enabled(if: Mounts.arePossible, Mounts.reason),
        arguments: [
            #"import "$TRUSTED""#, "remove --yes 1", "library check --mend", "update",
        ])
    func writing(command: String) throws {
        let result = try run(
            "\"$PROGRAM\" \(command); echo $?", on: .withoutLog, in: Self.mounted)
        #expect(result.lines == ["2"])
        let errors = result.errors.split(separator: "\n")
        #expect(errors.count == 1, "\(errors)")
        let start = "passconduit: cannot write \(home.path("library"))"
        #expect(errors.first?.hasPrefix(start) == true)
        #expect(errors.first?.hasSuffix(": read-only file system") == true)
    }

    @Test(
        "a removed authority no longer vouches for its passes",
        .enabled(if: Mounts.arePossible, Mounts.reason))
    func removedAuthority() throws {
        let commands = """
            "$PROGRAM" trust remove $(ls .config/passconduit/trust) > /dev/null
            "$PROGRAM" list | grep -c 'no longer vouched for'
            """
        let result = try run(commands, on: .withLog, in: Self.mounted)
        #expect(result.lines == ["1"])
    }

    @Test(
        "the window shows it, and follows changes by others",
        .enabled(
            if: Mounts.arePossible && Display.isPossible,
            "needs a container that may mount, and what the other windows need"))
    func window() throws {
        let screen = try Display(home)
        try screen.addStandIn(
            "reader",
            """
            exec unshare -m sh -c 'mount --bind library mounted
            mount -o remount,ro,bind mounted
            exec "\(Program.folder.path)/passconduit-viewer" --library mounted'
            """)
        _ = try run("", on: .withoutLog, in: "")
        let viewer = try screen.view([], through: home.path("bin/reader"))
        try screen.shows("LIS -> OPO", "Not signed")
        _ = try program.run(["remove", "--yes", "--library", "library", "2"])
        try screen.hides("Not signed")
        try screen.keys("Down", "Down", "Return")
        try screen.shows("label: Trusted", "History (1)")
        try screen.keys("ctrl+q")
        #expect(try viewer.finish().status == 0)
    }
}
