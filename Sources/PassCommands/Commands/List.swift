internal import ArgumentParser

/// `passconduit list`: what does the library hold?
struct List: Verb {
    static let configuration = CommandConfiguration(
        abstract: "List the passes of the library.",
        discussion: """
            One line for each pass, the one that matters next at the top: its number, style, what it \
            is, when it matters, the verdict if it is not trusted, and its name. The number or the \
            name is what `show`, `export` and `remove` take.

            EXAMPLES
              passconduit list
              passconduit list --limit 20 --page 2
              passconduit list --json | jq -r .id
            """)

    @OptionGroup var place: LibraryArguments
    @OptionGroup var language: LanguageArguments
    @OptionGroup var output: OutputArguments

    @Option(
        help: ArgumentHelp("Print at most this many passes (default: all).", valueName: "number"),
        transform: positive)
    var limit: Int?

    @Option(
        help: ArgumentHelp("With --limit: which lot of them, from 1.", valueName: "number"),
        transform: positive)
    var page: Int = 1

    func validate() throws {
        if page > 1, limit == nil { throw ValidationError("--page needs --limit") }
    }

    func run(in shell: Shell) throws -> ExitCode {
        .done
    }
}
