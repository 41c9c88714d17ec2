package import PassPresentation
package import Platform

/// An error that ends a command.
package enum Failure: Error {
    /// The command line is invalid; the text follows the program's name.
    case usage(Phrase)
    /// Something named on the command line does not exist; the text follows the program's name.
    case notFound(Phrase)
    /// A file other than a source of passes cannot be read: the library, a trust anchor, a list of
    /// types.
    case unreadable(String, reason: Phrase)
    case unwritable(String, reason: Phrase)
    /// The system supports confinement but failed to apply it.
    case unconfined(FileError)

    package var exitCode: ExitCode {
        switch self {
        case .usage: .usage
        case .notFound: .nothingFound
        case .unreadable, .unwritable, .unconfined: .unreadable
        }
    }
}

extension Failure: Worded {
    package var phrase: Phrase {
        switch self {
        case .usage(let clause), .notFound(let clause): clause
        case .unreadable(let path, let reason), .unwritable(let path, let reason):
            .joined([.verbatim(path), reason], separator: ": ")
        case .unconfined(let error): error.phrase
        }
    }
}

/// For logs.
extension Failure: CustomStringConvertible {
    package var description: String { phrase.english }
}
