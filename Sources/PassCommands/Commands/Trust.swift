internal import ArgumentParser

/// `passconduit trust`: the authorities that this person trusts beside Apple.
struct Trust: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Keep the authorities that you trust beside Apple.",
        discussion: """
            Passes signed under one of these are judged like those signed under Apple's: the signer's \
            certificate must still name the pass type and the team. The certificates lie in \
            $XDG_CONFIG_HOME/passconduit/trust (~/.config/passconduit/trust).

            EXAMPLES
              passconduit trust add my-ca.pem
              passconduit trust list
              passconduit trust remove my-ca.pem
            """,
        subcommands: [List.self, Add.self, Remove.self])

    struct List: Verb {
        static let configuration = CommandConfiguration(
            abstract: "List the authorities that you trust.",
            discussion: """
                EXAMPLES
                  passconduit trust list
                  passconduit trust list --json
                """)

        @OptionGroup var output: OutputArguments

        func run(in shell: Shell) throws -> ExitCode {
            .done
        }
    }

    struct Add: Verb {
        static let configuration = CommandConfiguration(
            abstract: "Trust an authority from now on.",
            discussion: """
                EXAMPLES
                  passconduit trust add my-ca.pem
                """)

        @Argument(
            help: ArgumentHelp("Certificates (PEM or DER).", valueName: "file"),
            completion: .file(extensions: ["pem", "cer", "crt", "der"]))
        var files: [String]

        func run(in shell: Shell) throws -> ExitCode {
            .done
        }
    }

    struct Remove: Verb {
        static let configuration = CommandConfiguration(
            abstract: "Trust an authority no longer.",
            discussion: """
                EXAMPLES
                  passconduit trust remove my-ca.pem
                """)

        @Argument(help: ArgumentHelp("Names as `trust list` prints them.", valueName: "name"))
        var names: [String]

        func run(in shell: Shell) throws -> ExitCode {
            .done
        }
    }
}
