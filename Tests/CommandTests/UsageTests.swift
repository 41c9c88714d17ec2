import Foundation
import Testing

@Suite("The program documents its usage")
final class UsageTests {
    private let home: Home
    private let program: Program

    init() throws {
        home = try Home()
        program = Program(home: home)
    }

    deinit { home.remove() }

    static let commands = [
        [], ["scan"], ["import"], ["watch"], ["open"], ["verify"],
        ["list"], ["show"], ["search"], ["export"], ["render"],
        ["remove"], ["sign"], ["lint"],
        ["certificate"], ["certificate", "request"], ["certificate", "import"],
        ["certificate", "list"], ["certificate", "export"],
        ["trust"], ["trust", "list"], ["trust", "add"], ["trust", "remove"], ["library", "check"],
        ["setup"], ["completions"], ["update"], ["downloads"], ["downloads", "list"],
        ["downloads", "pause"], ["downloads", "resume"], ["downloads", "cancel"],
    ]

    @Test("each command has help with examples", arguments: commands)
    func help(command: [String]) throws {
        let result = try program.run(command + ["--help"])
        #expect(result.status == 0)
        #expect(result.errors == "")
        #expect(result.output.contains("EXAMPLES\n  passconduit "))
        #expect(result.output.contains("USAGE: passconduit"))
        // No example is wrapped at 80 columns.
        let lines = result.output.components(separatedBy: "\n")
        let examples = lines.drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.isEmpty }
        #expect(examples.allSatisfy { $0.hasPrefix("  ") }, "\(examples)")
    }

    @Test(
        "a usage error is one clause, with exit code 64",
        arguments: [
            (["nonsense"], "unexpected argument 'nonsense'"),
            (["--nonsense"], "unknown option '--nonsense'"),
            (["scan"], "missing expected argument '<path> ...'"),
            (["verify"], "missing expected argument '<file> ...'"),
            (["lint"], "missing expected argument '<path> ...'"),
            (["sign"], "missing expected argument '<folder> ...'"),
            (
                ["sign", "--p12", "a", "--certificate", "b", "x"],
                "use one of --p12 and --certificate"
            ),
            (["sign", "--key", "agent", "x"], "--key needs --certificate"),
            (
                ["certificate", "request", "--name", "x"],
                "missing expected argument '--email <address>'"
            ),
            (["lint", "--sarif", "--json", "x"], "--sarif does not go with --json"),
            (["open"], "missing expected argument '<file> ...'"),
            (["open", ""], "the path is empty"),
            (["scan", "--jobs", "0", "x"], "the value '0' is invalid for '--jobs <number>'"),
            (["scan", "--at", "soon", "x"], "the value 'soon' is invalid for '--at <date>'"),
            (["import", "--accept", "all", "x"], "the value 'all' is invalid for"),
            (["list", "--page", "2"], "--page needs --limit"),
            (["list", "--library", ""], "--library needs the name of a folder"),
            (["scan", ""], "the path is empty"),
            (["watch", "-"], "the standard input cannot be watched"),
            (["import", "--at", "2024-05-01", "x"], "unknown option '--at'"),
            (["help", "bogus"], "there is no command 'bogus'"),
            (["setup", "--remove", "--mailcap"], "--remove undoes all that was set up"),
            (["show"], "missing expected argument '<id>'"),
            (["show", "1", "--card", "--json"], "--card goes neither with --history"),
        ])
    func usage(arguments: [String], clause: String) throws {
        let result = try program.run(arguments)
        #expect(result.status == 64)
        #expect(result.output == "")
        let first = String(result.errors.prefix { $0 != "\n" })
        #expect(first.hasPrefix("passconduit: \(clause)"))
        #expect(!first.hasSuffix("."))
        #expect(result.errors.contains("\nUsage: passconduit"))
    }

    @Test(
        "a misspelt word is reported with the one that was probably meant",
        arguments: [
            (["shwo"], "unexpected argument 'shwo'. Did you mean 'show'?"),
            (["shwo", "1"], "2 unexpected arguments: 'shwo', '1'. Did you mean 'show'?"),
            (["trust", "lsit"], "unexpected argument 'lsit'. Did you mean 'list'?"),
            (["downloads", "resmue"], "unexpected argument 'resmue'. Did you mean 'resume'?"),
            (["library", "chekc"], "unexpected argument 'chekc'. Did you mean 'check'?"),
            (["help", "shwo"], "there is no command 'shwo'. Did you mean 'show'?"),
            (["help", "trust", "lsit"], "there is no command 'lsit'. Did you mean 'list'?"),
            (["list", "--jsno"], "unknown option '--jsno'. Did you mean '--json'?"),
            (["--nonsense", "shwo"], "unknown option '--nonsense'"),
            (["help", "ticket.pkpass"], "there is no command 'ticket.pkpass'"),
            (["trust", "ticket.pkpass"], "unexpected argument 'ticket.pkpass'"),
            (["other.pkpass"], "unexpected argument 'other.pkpass'"),
            (
                ["ticket.pkpass"],
                "unexpected argument 'ticket.pkpass'. "
                    + "Did you mean 'passconduit open ticket.pkpass'?"
            ),
            (
                ["my mail"],
                "unexpected argument 'my mail'. Did you mean 'passconduit scan 'my mail''?"
            ),
        ])
    func misspelt(arguments: [String], clause: String) throws {
        try home.write(Data(), to: "ticket.pkpass")
        try home.write(Data(), to: "my mail/1")
        let result = try program.run(arguments)
        #expect(result.status == 64)
        #expect(result.output == "")
        #expect(result.errors.prefix { $0 != "\n" } == "passconduit: \(clause)")
        #expect(result.errors.contains("\nUsage: passconduit"))
    }

    @Test("without a command it prints a short help")
    func alone() throws {
        let result = try program.run([])
        #expect(result.status == 0)
        #expect(result.output.contains("USAGE: passconduit"))
        #expect(result.output.contains("\n  passconduit list  "))
        #expect(result.output.contains("passconduit --help"))
        #expect(result.output.split(separator: "\n", omittingEmptySubsequences: false).count < 20)
        let lines = try program.run(["--help"]).lines
        let headings = lines.filter { $0.wholeMatch(of: /[A-Z ]+/) != nil }
        #expect(
            headings == [
                "EXAMPLES", "OPTIONS", "FIND SUBCOMMANDS", "LIBRARY SUBCOMMANDS",
                "ISSUE SUBCOMMANDS", "SET UP SUBCOMMANDS", "EXIT CODES", "ENVIRONMENT",
            ])
    }

    @Test("--version prints only the number")
    func version() throws {
        let result = try program.run(["--version"])
        #expect(result.status == 0)
        #expect(result.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
    }

    @Test("completion scripts for the usual shells", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let script = try program.run(["completions", shell])
        #expect(script.status == 0)
        #expect(script.output.contains("passconduit"))
        let option = try program.run(["--generate-completion-script", shell])
        #expect(option.output == script.output)
    }

    @Test("bash accepts the completion script")
    func bash() throws {
        let result = try program.shell(
            "\"$PROGRAM\" completions bash > c && bash -c '. ./c && complete -p passconduit'")
        #expect(result.status == 0)
        #expect(result.output.contains("passconduit"))
    }
}
