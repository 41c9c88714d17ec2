import Foundation
import Testing

@Suite("A repeated import reads only new mail and misses nothing")
final class RerunTests {
    private static let count = 60
    private let home: Home
    private let program: Program

    /// Creates a Maildir and an mbox, each with its own passes, old enough to be cached.
    init() throws {
        home = try Home(named: "rerun")
        program = Program(home: home)
        let made = try program.shell(
            """
            mkdir -p mail/cur mail/new mail/tmp && python3 -c '
            import base64, io, json, zipfile
            def message(number):
                archive = io.BytesIO()
                with zipfile.ZipFile(archive, "w") as file:
                    file.writestr("pass.json", json.dumps({
                        "formatVersion": 1, "passTypeIdentifier": "pass.com.example.ticket",
                        "serialNumber": str(number), "teamIdentifier": "A1B2C3D4E5",
                        "organizationName": "Example", "description": "Ticket", "generic": {}}))
                return (f"Subject: {number}\\nContent-Type: application/vnd.apple.pkpass\\n"
                        "Content-Transfer-Encoding: base64\\n\\n"
                        + base64.encodebytes(archive.getvalue()).decode())
            for number in range(\(Self.count)):
                open(f"mail/cur/{number}.host", "w").write(message(number))
            with open("m.mbox", "w") as file:
                for number in range(\(Self.count)):
                    file.write("From a Tue May  7 10:00:00 2024\\n" + message(1000 + number) + "\\n")
            '
            """)
        try #require(made.status == 0, "\(made.errors)")
        // A file that was just written is not cached, since its times may stay the same when it is
        // written again.
        Thread.sleep(forTimeInterval: 3.2)
    }

    deinit { home.remove() }

    private static let sources = "mail m.mbox --accept unsigned"

    private func run(_ arguments: String...) throws -> Program.Result {
        try program.run(arguments)
    }

    private func again(_ options: String = "") throws -> [String: Int] {
        let records = try program.shell("\"$PROGRAM\" import --json \(Self.sources) \(options)")
        try #require(records.status == 0, "\(records.errors)")
        var summary: [String: Int] = [:]
        for (key, value) in records.records.last ?? [:] { summary[key] = value as? Int }
        return summary
    }

    private var serials: [String] {
        get throws {
            try run("list", "--json").records.compactMap { record in
                (record["pass"] as? [String: Any])?["serialNumber"] as? String
            }.sorted()
        }
    }

    private static let all = ((0..<count).map { "\($0)" } + (0..<count).map { "\(1000 + $0)" })
        .sorted()

    @Test("a second run reads nothing and reports that")
    func unchanged() throws {
        #expect(try again()["candidates"] == 2 * Self.count)
        #expect(try serials == Self.all)
        let second = try again()
        #expect(second["sources"] == Self.count + 1)
        #expect(second["unchanged"] == Self.count + 1)
        #expect(second["candidates"] == 0 && second["bytes"] == 0)
        let third = try program.shell("\"$PROGRAM\" import \(Self.sources)")
        #expect(third.status == 0 && third.output == "")
        #expect(third.errors.hasPrefix("passconduit: no new passes in 61 sources, 0 bytes"))
        #expect(
            third.errors.hasSuffix("; 61 unchanged since last time (--all reads them too)\n"))
        // The same folder under another name.
        #expect(
            try run("import", "--accept", "unsigned", "\(home.folder.path)/./mail/").output == "")
        #expect(try again("--all")["candidates"] == 2 * Self.count)
        #expect(try again("--links")["candidates"] == 2 * Self.count)
    }

    @Test("a removed pass comes back when everything is read again")
    func removed() throws {
        _ = try again()
        #expect(try run("remove", "pass.com.example.ticket/7").status == 0)
        #expect(try again()["candidates"] == 0)
        #expect(try serials.count == 2 * Self.count - 1)
        #expect(try again("--all")["candidates"] == 2 * Self.count)
        #expect(try serials == Self.all)
    }

    @Test(
        "if the library loses a pass, or its whole cache, everything is read again",
        arguments: 0..<3)
    func lost(row: Int) throws {
        let line = [
            "rm $(ls -d .local/share/passconduit/passes/*/* | head -1); "
                + "\"$PROGRAM\" library check --mend > /dev/null",
            "python3 -c 'import sqlite3; sqlite3.connect(\".local/share/passconduit/library.sqlite\")"
                + ".execute(\"DROP TABLE sourceNotes\")'",
            "rm -r .local/share/passconduit",
        ][row]
        _ = try again()
        _ = try program.shell(line)
        #expect(try again()["candidates"] == 2 * Self.count)
        #expect(try serials == Self.all)
    }

    @Test("after repeated kills, the result is that of a single run")
    func killed() throws {
        let start = ContinuousClock.now
        _ = try program.shell("\"$PROGRAM\" import \(Self.sources) --library whole")
        let duration = (ContinuousClock.now - start) / .seconds(1)
        for _ in 0..<12 {
            let result = try program.shell(
                """
                "$PROGRAM" import \(Self.sources) &
                sleep \(duration * .random(in: 0.2..<1))
                kill -9 $!
                wait
                """)
            #expect(result.errors.isEmpty || !result.errors.contains("damaged"))
        }
        _ = try again()
        #expect(try serials == Self.all)
        #expect(try again()["unchanged"] == Self.count + 1)
    }

    @Test("several runs at once give that result too")
    func atOnce() throws {
        let arguments = ["import"] + Self.sources.split(separator: " ").map(String.init)
        let processes = try (0..<3).map { _ in try program.start(arguments) }
        for process in processes { process.waitUntilExit() }
        #expect(processes.map(\.terminationStatus) == [0, 0, 0])
        #expect(try serials == Self.all)
        #expect(try again()["unchanged"] == Self.count + 1)
    }
}
