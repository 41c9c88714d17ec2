internal import ArgumentParser

/// `passconduit show`: one pass, so that one could travel with it.
struct Show: Verb {
    static let configuration = CommandConfiguration(
        abstract: "Show a pass of the library with all that it says.",
        discussion: """
            Prints the fields of the pass, front and back, the message of its barcode, when and where \
            it is valid, who signed it, and where it came from.

            \(nameOfAPass)

            EXAMPLES
              passconduit show 1
              passconduit show pass.com.example.boarding/0001 --language de
              passconduit show 1 --history
              passconduit show 1 --json | jq .fields
            """)

    @Argument(help: ArgumentHelp("The pass.", valueName: "id"))
    var id: String

    @Flag(help: "Also list the versions of the pass that the library keeps.")
    var history = false

    @OptionGroup var place: LibraryArguments
    @OptionGroup var language: LanguageArguments
    @OptionGroup var output: OutputArguments

    func run(in shell: Shell) throws -> ExitCode {
        .done
    }
}

/// How a person names a pass; the same words in the help of every command that takes a name.
let nameOfAPass = """
    A pass is named by its number in the list, by pass type and serial number (TYPE/SERIAL), by the \
    serial number alone, or by the first digits of its SHA-256, where only one pass fits.
    """
