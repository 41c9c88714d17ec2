internal import Bytes
internal import Glibc
internal import PassImport
internal import PassPresentation
internal import PassSession
internal import PassStore

/// The common part of `scan` and `import`: runs the pipeline, prints events as they come and a
/// summary at the end.
final class PipelineRun {
    private(set) var summary = Summary()
    /// Number of problems; `failures` counts those caused by the system.
    private var problems = 0
    private var failures = 0
    let options: ImportOptions
    private let form: OutputFormat
    private let start = ContinuousClock.now
    private let tellsRefusals: Bool
    private let tellsLinks: Bool
    let console: Console
    private let displayLocale: DisplayLocale

    /// The output format.
    enum OutputFormat {
        case lines, json
        /// A few words for each pass, without a summary.
        case brief
    }

    /// - Parameter tellsRefusals: Whether rejected passes are reported as problems, for callers
    /// that ignore the results.
    init(
        _ options: ImportOptions, _ form: OutputFormat, tellsRefusals: Bool = false,
        tellsLinks: Bool = true, in shell: Shell
    ) {
        console = shell.console
        displayLocale = DisplayLocale(shell.environment, language: nil)
        var options = options
        options.measures = console.errors.isTerminal
        options.tellsChanges = form != .brief
        self.options = options
        self.form = form
        self.tellsRefusals = tellsRefusals
        self.tellsLinks = tellsLinks
        summary.links = options.links.map { _ in 0 }
    }

    var hadProblems: Bool { problems > 0 }
    var hadFailures: Bool { failures > 0 }

    /// Reads sources and prints what is found.
    ///
    /// - Parameters:
    ///   - options: Override the options of the run.
    ///   - take: Called for each event as well.
    /// - Returns: The totals for these inputs.
    @discardableResult
    func read(
        _ inputs: [Input], _ options: ImportOptions? = nil,
        take: (Event) throws -> Void = { _ in }
    ) async throws -> Summary {
        console.beginProgress()
        let part = try await PassImport.run(
            inputs, options ?? self.options,
            progress: { progress in
                console.show(
                    .init(
                        bytesDone: progress.bytesDone, bytesTotal: progress.bytesTotal,
                        source: progress.source))
            },
            report: { event in
                try take(event)
                try report(event)
            })
        summary += part
        return part
    }

    /// Counts a source that was not read here.
    func countSource() { summary.sources += 1 }

    /// Reports a problem from outside the pipeline.
    func report(_ problem: ReportedProblem) throws {
        summary.problems += 1
        try tell(problem)
    }

    /// Prints the summary.
    func finish() throws {
        console.hideProgress()
        // Includes the time spent waiting for servers.
        summary.seconds = (ContinuousClock.now - start) / .seconds(1)
        if form == .json { try console.print(jsonLine(SummaryRecord(summary))) }
        if console.errors.isTerminal {
            console.note(summaryLine(summary))
        } else if summary.foundNothing, form == .lines {
            console.note("passconduit: \(summaryLine(summary))")
        }
    }

    private func report(_ event: Event) throws {
        switch event {
        case .pass(let found):
            failures += found.fileError == nil ? 0 : 1
            let changes = ToldChanges(by: found, displayLocale)
            let line =
                switch form {
                case .lines: passLine(found, changes, displayLocale, on: console.output)
                case .json: try jsonLine(PassRecord(found, changes))
                case .brief: briefLine(found)
                }
            try console.print(line)
            if tellsRefusals, found.imported == .refused {
                console.problem(refusalClause(found))
            }
        case .link(let found):
            guard tellsLinks else { return }
            try console.print(form == .json ? jsonLine(LinkRecord(found)) : linkLine(found))
        case .problem(let problem): try tell(ReportedProblem(problem))
        }
    }

    private func tell(_ problem: ReportedProblem) throws {
        problems += 1
        failures += problem.isTemporary ? 1 : 0
        if form == .json { try console.print(jsonLine(ProblemRecord(problem))) }
        console.problem(problemClause(problem))
    }
}

extension Summary {
    /// Whether neither passes nor links were found.
    var foundNothing: Bool { candidates == 0 && links ?? 0 == 0 }
}
