internal import ArgumentParser
internal import DesktopIntegration
internal import Foundation
internal import Localization
internal import PassDetection
internal import PassImport
internal import PassLinks
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassVerification

/// `passconduit open`: shows passes and asks whether to add them. Desktops run it for pass files.
struct Open: Verb {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Show passes with their verdict, and ask whether to add them.",
        discussion: """
            The desktop runs this command when you open a pass (.pkpass); it works in a terminal, \
            too. Shows what each pass says, who signed it, whether it is in the library, and what \
            a newer version changes. A bundle (.pkpasses) or a message may hold several passes. \
            Name a pass by path or URL; what an https: URL returns is deleted afterwards. A URL \
            passconduit:pass/TYPE/SERIAL shows the pass of the library with this pass type and \
            serial number, both percent-encoded. `-` is standard input.

            Nothing is added without your answer. Answer `y` for a trusted pass. For an unsigned \
            pass, or one whose signer is not trusted, type '\(Opening.phrase)' instead. Tampered \
            and malformed passes are never added. Scripts should use `passconduit import`.

            Without a terminal, the desktop gets passconduit-viewer. If that is not installed, a \
            notification and a terminal window ask. Without any way to ask, the command only \
            prints what it found.

            EXAMPLES
              passconduit open ticket.pkpass
              passconduit open file:///home/ada/Downloads/ticket.pkpass
              passconduit open https://example.com/ticket.pkpass
              passconduit open passconduit:pass/pass.com.example.boarding/0001
              passconduit open mail.eml

            ENVIRONMENT
              DISPLAY, WAYLAND_DISPLAY  the display to use without a terminal
              TERMINAL                  the terminal program for the window that asks,
                                        with its options
              XDG_RUNTIME_DIR           holds the copies for that window (default:
                                        TMPDIR, then /tmp)
            """)

    @Argument(
        help: ArgumentHelp(
            "Passes, bundles, mails, or URLs; - is the standard input.", valueName: "file"),
        completion: .file())
    var files: [String]

    /// Set in a terminal window: the argument is a folder of copies, which is removed after
    /// reading.
    @Flag(help: .hidden)
    var handedOver = false

    /// Set when the output is for a notification: the argument is a folder of copies.
    @Flag(help: .hidden)
    var notice = false

    /// The folder of copies into which the URLs are fetched.
    @Option(help: .hidden)
    var fetchInto: String?

    @OptionGroup var trust: TrustArguments
    @OptionGroup var place: LibraryArguments
    @OptionGroup var language: LanguageArguments
    @OptionGroup var fetching: FetchArguments

    func validate() throws {
        if files.contains("") { throw ValidationError("the path is empty") }
    }

    var wantedLanguage: String? { language.language }

    func run(in shell: Shell) async throws -> ExitCode {
        if notice { return try await printNotice(in: shell) }
        if let fetchInto { return try await fetch(into: fetchInto, in: shell) }
        let isForDesktop = !handedOver && DesktopOpening.isAsked(in: shell.environment)
        if !isForDesktop, let dialogue = Dialogue(shell.environment) {
            let opened = try await read(in: shell, adding: true)
            for problem in opened.problems { shell.console.problem(problem) }
            let code = try opening(in: shell).ask(about: opened.passes, in: dialogue)
            // The window closes when its command ends.
            if handedOver { _ = dialogue.ask(localized("Press Enter to close this window.")) }
            return opened.code.joined(with: code)
        }
        if !handedOver, DesktopOpening.isPossible(in: shell.environment) {
            return try await onDesktop(in: shell)
        }
        return try print(await read(in: shell), shell)
    }

    private func opening(in shell: Shell) -> Opening {
        Opening(
            shell: shell,
            displayLocale: DisplayLocale(shell.environment, language: language.language),
            place: place)
    }

    /// A pass to read without fetching it.
    private enum Source {
        case input(OpenedPasses.NamedInput)
        case stored(PassIdentity)

        var input: OpenedPasses.NamedInput? {
            if case .input(let input) = self { input } else { nil }
        }
    }

    /// Gives up the rights not needed for reading, and reads.
    private func read(in shell: Shell, adding: Bool = false) async throws -> OpenedPasses {
        var opened = OpenedPasses(try trust.verifier(in: shell.session), in: shell.session)
        var sources: [Source] = []
        var urls: [WebURL] = []
        for file in files {
            do throws(Failure) {
                if handedOver {
                    sources += try OpenRequest(at: file).taken().map { .input($0) }
                } else if notice {
                    sources += try OpenRequest(at: file).files.map { .input($0) }
                } else {
                    let target = try OpenTarget(file, in: shell.session)
                    if let url = target.url {
                        urls.append(url)
                    } else if let source = target.source {
                        sources.append(.input(source))
                    } else if let pass = target.stored {
                        sources.append(.stored(pass))
                    }
                }
            } catch {
                opened.refuse(error)
            }
        }
        let named = sources.compactMap(\.input)
        let inputs = named.map { VerifyInput($0.input, named: $0.name) }
        let files = inputs.filter { !$0.isDirectory }.map(\.input)
        let library = try place.folder(in: shell.session)
        // The folders cannot be created later. If this fails, adding reports why.
        if adding, !(named.isEmpty && urls.isEmpty) { try? PassLibrary.makeFolders(at: library) }
        let session = urls.isEmpty ? nil : try FetchSession(fetching, in: nil, shell)
        defer { session?.end() }
        try shell.session.confine(
            reading: files, spooling: opened.spool,
            library: notice ? nil : library, working: [session?.folder].compactMap(\.self))
        for source in sources {
            switch source {
            case .input(let input): try await opened.read(input)
            // After the confinement, which allows the library: opening it may start threads.
            case .stored(let pass): try await opened.read(pass, of: place, in: shell.session)
            }
        }
        if let session { try await opened.read(urls, session.begin(nil)) }
        return opened
    }

    /// Prints the passes and how to add them.
    private func print(_ opened: OpenedPasses, _ shell: Shell) throws -> ExitCode {
        let opening = opening(in: shell)
        for problem in opened.problems { shell.console.problem(problem) }
        var code = opened.code
        for found in opened.passes {
            let prospect = try place.prospect(of: found, in: shell.session)
            for line in opening.summary(of: found, prospect, on: shell.console.output) + [""] {
                try shell.console.print(line)
            }
            let isDone =
                found.verification.verdict == .trusted || prospect?.admission == .unchanged
            code = code.joined(with: isDone ? .done : .notTrusted)
        }
        if let command = try importCommand(for: opened, in: shell.session) {
            let secrets = withheldSecrets(of: command, files, in: shell.session)
            let told = localized(
                "Nothing was added. To add it: {command}", ["command": command + secrets])
            try shell.console.print(told)
        }
        return code
    }

    private func onDesktop(in shell: Shell) async throws -> ExitCode {
        let language = language.language.map { ["--language", $0] } ?? []
        let desktop = DesktopOpening(
            shell: shell, files: files, place: place, options: options + language + fetching.words)
        desktop.startViewer()

        var problems: [String] = []
        let request = try desktop.builder.build { problems.append($0) }
        defer { request.remove() }
        let notice = desktop.notice(of: request)
        let hasWindow = notice.count > 0 && desktop.hasTerminal
        notice.show(with: problems, advising: !hasWindow, in: shell.environment)
        if hasWindow {
            let library = try place.folder(in: shell.session).path
            if desktop.openWindow(for: request, library: library) {
                // The window shows the result.
                for problem in problems { shell.console.problem(problem) }
                return problems.isEmpty ? notice.code : .unreadable
            }
            notice.show(with: problems, advising: true, in: shell.environment)
        }
        // Read the copies, since the files may be gone.
        var copies = self
        copies.files = [request.folder]
        copies.handedOver = true
        for problem in problems { shell.console.problem(problem) }
        let code = try print(await copies.read(in: shell), shell)
        return problems.isEmpty ? code : .unreadable
    }

    private func fetch(into folder: String, in shell: Shell) async throws -> ExitCode {
        let options = OpenedPasses(try trust.verifier(in: shell.session), in: shell.session).options
        let urls = try files.compactMap { file throws(Failure) in
            try SourceWord(file, in: shell.session).url
        }
        var request = try OpenRequest(at: folder)
        let session = try FetchSession(fetching, in: nil, shell)
        defer { session.end() }
        try shell.session.confine(
            spooling: options.spool, working: [session.folder, request.folder])
        try await request.fetch(urls, session.begin(nil), options) { problem in
            try shell.console.print(problem)
        }
        return .done
    }

    private func printNotice(in shell: Shell) async throws -> ExitCode {
        let opened = try await read(in: shell)
        let displayLocale = DisplayLocale(shell.environment, language: language.language)
        let command = try importCommand(for: opened, in: shell.session)
        let notice = DesktopNotice(of: opened, displayLocale, command: command)
        for line in notice.lines { try shell.console.print(line) }
        return opened.code
    }
}
