import Foundation
import PassFixtures
import Testing

@Suite("sign --data makes a pass of each row, and goes on past rows that cannot become one")
final class SignDataTests {
    private let issuer: IssuerHome
    private var program: Program { issuer.program }

    init() throws {
        issuer = try IssuerHome()
        try issuer.write(serialNumber: "{{serial}}", value: "{{seat}}", to: "T.pkpasstemplate")
    }

    deinit { issuer.remove() }

    private var options: [String] { issuer.pair + issuer.trust }

    private func sign(_ arguments: [String], input: String = "") throws -> Program.Result {
        try program.run(
            ["sign", "T.pkpasstemplate"] + arguments + options, input: Data(input.utf8))
    }

    @Test(
        "CSV and JSONL give the same passes",
        arguments: [
            ("rows.csv", "serial,seat\nA,1\n\"B \"\"b\"\"\",\"2, 3\"\n"),
            (
                "rows.jsonl",
                "{\"serial\": \"A\", \"seat\": 1}\n{\"serial\": \"B \\\"b\\\"\", \"seat\": \"2, 3\"}\n"
            ),
        ])
    func formats(name: String, text: String) throws {
        try issuer.home.write(Data(text.utf8), to: name)
        let result = try sign(["--data", name, "-o", "out"])
        #expect(result.errors == "2 passes signed\n")
        #expect(result.status == 0)
        #expect(try issuer.names(in: "out") == ["A.pkpass", "B %22b%22.pkpass"])
        let records = try program.run(
            ["verify", "--json", "--wallet", "out/A.pkpass", "out/B %22b%22.pkpass"]
                + issuer.trust
        ).records
        #expect(records.map { $0["verdict"] as? String } == ["trusted", "trusted"])
        let passes = records.compactMap { $0["pass"] as? [String: Any] }
        #expect(passes.map { $0["serialNumber"] as? String } == ["A", "B \"b\""])
    }

    @Test("bad rows are reported with their lines, and the others are signed")
    func badRows() throws {
        let rows = """
            serial,seat
            1,A
            2
            1,again
            ,nothing
            3,B
            """
        let result = try sign(["--data", "-", "-o", "out", "--json"], input: rows)
        #expect(result.status == 2)
        #expect(try issuer.names(in: "out") == ["1.pkpass", "3.pkpass"])
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == 3)
        for (line, number) in zip(lines, [3, 4, 5]) {
            #expect(line.hasPrefix("passconduit: -: line \(number): "))
        }
        let records = result.records
        #expect(records.dropLast().map { $0["line"] as? Int } == [2, 6])
        #expect(records.last?["record"] as? String == "signingSummary")
        #expect(records.last?["signed"] as? Int == 2)
        #expect(records.last?["failed"] as? Int == 3)
    }

    @Test("a row with an image that cannot be used is not signed")
    func unusableImage() throws {
        try issuer.home.write(
            Data("serial,seat,logo.png\n1,A,\n2,B,rows.csv\n".utf8), to: "rows.csv")
        let result = try sign(["--data", "rows.csv", "-o", "out"])
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("passconduit: rows.csv: line 3: "))
        #expect(try issuer.names(in: "out") == ["1.pkpass"])
    }

    @Test("a row whose pass has mistakes is not signed")
    func mistakes() throws {
        let json = issuer.home.folder.appending(path: "T.pkpasstemplate/pass.json")
        let text = try String(contentsOf: json, encoding: .utf8)
        try issuer.home.write(
            Data(text.replacing("rgb(20, 40, 90)", with: "{{colour}}").utf8),
            to: "T.pkpasstemplate/pass.json")
        let rows = "serial,seat,colour\n1,A,\"rgb(0, 0, 0)\"\n2,B,navy blue\n"
        let result = try sign(["--data", "-", "-o", "out"], input: rows)
        #expect(result.status == 3)
        #expect(result.errors.hasPrefix("passconduit: -: line 3: pass.json: backgroundColor: "))
        #expect(try issuer.names(in: "out") == ["1.pkpass"])
    }

    @Test("a warning is reported for the first row that has it, and the rows are counted")
    func warnings() throws {
        let json = issuer.home.folder.appending(path: "T.pkpasstemplate/pass.json")
        let text = try String(contentsOf: json, encoding: .utf8)
        try issuer.home.write(
            Data(text.replacing("rgb(20, 40, 90)", with: "{{colour}}").utf8),
            to: "T.pkpasstemplate/pass.json")
        try issuer.home.write(Data("x".utf8), to: "T.pkpasstemplate/notes.txt")
        let rows = """
            serial,seat,colour
            1
            2,A,"rgb(0, 0, 0)"
            3,B,#000000
            4,C,#000001
            5,D,"rgb(254, 254, 254)"
            """
        let result = try sign(["--data", "-", "-o", "out"], input: rows)
        #expect(result.status == 2)
        #expect(try issuer.names(in: "out").count == 4)
        let lines = result.errors.split(separator: "\n").map(String.init)
        let beginnings = [
            "passconduit: -: line 2: ", "passconduit: T.pkpasstemplate: notes.txt: warning: ",
            "passconduit: -: line 4: pass.json: backgroundColor: warning: ",
            "passconduit: -: line 6: pass.json: foregroundColor: warning: ",
            "passconduit: -: line 6: pass.json: labelColor: warning: ",
            "4 passes signed, 1 row failed, 3 rows have warnings",
        ]
        #expect(lines.count == beginnings.count)
        for (line, beginning) in zip(lines, beginnings) { #expect(line.hasPrefix(beginning)) }
    }

    @Test("the run goes on when nobody reads its lines")
    func closedOutput() throws {
        let rows = (1...250).map { "\($0),A" }
        try issuer.home.write(
            Data((["serial,seat"] + rows).joined(separator: "\n").utf8), to: "rows.csv")
        let options = options.joined(separator: " ")
        let result = try program.shell(
            "{ $PROGRAM sign T.pkpasstemplate --data rows.csv -o out \(options); echo $? >&2; } | true"
        )
        #expect(result.errors == "0\n" || result.errors == "250 passes signed\n0\n")
        #expect(try issuer.names(in: "out").count == 250)
    }

    @Test("images by column replace those of the template")
    func images() throws {
        let icon = issuer.home.folder.appending(path: "Ticket.pass/icon@2x.png")
        try issuer.home.write(try Data(contentsOf: icon), to: "pictures/one.png")
        try issuer.home.write(
            Data("serial,seat,thumbnail.png\n1,A,pictures/one.png\n2,B,\n".utf8), to: "rows.csv")
        #expect(try sign(["--data", "rows.csv", "-o", "out"]).status == 0)
        let script = """
            import sys, zipfile
            print(["thumbnail.png" in zipfile.ZipFile(path).namelist() for path in sys.argv[1:]])
            """
        let files = ["1", "2"].map { issuer.home.folder.appending(path: "out/\($0).pkpass").path }
        let output = try run(["python3", "-c", script] + files, input: [])
        #expect(String(decoding: output, as: UTF8.self) == "[True, False]\n")
    }

    @Test("missing columns end the run before the first pass")
    func columns() throws {
        let result = try sign(["--data", "-", "-o", "out"], input: "serial\n1\n")
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("passconduit: -: "))
        #expect(result.errors.contains("seat"))
    }

    @Test(
        "empty data is an error, and a header without rows is not",
        arguments: [
            ("rows.csv", "", "its first line must name the columns"),
            ("rows.csv", "\n\n", "its first line must name the columns"),
            ("rows.jsonl", "", "each line must be a JSON object"),
            ("rows.jsonl", "\n", "each line must be a JSON object"),
            ("-", "", "its first line must name the columns"),
            ("rows.csv", "serial,seat\n", nil), ("-", "serial,seat", nil),
        ] as [(String, String, String?)])
    func emptyData(name: String, text: String, message: String?) throws {
        if name != "-" { try issuer.home.write(Data(text.utf8), to: name) }
        let result = try sign(["--data", name, "-o", "out"], input: name == "-" ? text : "")
        #expect(result.status == (message == nil ? 0 : 2))
        #expect(
            result.errors
                == (message.map { "passconduit: \(name): the data is empty: \($0)\n" }
                    ?? "0 passes signed\n"))
    }

    @Test("names follow a pattern, and existing files stay unless --force is given")
    func names() throws {
        let arguments = ["--data", "-", "-o", "out", "--name", "{{seat}}-{{serialNumber}}.pkpass"]
        #expect(try sign(arguments, input: "serial,seat\n1,../x\n").status == 0)
        #expect(try issuer.names(in: "out") == ["..%2Fx-1.pkpass"].map { "%2E" + $0.dropFirst() })
        let again = try sign(arguments, input: "serial,seat\n1,../x\n")
        #expect(again.status == 2)
        #expect(again.errors.contains("already exists: --force overwrites it"))
        #expect(try sign(arguments + ["--force"], input: "serial,seat\n1,../x\n").status == 0)
    }

    @Test("a killed run leaves whole passes and nothing else", .tags(.repeats))
    func killed() throws {
        let rows = (1...400).map { "\($0),seat" }
        try issuer.home.write(
            Data((["serial,seat"] + rows).joined(separator: "\n").utf8), to: "rows.csv")
        let start = ContinuousClock.now
        #expect(try sign(["--data", "rows.csv", "-o", "whole"]).status == 0)
        let duration = (ContinuousClock.now - start) / Duration.seconds(1)
        var cutShort = 0
        for round in 0..<rounds(50, least: 8) {
            let folder = "out-\(round)"
            let process = try program.start(
                ["sign", "T.pkpasstemplate", "--data", "rows.csv", "-o", folder] + options)
            Thread.sleep(forTimeInterval: duration * .random(in: 0.1..<1))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let isThere = FileManager.default.fileExists(
                atPath: issuer.home.folder.appending(path: folder).path)
            let names = isThere ? try issuer.names(in: folder) : []
            cutShort += (1..<400).contains(names.count) ? 1 : 0
            #expect(names.allSatisfy { $0.hasSuffix(".pkpass") && !$0.hasPrefix(".") })
            guard !names.isEmpty else { continue }
            let verified = try program.run(
                ["verify", "--json"] + names.map { "\(folder)/\($0)" } + issuer.trust)
            #expect(verified.status == 0)
        }
        #expect(cutShort > 0, "no kill came in the middle")
    }

    @Test("memory does not grow with the number of rows", .tags(.repeats))
    func memory() throws {
        let counts = isEndurance ? [10_000, 1_000_000] : [500, 5_000]
        var peaks: [Int] = []
        for count in counts {
            let script = """
                import resource, subprocess, sys
                count = int(sys.argv[1])
                child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
                child.stdin.write(b"serial,seat\\n")
                for number in range(count):
                    child.stdin.write(b"%d,seat\\n" % number)
                child.stdin.close()
                assert child.wait() == 0
                print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
                """
            let result = try program.execute(
                "/usr/bin/env",
                [
                    "python3", "-c", script, String(count), program.path, "sign",
                    "T.pkpasstemplate",
                    "--data", "-", "-o", "out-\(count)",
                ] + options, input: Data())
            #expect(
                result.errors.hasSuffix(" passes signed\n") && !result.errors.contains("failed"))
            peaks.append(try #require(Int(result.output.split(separator: "\n").last ?? "")))
        }
        #expect(peaks[1] < peaks[0] + peaks[0] / 4, "\(peaks) KiB")
    }
}
