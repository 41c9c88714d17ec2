internal import ArgumentParser
internal import PassPresentation
internal import PassSession

/// What a command has of the world outside: what the program was started with, and its streams.
struct Shell: Sendable {
    var session: Session
    let console: Console

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

    /// What is asked for in place of the language of the locale.
    var wantedLanguage: String? { get }
}

extension Verb {
    var wantedLanguage: String? { nil }
}
