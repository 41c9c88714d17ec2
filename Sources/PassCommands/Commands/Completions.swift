internal import ArgumentParser

/// `passconduit completions`: what a shell needs to complete command lines.
struct Completions: Verb {
    static let configuration = CommandConfiguration(
        abstract: "Print what a shell needs to complete the command lines of passconduit.",
        discussion: """
            EXAMPLES
              passconduit completions bash > ~/.local/share/bash-completion/completions/passconduit
              passconduit completions zsh > ~/.zfunc/_passconduit    (a folder of your $fpath)
              passconduit completions fish > ~/.config/fish/completions/passconduit.fish
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
