internal import PassImport

/// One run of the pipeline, printed while it goes: what `scan` and `import` have in common.
struct PipelineRun {
    let summary: Summary
    let hadProblems: Bool
    /// Whether the system could not do what was asked of it.
    let hadFailures: Bool

    /// How the results are printed.
    enum Form {
        case lines, json
        /// A few words for each pass, and no summary.
        case brief
    }

    /// - Parameter tellsRefusals: Whether passes that the library does not take are told like problems,
    ///   where nobody looks at the results.
    init(
        _ inputs: [Input], _ options: ImportOptions, _ form: Form, tellsRefusals: Bool = false,
        in shell: Shell
    ) async throws {
        let console = shell.console
        let reader = Reader(shell.environment, language: nil)
        var problems = 0
        var failures = 0
        var options = options
        options.measures = console.errors.isTerminal
        summary = try await run(
            inputs, options,
            progress: { progress in
                console.show(
                    .init(
                        bytesDone: progress.bytesDone, bytesTotal: progress.bytesTotal,
                        source: progress.source))
            },
            report: { event in
                switch event {
                case .pass(let found):
                    failures += found.wasUnreadable ? 1 : 0
                    let line =
                        switch form {
                        case .lines: passLine(found, reader, on: console.output)
                        case .json: try jsonLine(PassRecord(found))
                        case .brief: briefLine(found)
                        }
                    try console.print(line)
                    if tellsRefusals, found.imported == .refused {
                        console.problem(refusalClause(found))
                    }
                case .link(let found):
                    try console.print(form == .json ? jsonLine(LinkRecord(found)) : linkLine(found))
                case .problem(let problem):
                    problems += 1
                    failures += problem.isTemporary ? 1 : 0
                    if form == .json { try console.print(jsonLine(ProblemRecord(problem))) }
                    console.problem(problemClause(problem))
                }
            })
        hadProblems = problems > 0
        hadFailures = failures > 0
        console.hideProgress()
        if form == .json { try console.print(jsonLine(SummaryRecord(summary))) }
        if console.errors.isTerminal {
            console.note(summaryLine(summary))
        } else if summary.foundNothing, form == .lines {
            console.note("passconduit: \(summaryLine(summary))")
        }
    }
}

extension Summary {
    /// Neither a pass nor a link to one.
    var foundNothing: Bool { candidates == 0 && links ?? 0 == 0 }
}
