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

/// Why a command ends before it is done.
enum Failure: Error, CustomStringConvertible {
    /// The command line asks for what cannot be, in words that may follow a program's name.
    case usage(String)
    case notFound(String)
    /// Something other than a source of passes: the library, a trust root, a list of types.
    case unreadable(String, reason: String)
    case unwritable(String, reason: String)

    var exitCode: ExitCode {
        switch self {
        case .usage: .usage
        case .notFound: .nothingFound
        case .unreadable, .unwritable: .unreadable
        }
    }

    var description: String {
        switch self {
        case .usage(let clause): clause
        case .notFound(let what): "no pass \(what) in the library"
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .unwritable(let path, let reason): "\(path): \(reason)"
        }
    }
}
