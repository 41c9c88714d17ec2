internal import ArgumentParser
internal import Foundation
internal import PassDetection
internal import PassImport
internal import PassSession
internal import PassStore
internal import PassVerification

/// The option for the time of verification. Import does not offer it and always
/// validates at the signing time.
struct TimeArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Validate certificates at this time (2024-05-01, 2024-05-01T10:00:00Z) instead of the "
                + "signing time; only for `scan` and `verify`.",
            valueName: "date"),
        transform: date)
    var at: Date?
}

/// The option for the output format.
struct OutputArguments: ParsableArguments {
    @Flag(help: "Print one JSON object per line.")
    var json = false
}

/// The option for full lines.
struct LineArguments: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Print full lines on a terminal too, as in a file or pipe: with pass type, serial "
                + "number and location."))
    var long = false

    /// For the discussion of commands with these options.
    static let discussion = """
        On a terminal, lines fit its width: a symbol for the verdict (\u{2713} trusted, ! \
        untrusted, ? unsigned, \u{2717} tampered or malformed), the headline, the date, and \
        whatever else fits. Reasons and changes follow on their own lines. --long prints full \
        lines.
        """
}

/// The help for --follow-symlinks. The option is declared in each command that has it, since a group
/// of options slows the parser down at every start.
enum LinkOption {
    static let help =
        "Follow symbolic links to folders, each folder once, but not into /proc, /sys and /dev."

    /// For the discussion of commands with this option.
    static let discussion = """
        Folders are read with all subfolders. Symbolic links to files are followed; links to \
        folders that you do not name are not, unless you use --follow-symlinks. No link is \
        followed into /proc, /sys or /dev.
        """
}

extension CompletionKind {
    /// Files that may be passes.
    static var passFiles: CompletionKind {
        .file(extensions: TypeMap.builtIn.types.flatMap(\.fileExtensions))
    }

    /// The numbers of the passes in the library.
    static var passNumbers: CompletionKind {
        .shellCommand(
            #"passconduit list --limit 1000 2>/dev/null | sed "s/^ *//;s/ .*//""#)
    }
}

/// The option for further verdicts to accept.
struct AcceptanceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Also add passes with this verdict: untrusted or unsigned; repeatable.",
            valueName: "verdict"),
        completion: .list(Acceptance.allCases.map(\.rawValue)),
        transform: Acceptance.parse)
    var accept: [Acceptance] = []

    var policy: AdmissionPolicy { AdmissionPolicy(accepting: Set(accept.map(\.verdict))) }
}

/// A verdict other than trusted that the user can accept.
enum Acceptance: String, CaseIterable {
    case untrusted, unsigned

    var verdict: Verdict { self == .untrusted ? .untrusted : .unsigned }

    /// The error message explains why a verdict is refused.
    static func parse(_ text: String) throws -> Acceptance {
        if let acceptance = Acceptance(rawValue: text) { return acceptance }
        let reason =
            switch Verdict(rawValue: text) {
            case .tampered: "a tampered pass is not what its issuer signed and is never imported"
            case .malformed: "a malformed pass cannot be read and is never imported"
            case .trusted: "trusted passes are always accepted"
            default: "only 'untrusted' or 'unsigned' can be accepted"
            }
        throw ValidationError(reason)
    }
}

/// Parses a date, or a date and a time, with a time zone or in the reader's.
private func date(_ text: String) throws -> Date {
    let formatter = DateFormatter()
    formatter.timeZone = Environment(ProcessInfo.processInfo.environment).timeZone
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.isLenient = false
    for format in [
        "yyyy-MM-dd", "yyyy-MM-dd'T'HH:mmXXXXX", "yyyy-MM-dd'T'HH:mm:ssXXXXX",
        "yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd HH:mm", "yyyy-MM-dd HH:mm:ss",
    ] {
        formatter.dateFormat = format
        if let date = formatter.date(from: text) { return date }
    }
    throw ValidationError("a date looks like 2024-05-01 or 2024-05-01T10:00:00Z")
}
