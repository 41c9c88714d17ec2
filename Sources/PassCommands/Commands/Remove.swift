internal import ArgumentParser

/// `passconduit remove`: takes passes out of the library.
struct Remove: Verb {
    static let configuration = CommandConfiguration(
        abstract: "Remove passes from the library, with all of their history.",
        discussion: """
            Asks before it removes anything when run on a terminal, unless --yes says otherwise.

            \(nameOfAPass)

            EXAMPLES
              passconduit remove 1
              passconduit remove --yes pass.com.example.boarding/0001 pass.com.example.boarding/0002
            """)

    @Argument(help: ArgumentHelp("The passes.", valueName: "id"))
    var ids: [String]

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var place: LibraryArguments

    func run(in shell: Shell) throws -> ExitCode {
        .done
    }
}
