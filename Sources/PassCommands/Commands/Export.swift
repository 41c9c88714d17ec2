internal import ArgumentParser

/// `passconduit export`: the pass file again, byte for byte.
struct Export: Verb {
    static let configuration = CommandConfiguration(
        abstract: "Write a pass of the library to a file, exactly as it came.",
        discussion: """
            \(nameOfAPass)

            EXAMPLES
              passconduit export 1                     writes a file named for the pass
              passconduit export 1 -o ticket.pkpass
              passconduit export 1 -o - | ssh phone 'cat > ticket.pkpass'
            """)

    @Argument(help: ArgumentHelp("The pass.", valueName: "id"))
    var id: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write here; - is the standard output (default: SERIAL.pkpass in this folder).",
            valueName: "file"),
        completion: .file(extensions: ["pkpass"]))
    var output: String?

    @Flag(help: "Overwrite a file that is there already.")
    var force = false

    @OptionGroup var place: LibraryArguments

    func run(in shell: Shell) throws -> ExitCode {
        .done
    }
}
