internal import ArgumentParser
internal import PassVerification

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

        func run(in shell: Shell) async throws -> ExitCode {
            for root in TrustFolder(shell.environment).roots() {
                switch root.anchors {
                case .failure(let failure):
                    shell.console.problem("\(failure)".escaped)
                case .success(let anchors):
                    for anchor in anchors.all {
                        let record = AnchorRecord(anchor, file: root.name)
                        try shell.console.print(
                            output.json ? jsonLine(record) : anchorLine(record))
                    }
                }
            }
            return .done
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

        func run(in shell: Shell) async throws -> ExitCode {
            for file in files {
                let root = try TrustFolder(shell.environment).add(file)
                for anchor in try root.anchors.get().all {
                    try shell.console.print(anchorLine(AnchorRecord(anchor, file: root.name)))
                }
            }
            return .done
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

        func run(in shell: Shell) async throws -> ExitCode {
            for name in names {
                try TrustFolder(shell.environment).remove(name)
                try shell.console.print("removed  \(name.escaped)")
            }
            return .done
        }
    }
}

/// `my-ca.pem  Example Authority  until 2045-01-01  SHA-256 0a1b...`.
private func anchorLine(_ anchor: AnchorRecord) -> String {
    let until = anchor.notAfter.prefix(10)
    return "\(anchor.file)  \(anchor.name)  until \(until)  SHA-256 \(anchor.fingerprint)".escaped
}
