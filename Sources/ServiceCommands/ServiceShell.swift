internal import ArgumentParser
internal import Glibc
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassService
package import PassSession
internal import PassSigning
package import Platform
internal import Synchronization

/// A command's access to its environment and standard streams.
package struct ServiceShell: Sendable {
    package var session: Session
    private let output: FileDescriptor
    private let errors: FileDescriptor
    private let progress = ProgressCount()

    package init(
        _ environment: Environment, arguments: [[UInt8]] = [],
        output: FileDescriptor = FileDescriptor(STDOUT_FILENO),
        errors: FileDescriptor = FileDescriptor(STDERR_FILENO)
    ) {
        self.output = output
        self.errors = errors
        session = Session(environment: environment, arguments: arguments) { clause in
            writeProblem(clause, to: errors)
        }
    }

    /// Prints a result; `line` must be escaped.
    func print(_ line: String) throws(FileError) {
        progress.hide(on: errors)
        try output.writeAll(Array("\(line)\n".utf8).span)
    }

    /// Prints a record, or an escaped line for people.
    func print(_ record: some Encodable, asJSON: Bool, _ line: @autoclosure () -> String) throws {
        guard asJSON else { return try print(line()) }
        let json = try jsonLine(record)
        try print(isatty(output.number) == 1 ? json.escapedInJSON : json)
    }

    /// Prints what was published.
    ///
    /// - Parameters:
    ///   - key: The key of the download page.
    ///   - sha256: Nil for a pass that is not signed yet.
    ///   - file: Nil for a pass that was changed in the store.
    ///   - line: The line of the row in the file.
    func print(
        _ publication: Publication, of pass: PassIdentity, key: String, sha256: String?,
        from file: String?, line: Int? = nil, asJSON: Bool
    ) throws {
        try print(
            PublicationRecord(file, line: line, pass, key: key, sha256: sha256, publication),
            asJSON: asJSON,
            "\(publication.phrase.localized) \(pass)".escaped)
    }

    /// Prints the totals of a run, as a record or as a line on standard error.
    func print(_ tally: PublicationTally, asJSON: Bool) throws {
        guard !asJSON else { return try print(PublicationSummaryRecord(tally), asJSON: true, "") }
        progress.hide(on: errors)
        try? errors.writeAll(Array("\(tally.line)\n".utf8).span)
    }

    /// Prints a line of the log, which the caller has escaped.
    func log(_ line: String) {
        try? errors.writeAll(Array("\(line)\n".utf8).span)
    }

    /// Prints a problem; `clause` must be escaped.
    func problem(_ clause: String) {
        progress.hide(on: errors)
        writeProblem(clause, to: errors)
    }

    /// Prints a finding of the linter.
    func report(_ finding: LintFinding, about name: String) {
        guard finding.severity == .error else { return warn(finding.sentence, about: name) }
        problem("\(name): \(finding.sentence.localized)".escaped)
    }

    /// Prints a warning.
    func warn(_ warning: Phrase, about name: String) {
        problem("\(name): \(localized("warning")): \(warning.localized)".escaped)
    }

    /// Warns that the authenticationToken of a pass is new: no earlier version had it.
    func warnOfOtherToken(about name: String) {
        warn(
            Phrase(
                "the authenticationToken differs from that of earlier versions: it should not change"
            ), about: name)
    }

    /// Shows the number of passes so far, on a terminal only.
    func show(_ tally: PublicationTally) {
        progress.show(tally.count, on: errors)
    }
}

/// The number of passes so far, on the last line of a terminal.
private final class ProgressCount: Sendable {
    /// Shorter runs show no progress.
    private static let patience = Duration.milliseconds(500)
    private static let pause = Duration.milliseconds(100)

    private struct State {
        var next: ContinuousClock.Instant?
        var isShown = false
    }

    private let state = Mutex(State())

    func show(_ count: Int, on errors: FileDescriptor) {
        guard isatty(errors.number) == 1 else { return }
        let isDue = state.withLock { state in
            let now = ContinuousClock.now
            guard let next = state.next else {
                state.next = now + Self.patience
                return false
            }
            guard now >= next else { return false }
            state.next = now + Self.pause
            state.isShown = true
            return true
        }
        guard isDue else { return }
        let text = counted("{count} pass", "{count} passes", count)
        try? errors.writeAll(Array("\r\(text)\u{1B}[K".utf8).span)
    }

    func hide(on errors: FileDescriptor) {
        let wasShown = state.withLock { state in
            defer { state.isShown = false }
            return state.isShown
        }
        if wasShown { try? errors.writeAll(Array("\r\u{1B}[K".utf8).span) }
    }
}

private func writeProblem(_ clause: String, to errors: FileDescriptor) {
    try? errors.writeAll(Array("passconduit-serve: \(clause)\n".utf8).span)
}

/// A command of the program.
protocol ServiceVerb: ParsableCommand {
    var language: LanguageArguments { get }

    func run(in shell: ServiceShell) async throws -> PassSession.ExitCode
}
