internal import ArgumentParser
internal import PassSession

/// `passconduit completions`: prints completion scripts for shells.
struct Completions: Verb {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print what a shell needs to complete the command lines of passconduit.",
        discussion: """
            EXAMPLES
              passconduit completions bash > passconduit
              passconduit completions zsh > _passconduit
              passconduit completions fish > passconduit.fish

            Where the shells look for them: bash in ~/.local/share/bash-completion/completions, zsh \
            in the folders of $fpath, fish in ~/.config/fish/completions.
            """)

    enum Shells: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish

        var completionShell: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shells

    func run(in shell: Shell) async throws -> ExitCode {
        try shell.console.print(script)
        return .done
    }

    /// ArgumentParser's script, which offers no commands after `help`, with them.
    private var script: String {
        let script = Passconduit.completionScript(for: shell.completionShell)
        var names: [String] = []
        for group in Passconduit.configuration.groupedSubcommands {
            for command in group.subcommands where command.configuration.shouldDisplay {
                names.append(command.configuration.commandName ?? "")
            }
        }
        let commands = names.joined(separator: " ")
        return switch shell {
        case .bash:
            script + """


                _passconduit_help() {
                    COMPREPLY=($(compgen -W '\(commands)' -- "${COMP_WORDS[COMP_CWORD]}"))
                }
                """
        case .zsh: script.replacing("'*:subcommands:'", with: "'*:command:(\(commands))'")
        case .fish:
            script + """

                complete -c passconduit -fa '\(commands)' -n \
                    '__passconduit_should_offer_completions_for_positional "passconduit help" -ge 1'
                """
        }
    }
}
