internal import ArgumentParser
internal import Foundation
internal import PassImport
internal import PassStore
internal import PassVerification

/// `passconduit open`: shows passes and asks whether to add them; what the desktop runs for one.
struct Open: Verb {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Show passes with their verdict, and ask whether to add them.",
        discussion: """
            What the desktop runs when you open a pass (.pkpass), for a terminal too. Shows what each \
            pass says, who signed it, and what the library has of it already: of a newer version, \
            what changed. Of a bundle (.pkpasses) or a mail, each pass in it. A pass may be named by \
            its path or by a file: URL; links to the network are not fetched. `-` is the standard \
            input.

            Nothing is added without your answer. For a trusted pass that is `y`; for one that is not \
            signed, or by somebody whom nobody vouches for, you type '\(Opening.phrase)'. What is \
            tampered with, or cannot be read, is never added. Scripts have `passconduit import`.

            Started by the desktop, without a terminal, it opens passconduit-viewer; where that is not \
            installed, a notification and a terminal window with the question. Where nobody can be \
            asked, it prints what there is to know.

            The exit code is 0 when each pass was added, was there, or was not wanted; 3 if one is not \
            trusted and was not added; 2 if something cannot be read, and 1 for a mail without a pass.

            EXAMPLES
              passconduit open ticket.pkpass
              passconduit open file:///home/ada/Downloads/ticket.pkpass
              passconduit open mail.eml
            """)

    @Argument(
        help: ArgumentHelp(
            "Passes, bundles, mails, or file: URLs; - is the standard input.", valueName: "file"),
        completion: .file())
    var files: [String]

    @Flag(help: .hidden)
    var handedOver = false

    @OptionGroup var trust: TrustArguments
    @OptionGroup var place: LibraryArguments
    @OptionGroup var language: LanguageArguments

    func validate() throws {
        if files.contains("") { throw ValidationError("'' is no path") }
    }

    func run(in shell: Shell) async throws -> ExitCode {
        if let dialogue = Dialogue(shell.environment) {
            let opened = try await read(in: shell)
            for problem in opened.problems { shell.console.problem(problem) }
            let code = try opening(in: shell).ask(about: opened.passes, in: dialogue)
            // A window closes when its command ends.
            if handedOver { _ = dialogue.ask("Press Enter to close this window.") }
            return opened.code.joined(with: code)
        }
        let isOnDesktop = !handedOver && DesktopOpening.isPossible(in: shell.environment)
        return isOnDesktop
            ? try await onDesktop(in: shell) : try print(await read(in: shell), shell)
    }

    private func opening(in shell: Shell) -> Opening {
        Opening(
            shell: shell, reader: Reader(shell.environment, language: language.language),
            place: place)
    }

    private func read(in shell: Shell) async throws -> OpenedPasses {
        var opened = OpenedPasses(try trust.verifier(in: shell), in: shell)
        for file in files {
            do {
                if handedOver {
                    let handover = try Handover(at: file)
                    defer { handover.remove() }
                    try await opened.read(handover)
                } else {
                    let target = try OpenTarget(file, in: shell)
                    try await opened.read(target.path, named: target.name)
                }
            } catch let failure as Failure {
                opened.refuse(failure)
            }
        }
        return opened
    }

    /// Where nobody can be asked nothing is added.
    private func print(_ opened: OpenedPasses, _ shell: Shell) throws -> ExitCode {
        let opening = opening(in: shell)
        for problem in opened.problems { shell.console.problem(problem) }
        var code = opened.code
        for found in opened.passes {
            let prospect = try opening.prospect(of: found)
            for line in opening.summary(of: found, prospect, on: shell.console.output) + [""] {
                try shell.console.print(line)
            }
            let isDone =
                found.verification.verdict == .trusted || prospect?.admission == .unchanged
            code = code.joined(with: isDone ? .done : .notTrusted)
        }
        if let command = importCommand(for: opened, opening) {
            try shell.console.print("Nothing was added. To add it: \(command)")
        }
        return code
    }

    /// What adds what could be added; nil for nothing.
    private func importCommand(for opened: OpenedPasses, _ opening: Opening) -> String? {
        var words = ["passconduit import"]
        var sources: [String] = []
        for found in opened.passes where found.verification.verified != nil {
            let verdict = found.verification.verdict
            let option = "--accept \(verdict.rawValue)"
            if verdict != .trusted, !words.contains(option) { words.append(option) }
            let source = found.source == "-" ? "-" : quoted(found.source)
            if sources.last != source { sources.append(source) }
        }
        if sources.isEmpty { return nil }
        let options = options(in: opening.shell).map(quoted)
        return (words + options + sources).joined(separator: " ").escaped
    }

    /// The options that another run of the program needs, from wherever it is run.
    private func options(in shell: Shell) -> [String] {
        func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }
        return trust.roots.flatMap { ["--trust-root", absolute($0)] }
            + (place.library.map { ["--library", absolute($0)] } ?? [])
    }

    private func onDesktop(in shell: Shell) async throws -> ExitCode {
        let language = language.language.map { ["--language", $0] } ?? []
        let desktop = DesktopOpening(
            shell: shell, files: files, options: options(in: shell) + language)
        desktop.startViewer()

        var refused: [Failure] = []
        let handover = try desktop.handOver { refused.append($0) }
        defer { handover.remove() }
        var opened = OpenedPasses(try trust.verifier(in: shell), in: shell)
        for failure in refused { opened.refuse(failure) }
        try await opened.read(handover)
        let reader = Reader(shell.environment, language: self.language.language)
        let hasWindow = !opened.passes.isEmpty && desktop.hasTerminal
        let command = importCommand(for: opened, opening(in: shell))
        let advice = command.map { "To add it, in a terminal: \($0)" } ?? ""
        desktop.notify(of: opened, reader, ending: hasWindow ? "" : advice)
        guard hasWindow else { return try print(opened, shell) }
        for problem in opened.problems { shell.console.problem(problem) }
        // What became of the passes, the window says.
        if desktop.openWindow(for: handover) { return opened.code }
        desktop.notify(of: opened, reader, ending: advice)
        return try print(opened, shell)
    }
}
