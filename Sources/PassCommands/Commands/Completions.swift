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
        try shell.console.print(Passconduit.completionScript(for: self.shell.completionShell))
        return .done
    }
}
