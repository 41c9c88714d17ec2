internal import ArgumentParser

/// `passconduit search`: which passes say this?
struct Search: Verb {
    static let configuration = CommandConfiguration(
        abstract: "Find the passes of the library that say all of these words.",
        discussion: """
            Looks in everything that a pass says, in all of its languages: names, places, seats, \
            small print. A word also finds longer words that begin with it. The exit code is 1 if \
            nothing is found.

            EXAMPLES
              passconduit search lisbon
              passconduit search --json seat 12A
            """)

    @Argument(help: "The words.")
    var words: [String]

    @OptionGroup var place: LibraryArguments
    @OptionGroup var language: LanguageArguments
    @OptionGroup var output: OutputArguments

    func run(in shell: Shell) throws -> ExitCode {
        .done
    }
}
