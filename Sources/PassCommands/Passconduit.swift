package import ArgumentParser
internal import Bytes
internal import Confinement
internal import Foundation
internal import Glibc
internal import Localization
internal import MailSource
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import Platform

/// The command line of the program.
package struct Passconduit: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "passconduit",
        abstract: "Find Wallet passes in mail, verify them, and keep them.",
        discussion: """
            passconduit reads mailboxes, folders and pass files, finds every pass in them \
            (.pkpass), verifies each as strictly as Apple Wallet does (`passconduit help verify` \
            says what that means), and keeps the trusted ones in a library on this computer.

            It connects to other computers only if you name a URL, use --follow-links, or run \
            `update` or `downloads resume`. A separate program, passconduit-fetch, does that: \
            passconduit itself, which reads untrusted input, has no network access.

            EXAMPLES
              passconduit scan ~/Mail                  which passes are there?
              passconduit import ~/Mail ~/Downloads    add them to the library
              passconduit watch                        and what arrives from now on
              passconduit open ticket.pkpass           show a pass, ask whether to add it
              passconduit list                         what is in the library?
              passconduit show 1                       everything a pass says
              passconduit render 1 -o pass.png         draw it
              passconduit update                       get newer versions from the issuers
              passconduit verify ticket.pkpass         why is this pass (not) trusted?

            EXIT CODES
              0   done
              1   nothing found (scan, open, verify, search), or nothing of that name (show, \
            export, render, remove, update, downloads, trust)
              2   some input could not be read, or some output not written (all commands)
              3   a pass is not trusted (verify, render, show), or Wallet would refuse it \
            (verify --wallet); a pass was not added (open), or was refused although it was named \
            (import); a pass has mistakes (lint, sign)
              64  the command line is wrong
              Where several apply, the first of 64, 2, 3, 1 wins.

            ENVIRONMENT
              PASSCONDUIT_LIBRARY        folder of the library, unless --library is given
              XDG_DATA_HOME              otherwise the library is 'passconduit' in this
                                         folder (~/.local/share)
              XDG_CONFIG_HOME            'passconduit/trust' in it holds the authorities
                                         that you trust; 'passconduit/signing' those with
                                         which you sign passes
              HOME                       your home folder (otherwise the one in the user
                                         database)
              SSH_AUTH_SOCK              socket of ssh-agent, for `sign --key agent`
              XDG_STATE_HOME             'passconduit' in it holds the record of `setup` and
                                         spooled mail (~/.local/state)
              TMPDIR                     folder for large parts while they are read
              https_proxy, http_proxy    proxies for URLs, as in curl(1); https_proxy also
                                         in capital letters
              all_proxy                  the same for both (or ALL_PROXY)
              no_proxy                   hosts to contact without a proxy (or NO_PROXY)
              SSL_CERT_FILE              a file with the authorities to trust for servers,
                                         instead of the system's
              SSL_CERT_DIR               a folder of such files
              LC_ALL, LC_MESSAGES, LANG  the language of the program and of passes
              LANGUAGE                   a list of languages, best first: pt_BR:es
              LC_TIME                    the format of dates and amounts
              TZ                         the time zone of dates (tzset(3)); records with
                                         --json are in UTC
              NO_COLOR                   no colours, even on a terminal
            """,
        version: Release.version.description,
        groupedSubcommands: [
            CommandGroup(
                name: "Find",
                subcommands: [Scan.self, Import.self, Watch.self, Open.self, Verify.self]),
            CommandGroup(
                name: "Library",
                subcommands: [
                    List.self, Show.self, Search.self, Export.self, Render.self, Remove.self,
                    Update.self, Downloads.self, Library.self,
                ]),
            CommandGroup(name: "Issue", subcommands: [Sign.self, Certificate.self, Lint.self]),
            CommandGroup(
                name: "Set up",
                subcommands: [
                    Setup.self, Trust.self, Completions.self, Manual.self, Notify.self,
                ]),
        ])

    @Flag(help: "With --version: also say what this system does to confine the program.")
    var verbose = false

    package init() {}

    /// Runs the program and ends the process.
    package static func main() async -> Never {
        FileDescriptor.fillClosedStreams()
        raiseOpenFileLimit()
        // With SIGPIPE ignored, writing to a closed pipe returns an error.
        signal(SIGPIPE, SIG_IGN)
        let environment = Environment(ProcessInfo.processInfo.environment)
        let shell = Shell(environment, arguments: CommandLine.argumentBytes())
        // ArgumentParser traps on terminals of fewer than 28 columns. HelpPage wraps its texts.
        unsafe setenv("COLUMNS", "80", 1)
        // Dispatch retries forever if it cannot start its threads.
        guard hasThreads() else {
            shell.console.problem(localized("cannot start a thread"))
            Glibc.exit(ExitCode.unreadable.rawValue)
        }
        guard hasDescriptors() else {
            shell.console.problem(localized("too many files are open"))
            Glibc.exit(ExitCode.unreadable.rawValue)
        }
        let code = await run(Array(CommandLine.arguments.dropFirst()), in: shell)
        Glibc.exit(code.rawValue)
    }

    /// Runs a command and returns its exit code. Errors are printed.
    static func run(_ arguments: [String], in shell: Shell) async -> ExitCode {
        do {
            return try await answer(arguments, in: shell)
        } catch OutputError.closed {
            shell.console.hideProgress()
            return .done
        } catch OutputError.failed(let error) {
            let stream = localized("standard output")
            shell.console.problem("\(stream): \(error.phrase.localized)")
        } catch let failure as Failure {
            shell.console.problem(failure.phrase.localized.escaped)
            return failure.exitCode
        } catch let error as LibraryError {
            shell.console.problem(error.advisedPhrase.localized.escaped)
            return exitCode(for: error)
        } catch {
            shell.console.problem(clause(error.phrase.localized).escaped)
        }
        return .unreadable
    }

    private static func exitCode(for error: LibraryError) -> ExitCode {
        switch error {
        case .noSuchPass: .nothingFound
        case .ambiguous: .usage
        default: .unreadable
        }
    }

    /// Printed without arguments.
    private static let shortHelp = """
        OVERVIEW: \(configuration.abstract)

        USAGE: passconduit <subcommand>

        EXAMPLES
          passconduit import ~/Mail ~/Downloads    find passes, add them to the library
          passconduit open ticket.pkpass           show a pass, ask whether to add it
          passconduit list                         what is in the library?
          passconduit search lisbon                which passes contain this word?
          passconduit show 1                       everything a pass says

        `passconduit --help` lists all subcommands, `passconduit help import` explains one, and \
        passconduit(1) is the manual.
        """

    private static func show(_ help: HelpText, in shell: Shell) throws {
        let width = shell.environment["COLUMNS"].flatMap { Int($0) } ?? 0
        let page = HelpPage(help, width: max(width > 0 ? width : shell.console.output.width, 28))
        for line in page.lines { try shell.console.print(line) }
    }

    /// Reports unknown commands, for which the parser's `help` prints the general help.
    private static func checkTopic(_ names: ArraySlice<String>) throws {
        guard let unknown = UnknownCommand(in: names) else { return }
        let hint = unknown.nearest.map { ". Did you mean '\($0)'?" } ?? ""
        throw ValidationError("there is no command '\(unknown.word)'\(hint)")
    }

    /// `. Did you mean 'show'?`, if the error is about a word in the place of a command.
    private static func hint(for message: String, _ arguments: [String]) -> String {
        guard arguments.first != "help", let unknown = UnknownCommand(in: arguments),
            message.contains("'\(unknown.word)'"), let meant = meant(by: unknown)
        else { return "" }
        return ". Did you mean '\(meant)'?"
    }

    private static func meant(by unknown: UnknownCommand) -> String? {
        if let nearest = unknown.nearest { return nearest }
        guard unknown.isFirst, let status = Path(unknown.word).status(followsLinks: true)
        else { return nil }
        let command = status.st_mode & S_IFMT == S_IFDIR ? "scan" : "open"
        return "passconduit \(command) \(quoted(unknown.word))"
    }

    private static func answer(_ arguments: [String], in shell: Shell) async throws -> ExitCode {
        do {
            if arguments.isEmpty {
                try show(HelpText(shortHelp), in: shell)
                return .done
            }
            if arguments.first == "help" { try checkTopic(arguments.dropFirst()) }
            // The parser's own option knows only the parser's own scripts.
            let isScript = arguments.first == "--generate-completion-script"
            var command = try parseAsRoot(
                isScript ? ["completions"] + arguments.dropFirst() : arguments)
            guard let verb = command as? any Verb else {
                // The parser's own commands, such as `help`.
                try command.run()
                return .done
            }
            var shell = shell
            shell.session.speak(verb.wantedLanguage)
            shell.isVerbose = arguments.prefix { $0 != "--" }.contains("--verbose")
            return try await verb.run(in: shell)
        } catch let error where exitCode(for: error).isSuccess {
            let message = fullMessage(for: error, columns: HelpText.unwrapped)
            guard !message.hasPrefix("OVERVIEW: ") else {
                try show(HelpText(message), in: shell)
                return .done
            }
            try shell.console.print(message)
            if message == configuration.version, arguments.contains("--verbose") {
                for line in protectionLines(try Protections.offered()) {
                    try shell.console.print(line)
                }
            }
            return .done
        } catch let error where exitCode(for: error) == .validationFailure {
            // The first line of the parser's message is the error, the rest is the usage.
            let message = message(for: error)
            let help = fullMessage(for: error).components(separatedBy: "\n")
            shell.console.problem((clause(message) + hint(for: message, arguments)).escaped)
            for line in help.drop(while: { !$0.hasPrefix("Usage:") }) where !line.isEmpty {
                shell.console.note(line)
            }
            return .usage
        }
    }
}

/// Large passes waiting for import are in unlinked open files. The usual soft limit is 1,024 open
/// files; the hard limit is far higher.
private func raiseOpenFileLimit() {
    var limit = rlimit()
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(files, &limit) == 0 else { return }
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 65_536))
    _ = unsafe setrlimit(files, &limit)
}

/// Whether a few files can be opened. Without descriptors libdispatch traps, which would look like
/// a crash of the program.
private func hasDescriptors() -> Bool {
    var opened: [FileDescriptor] = []
    defer { for descriptor in opened { descriptor.close() } }
    while opened.count < 24 {
        guard let descriptor = try? FileDescriptor.open("/dev/null", O_RDONLY) else { return false }
        opened.append(descriptor)
    }
    return true
}

/// Whether this process can start the threads that Dispatch needs, one per processor and one more,
/// at the same time. They have ended when this returns, so that the process can still be confined.
private func hasThreads() -> Bool {
    let count = max(2, sysconf(CInt(_SC_NPROCESSORS_ONLN))) + 1
    var gate = unsafe pthread_mutex_t()
    return unsafe withUnsafeMutablePointer(to: &gate) { gate in
        unsafe pthread_mutex_init(gate, nil)
        unsafe pthread_mutex_lock(gate)
        var threads: [pthread_t] = []
        var thread = pthread_t()
        while unsafe threads.count < count && pthread_create(&thread, nil, passGate, gate) == 0 {
            threads.append(thread)
        }
        unsafe pthread_mutex_unlock(gate)
        for thread in threads { pthread_join(thread, nil) }
        unsafe pthread_mutex_destroy(gate)
        return threads.count == count
    }
}

/// Blocks until the mutex is unlocked.
private func passGate(_ gate: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let gate = unsafe gate?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
    unsafe pthread_mutex_lock(gate)
    unsafe pthread_mutex_unlock(gate)
    return nil
}
