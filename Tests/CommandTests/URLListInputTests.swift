import Foundation
import PassFixtures
import Testing

@Suite("A list of URLs on standard input is recognised, and mail is never mistaken for one")
final class URLListInputTests {
    private let home: Home
    private let program: Program
    private let passes: TestPasses

    init() throws {
        home = try Home()
        program = Program(home: home)
        passes = try TestPasses.make()
    }

    deinit { home.remove() }

    /// A pass that arrives in chunks on a pipe.
    @Test(arguments: ["scan", "import"])
    func pipe(command: String) throws {
        try home.write(passes.data("trusted.pkpass"), to: "ticket.pkpass")
        let trust = passes.trust.joined(separator: " ")
        let result = try program.shell(
            "(head -c 1 ticket.pkpass; sleep 0.2; tail -c +2 ticket.pkpass)"
                + " | $PROGRAM \(command) --json \(trust) -")
        #expect(result.status == 0)
        #expect(result.records.first?["verdict"] as? String == "trusted")
    }

    /// Longer than the examined beginning, which contains only URLs.
    @Test("input that turns out not to be a list is read completely")
    func wholeMail() throws {
        let pass = try passes.data("trusted.pkpass").base64EncodedString(
            options: [.lineLength76Characters, .endLineWithLineFeed])
        let mail =
            "Subject: passes\nContent-Type: application/vnd.apple.pkpass\n"
            + "Content-Transfer-Encoding: base64\n\n\(pass)\n"
        for lines in ["", "https://x.example/\n"] {
            let result = try program.run(
                ["scan", "--json"] + passes.trust + ["-"], input: Data((lines + mail).utf8))
            #expect(result.records.first?["verdict"] as? String == "trusted", "\(lines)")
            #expect(result.errors == "")
        }
    }

    @Test(
        "input with one bad line and no pass is reported as not a list",
        arguments: [
            ("https://x.example/a\nnot a url\n", 2), ("https://x.example/a\n\nftp://x\n", 3),
            ("# mine\nhttp://x.example/a\nsee http://x.example/b\n", 3),
            ("Subject: x\n\nhttps://x.example/a\n", nil), ("ftp://x.example/\n", nil),
        ])
    func almost(text: String, line: Int?) throws {
        for command in ["scan", "import"] {
            let result = try program.run([command, "-"], input: Data(text.utf8))
            #expect(result.status == (command == "scan" ? 1 : 0))
            let note = "passconduit: standard input: not a list of URLs: line "
            let noted = result.errors.components(separatedBy: note).dropFirst().first
            #expect(noted?.prefix { $0.isNumber } == line.map { Substring(String($0)) })
        }
        let asked = try program.run(["import", "--brief", "-"], input: Data(text.utf8))
        #expect(asked.errors == "")
    }

    @Test("a list is read line by line, and lines that are not URLs are reported by number")
    func list() throws {
        let pass = try passes.data("trusted.pkpass")
        try home.write(pass, to: "my ticket.pkpass")
        let list = """
            # passes
            file://\(home.folder.path)/my%20ticket.pkpass
            Greetings
            data:application/vnd.apple.pkpass;base64,\(pass.base64EncodedString())
            """
        let head = String(repeating: "#\n", count: 40_000)
        let result = try program.run(
            ["scan", "--json"] + passes.trust + ["-"],
            input: Data((list.split(separator: "\n")[1] + "\n" + head + list).utf8))
        #expect(result.status == 2)
        #expect(result.errors == "passconduit: standard input: line 40004: this is not a URL\n")
        let passes = result.records.filter { $0["record"] as? String == "pass" }
        #expect(passes.map { $0["verdict"] as? String } == ["trusted", "trusted", "trusted"])
        #expect(passes.first?["source"] as? String == home.path("my ticket.pkpass"))
        let problem = result.records.first { $0["record"] as? String == "problem" }
        #expect(problem?["code"] as? String == "bad-url")
    }

    @Test(
        "input from other programs is never treated as a list",
        arguments: ["--brief", "--tolerate-problems"])
    func handedOver(option: String) throws {
        try home.write(passes.data("trusted.pkpass"), to: "ticket.pkpass")
        let list = Data("file://\(home.folder.path)/ticket.pkpass\n".utf8)
        let result = try program.run(["import", option] + passes.trust + ["-"], input: list)
        #expect(result.status == 0)
        #expect(result.output == "")
        let asked = try program.run(["import"] + passes.trust + ["-"], input: list)
        #expect(asked.status == 0)
        #expect(asked.output.hasPrefix("added "))
    }
}
