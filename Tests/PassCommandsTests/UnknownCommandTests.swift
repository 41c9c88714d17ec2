import Testing

@testable import PassCommands

@Suite("A misspelt command is recognised if it is near to one")
struct UnknownCommandTests {
    @Test(
        "the nearest command is suggested, none if all are far",
        arguments: [
            ("shwo", "show"), ("serach", "search"), ("improt", "import"), ("lst", "list"),
            ("LIST", "list"), ("verfiy", "verify"), ("completion", "completions"),
            ("hlep", "help"), ("donwlaods", "downloads"), ("ls", nil), ("rm", nil), ("x", nil),
            ("nonsense", nil), ("", nil), ("notfy", nil),
            (String(repeating: "show", count: 10_000), nil),
        ])
    func nearest(word: String, command: String?) {
        let unknown = UnknownCommand(in: ["--verbose", word, "1"])
        #expect(unknown?.word == word)
        #expect(unknown?.nearest == command)
        #expect(unknown?.isFirst == true)
    }

    @Test("a subcommand is compared with those of its command")
    func nested() {
        #expect(UnknownCommand(in: ["trust", "lsit"])?.nearest == "list")
        #expect(UnknownCommand(in: ["trust", "lsit"])?.isFirst == false)
        #expect(UnknownCommand(in: ["trust", "hlep"])?.nearest == nil)
        for known in [[], ["show"], ["show", "shwo"], ["trust"], ["trust", "list", "x"]] {
            #expect(UnknownCommand(in: known) == nil)
        }
    }
}
