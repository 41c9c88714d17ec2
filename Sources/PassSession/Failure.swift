internal import PassPresentation

/// Why a command ends before it is done.
package enum Failure: Error, CustomStringConvertible {
    /// The command line asks for what cannot be, in words that may follow a program's name.
    case usage(String)
    /// What a person named is not there, in words that may follow a program's name.
    case notFound(String)
    /// Something other than a source of passes: the library, a trust root, a list of types.
    case unreadable(String, reason: String)
    case unwritable(String, reason: String)
    /// The system refused to take rights away, although it knows how.
    case unconfined(String)

    package var exitCode: ExitCode {
        switch self {
        case .usage: .usage
        case .notFound: .nothingFound
        case .unreadable, .unwritable, .unconfined: .unreadable
        }
    }

    /// For people, in their language.
    package var description: String {
        switch self {
        case .usage(let clause), .notFound(let clause): translated(clause)
        case .unreadable(let path, let reason): "\(path): \(translated(reason))"
        case .unwritable(let path, let reason): "\(path): \(translated(reason))"
        case .unconfined(let reason): translated(reason)
        }
    }
}
