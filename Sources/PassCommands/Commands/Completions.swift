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
        let commands = Passconduit.configuration.subcommands
        let topics = names(of: commands)
        var subtopics: [(topic: String, names: String)] = []
        for command in commands where !command.configuration.subcommands.isEmpty {
            let topic = command.configuration.commandName ?? ""
            subtopics.append((topic, names(of: command.configuration.subcommands)))
        }
        return switch shell {
        case .bash: script + bashHelp(topics, subtopics)
        case .zsh: script.replacing("'*:subcommands:'", with: zshHelp(topics, subtopics))
        case .fish: script + fishHelp(topics, subtopics)
        }
    }
}

private func names(of commands: [any ParsableCommand.Type]) -> String {
    var names: [String] = []
    for command in commands where command.configuration.shouldDisplay {
        names.append(command.configuration.commandName ?? "")
    }
    return names.joined(separator: " ")
}

private func bashHelp(_ topics: String, _ subtopics: [(topic: String, names: String)]) -> String {
    let cases = subtopics.map { "    '3 \($0.topic)') names='\($0.names)' ;;" }
    return """


        _passconduit_help() {
            local names=''
            case "${COMP_CWORD} ${COMP_WORDS[2]}" in
            '2 '*) names='\(topics)' ;;
        \(cases.joined(separator: "\n"))
            esac
            COMPREPLY=($(compgen -W "${names}" -- "${COMP_WORDS[COMP_CWORD]}"))
        }
        """
}

private func zshHelp(_ topics: String, _ subtopics: [(topic: String, names: String)]) -> String {
    let cases = subtopics.map { "(\($0.topic)) compadd \($0.names) ;;" }.joined(separator: " ")
    return """
        '1:command:(\(topics))'
                '2:subcommand:{case "${words[2]}" in \(cases) esac}'
        """
}

private func fishHelp(_ topics: String, _ subtopics: [(topic: String, names: String)]) -> String {
    let isHelp = #"__passconduit_should_offer_completions_for_positional "passconduit help""#
    let offers =
        ["complete -c passconduit -fa '\(topics)' -n '\(isHelp) -eq 1'"]
        + subtopics.map {
            """
            complete -c passconduit -fa '\($0.names)' -n \
                '\(isHelp) -eq 2; and contains \($0.topic) (__passconduit_tokens -pc)'
            """
        }
    return "\n" + offers.joined(separator: "\n")
}
