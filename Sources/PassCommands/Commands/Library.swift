internal import ArgumentParser

/// `passconduit library`: what concerns the library as a whole.
struct Library: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look after the library itself.",
        subcommands: [Check.self])

    struct Check: Verb {
        static let configuration = CommandConfiguration(
            abstract: "Compare the files of the library with its index, and mend what is wrong.",
            discussion: """
                Looks for what a crash or a hand may have left: files that are missing, that nothing \
                refers to, or that no longer hold what was stored. The exit code is 2 if \
                something is wrong and was not mended.

                EXAMPLES
                  passconduit library check
                  passconduit library check --mend
                """)

        @Flag(help: "Mend what can be mended.")
        var mend = false

        @OptionGroup var place: LibraryArguments
        @OptionGroup var output: OutputArguments

        func run(in shell: Shell) throws -> ExitCode {
            .done
        }
    }
}
