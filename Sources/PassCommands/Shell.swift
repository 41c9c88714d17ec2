internal import ArgumentParser
internal import MailSource

/// What a command has of the world outside: the variables of the shell, and its streams.
struct Shell {
    let environment: Environment
    let console: Console
    /// The arguments, byte by byte: a path need not be text.
    var arguments: [[UInt8]] = []

    /// The path that an argument names, also when not all of it is UTF-8.
    func path(_ argument: String) -> Path {
        guard argument.unicodeScalars.contains("\u{FFFD}") else { return Path(argument) }
        let bytes = arguments.first { String(decoding: $0, as: UTF8.self) == argument }
        return bytes.map { Path($0) } ?? Path(argument)
    }
}

/// A command of the program.
protocol Verb: ParsableCommand {
    func run(in shell: Shell) async throws -> ExitCode
}
