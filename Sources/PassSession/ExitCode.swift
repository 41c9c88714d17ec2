/// What the program says to the shell when it ends.
///
/// | code | means |
/// |---|---|
/// | 0 | done |
/// | 1 | nothing found (`scan`, `open`, `verify`, `search`), or of that name (`show`, `trust remove`) |
/// | 2 | some input could not be read, or some output not written |
/// | 3 | a pass is not trusted (`verify`), and was not added for that (`open`) |
/// | 64 | the command line makes no sense, or asks for what is never done |
///
/// Where several apply, the one that says most about the answer itself wins: `usage` (there is no
/// answer), then `unreadable` (the answer is not whole), then `notTrusted`, then `nothingFound`.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    case nothingFound = 1
    case unreadable = 2
    case notTrusted = 3
    case usage = 64

    /// The code for a run in which both this and `other` happened.
    package func joined(with other: ExitCode) -> ExitCode {
        weight >= other.weight ? self : other
    }

    private var weight: Int {
        switch self {
        case .done: 0
        case .nothingFound: 1
        case .notTrusted: 2
        case .unreadable: 3
        case .usage: 4
        }
    }
}
