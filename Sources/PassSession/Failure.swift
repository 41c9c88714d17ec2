internal import PassPresentation

/// An error that ends a command.
package enum Failure: Error, CustomStringConvertible {
    /// The command line is invalid; the text follows the program's name.
    case usage(String)
    /// Something named on the command line does not exist; the text follows the program's name.
    case notFound(String)
    /// A file other than a source of passes cannot be read: the library, a trust anchor, a list of
    /// types.
    case unreadable(String, reason: String)
    case unwritable(String, reason: String)
    /// The system supports confinement but failed to apply it.
    case unconfined(String)

    package var exitCode: ExitCode {
        switch self {
        case .usage: .usage
        case .notFound: .nothingFound
        case .unreadable, .unwritable, .unconfined: .unreadable
        }
    }

    /// The message, in the reader's language.
    package var description: String {
        switch self {
        case .usage(let clause), .notFound(let clause): translated(clause)
        case .unreadable(let path, let reason): "\(path): \(translated(reason))"
        case .unwritable(let path, let reason): "\(path): \(translated(reason))"
        case .unconfined(let reason): translated(reason)
        }
    }
}
