/// The exit codes of the programs. The help of `passconduit` lists the commands that use each.
///
/// | code | means |
/// |---|---|
/// | 0 | done |
/// | 1 | nothing found, or nothing of that name |
/// | 2 | some input could not be read, or some output not written |
/// | 3 | a pass is not trusted, was refused, or has mistakes |
/// | 64 | the command line is invalid |
///
/// If several apply, the more serious one wins: `usage` (there is no result), then `unreadable`
/// (the result is incomplete), then `notTrusted`, then `nothingFound`.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    case nothingFound = 1
    case unreadable = 2
    case notTrusted = 3
    case usage = 64

    /// The exit code of a run to which both codes apply.
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
