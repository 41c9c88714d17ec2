internal import ArgumentParser
internal import PassSession

/// A command's access to its environment and standard streams.
struct Shell: Sendable {
    var session: Session
    let console: Console
    /// Whether --verbose is among the options: the parser takes it for the option of the program,
    /// wherever it stands.
    var isVerbose = false

    init(_ environment: Environment, arguments: [[UInt8]]) {
        let console = Console(environment)
        session = Session(
            environment: environment, arguments: arguments, report: { console.problem($0) })
        self.console = console
    }

    var environment: Environment { session.environment }
}

/// A command of the program.
protocol Verb: ParsableCommand {
    func run(in shell: Shell) async throws -> ExitCode

    /// Overrides the language of the locale.
    var wantedLanguage: String? { get }
}

extension Verb {
    var wantedLanguage: String? { nil }
}
