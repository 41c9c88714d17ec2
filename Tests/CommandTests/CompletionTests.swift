import Foundation
import PassFixtures
import Testing

@Suite("Shell completion works")
final class CompletionTests {
    private let home: Home
    private let program: Program

    init() throws {
        home = try Home()
        let folder = Program.folder.path
        program = Program(
            home: home,
            environment: [
                "PATH": "\(folder):\(Program.searchPath)", "TERM": "xterm",
                "XDG_DATA_HOME": home.path("share"),
            ])
        try home.write(Data(), to: "certificate.pem")
        try home.write(Data(), to: "ticket.pkpass")
        try home.write(Data(Self.askBash.utf8), to: "ask.bash")
        try home.write(Data(Self.askZsh.utf8), to: "ask.zsh")
        let written = Program.package.appendingPathComponent("desktop/completions").path
        let result = try program.shell(
            """
            set -e
            mkdir -p share/bash-completion/completions zsh fish
            for name in passconduit passconduit-serve; do
                script="$name --generate-completion-script"
                [ $name = passconduit ] && script="$name completions"
                $script bash > share/bash-completion/completions/$name
                $script zsh > zsh/_$name
                $script fish > fish/$name.fish
            done
            cd '\(written)'
            cp passconduit-deliver.bash "$HOME/share/bash-completion/completions/passconduit-deliver"
            cp _passconduit-deliver "$HOME/zsh"
            cp passconduit-deliver.fish "$HOME/fish"
            """)
        #expect(result.status == 0)
    }

    deinit { home.remove() }

    enum Shell: String, CaseIterable {
        case bash
        case bashWithCompletion = "bash with bash-completion"
        case zsh, fish
    }

    static let rows = [
        ("passconduit sc", "scan"),
        ("passconduit help ren", "render"),
        ("passconduit help trust a", "add"),
        ("passconduit help downloads re", "resume"),
        ("passconduit help certificate ex", "export"),
        ("passconduit help library ", "check"),
        ("passconduit trust a", "add"),
        ("passconduit downloads re", "resume"),
        ("passconduit downloads resume --du", "--due"),
        ("passconduit import --follow-l", "--follow-links"),
        ("passconduit update --allow-p", "--allow-private"),
        ("passconduit scan --trust-r", "--trust-root"),
        ("passconduit list --sort o", "organization"),
        ("passconduit verify tick", "ticket.pkpass"),
        ("passconduit sign --password-f", "--password-file"),
        ("passconduit certificate ex", "export"),
        ("passconduit lint --sa", "--sarif"),
        ("passconduit lint --certificate cert", "certificate.pem"),
        ("passconduit-serve pub", "publish"),
        ("passconduit-serve run --pref", "--prefix"),
        ("passconduit-serve publish tick", "ticket.pkpass"),
        ("passconduit-deliver --lib", "--library"),
        ("passconduit-deliver --trust-root cert", "certificate.pem"),
        ("passconduit-deliver --library zs", "zsh"),
        ("passconduit-deliver --library=zs", "zsh"),
    ]

    @Test("each word completes to the matching choices", arguments: Shell.allCases, rows)
    func complete(shell: Shell, row: (line: String, word: String)) throws {
        #expect(try offers(shell, row.line).contains(row.word))
    }

    @Test("the numbers of passes are offered", arguments: Shell.allCases)
    func numbers(shell: Shell) throws {
        let passes = try TestPasses.make()
        _ = try program.run(["import", passes.path("trusted.pkpass")] + passes.trust)
        #expect(try offers(shell, "passconduit show ").contains("1"))
    }

    @Test("internal commands are not offered", arguments: Shell.allCases)
    func hidden(shell: Shell) throws {
        let offers = try offers(shell, "passconduit ")
        #expect(offers.contains("import"))
        #expect(!offers.contains("manual"))
    }

    @Test("after a command, help offers its subcommands only", arguments: Shell.allCases)
    func subtopics(shell: Shell) throws {
        let offers = try offers(shell, "passconduit help trust ")
        #expect(offers.contains("remove"))
        #expect(!offers.contains("render"))
        #expect(try !self.offers(shell, "passconduit help show ").contains("render"))
    }

    @Test("passconduit-deliver completes all of its options", arguments: Shell.allCases)
    func delivery(shell: Shell) throws {
        let help = try program.shell("passconduit-deliver --help").output
        let options = Set(help.matches(of: /\n +(?:-[a-z], )?(--[a-z-]+)/).map { String($0.1) })
        #expect(options.contains("--library"))
        let offers = try offers(shell, "passconduit-deliver --")
        #expect(Set(offers.matches(of: /--[a-z][-a-z]*/).map { String($0.output) }) == options)
    }

    @Test("zsh reports no error in the script")
    func zsh() throws {
        let result = try program.shell("for script in zsh/_*; do zsh -n $script || exit; done")
        #expect(result.status == 0)
        #expect(result.errors == "")
    }

    /// The choices a shell offers, or the completed line.
    private func offers(_ shell: Shell, _ line: String) throws -> String {
        let name = line.prefix { $0 != " " }
        // bash treats the sign between an option and its value as a separate word.
        let words = line.replacing("=", with: " = ").split(
            separator: " ", omittingEmptySubsequences: false
        )
        .map { "'\($0)'" }.joined(separator: " ")
        let command =
            switch shell {
            case .bash: "bash --norc ask.bash share/bash-completion/completions/\(name) \(words)"
            case .bashWithCompletion: "bash --norc ask.bash '' \(words)"
            case .zsh: "timeout 60 zsh -f ask.zsh \"$PWD/zsh\" '\(line)'"
            case .fish: "fish --no-config -c 'source fish/\(name).fish; complete -C \"\(line)\"'"
            }
        let result = try program.shell(command)
        #expect(result.errors == "")
        return result.output
    }

    /// `ask.bash SCRIPT WORD...`. Without a script, bash-completion has to find it.
    private static let askBash = """
        compopt() { :; }
        if [ -n "$1" ]; then . "$1"; else
            . /usr/share/bash-completion/bash_completion
            _completion_loader "$2"
        fi
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
        COMP_TYPE=9 COMP_KEY=9
        read -ra words <<< "$(complete -p "$1")"
        for ((i = 0; i < ${#words[@]}; i++)); do
            [ "${words[i]}" != -F ] || function=${words[i + 1]}
        done
        "$function" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\\n' "${COMPREPLY[@]}"

        """

    /// `ask.zsh FOLDER LINE`: types the line and a tab in a terminal, and prints the choices and
    /// the resulting line.
    private static let askZsh = #"""
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D"
        zpty -w shell 'stty cols 200; LISTMAX=1000; show() { print -r -- "<$BUFFER>" }; zle -N show'
        zpty -w shell 'bindkey "^X" show; PS1="rea""dy> "'
        zpty -r shell output '*ready> *'
        zpty -w -n shell "$2"$'\t\C-x'
        zpty -r shell output '*<*>'
        print -r -- "$output"
        zpty -d shell

        """#
}
