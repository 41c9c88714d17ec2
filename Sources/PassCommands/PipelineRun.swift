internal import Bytes
internal import Glibc
internal import PassDetection
internal import PassImport
internal import PassStore

/// What `scan` and `import` have in common: runs of the pipeline, printed while they go, and one summary.
final class PipelineRun {
    private(set) var summary = Summary()
    /// The problems so far, and those where the system could not do what was asked of it.
    private var problems = 0
    private var failures = 0
    let options: ImportOptions
    private let form: Form
    private let start = ContinuousClock.now
    private let tellsRefusals: Bool
    private let tellsLinks: Bool
    private let console: Console
    private let reader: Reader

    /// How the results are printed.
    enum Form {
        case lines, json
        /// A few words for each pass, and no summary.
        case brief
    }

    /// - Parameter tellsRefusals: Whether passes that the library does not take are told like problems,
    ///   where nobody looks at the results.
    init(
        _ options: ImportOptions, _ form: Form, tellsRefusals: Bool = false,
        tellsLinks: Bool = true, in shell: Shell
    ) {
        console = shell.console
        reader = Reader(shell.environment, language: nil)
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

    /// Reads, and prints what is found.
    ///
    /// - Parameters:
    ///   - options: In place of those of the run.
    ///   - take: Is told of each event as well.
    /// - Returns: What these inputs held.
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

    /// Reads what lies here and what is fetched, in this order, and then what links in mails lead to.
    func read(
        _ sources: [SourceArguments.Source], _ fetched: FetchedSources?,
        following links: FollowedLinks? = nil
    ) async throws {
        for source in sources {
            switch source {
            case .local(let inputs): try await read(inputs) { try links?.take($0, report: report) }
            case .web(let urls):
                try await fetched?.read(
                    urls.map { DownloadRequest(url: $0.text) }, readingFetched(links))
            case .list(let head):
                try await read(URLList(FileDescriptor(STDIN_FILENO), behind: head), fetched, links)
            case .almostList(let line):
                let found = try await read([.standardInput]) {
                    try links?.take($0, report: report)
                }
                guard found.foundNothing else { continue }
                let reason = "as line \(line) is none that can be read"
                console.problem("standard input: it is no list of URLs, \(reason)")
            case .nothing(let problem):
                summary.sources += 1
                try report(problem)
            }
        }
        if let links { try await fetched?.goOn(with: links.finish(), readingFetched()) }
    }

    /// How what is fetched is read.
    ///
    /// - Parameter links: Are told of links in it.
    func readingFetched(_ links: FollowedLinks? = nil) -> FetchedSources.Reading {
        FetchedSources.Reading(
            options: options,
            read: { file, conditions in
                var contents = FetchedContents()
                let options = try self.options.allowing(conditions)
                let part = try await self.read([.download(file)], options) { event in
                    contents.count(event)
                    try links?.take(event, report: self.report)
                }
                contents.messages = part.messages
                return contents
            },
            count: { self.summary.sources += 1 }, report: report)
    }

    /// Reads what the lines of a list name, in their order, some at a time.
    private func read(
        _ list: consuming URLList, _ fetched: FetchedSources?, _ links: FollowedLinks?
    ) async throws {
        var list = list
        var requests: [DownloadRequest] = []
        var size = 0
        while let entry = try list.next() {
            if case .success(.web(let url)) = entry {
                requests.append(DownloadRequest(url: url.text))
                size += url.text.utf8.count
                if requests.count < PipelineRun.batch, size < PipelineRun.batchSize { continue }
            }
            try await fetched?.read(requests, readingFetched(links))
            requests = []
            size = 0
            switch entry {
            case .success(let word):
                guard let input = word.input else { continue }
                try await read([input]) { try links?.take($0, report: report) }
            case .failure(let line):
                try report(Problem(source: "-", code: BadLine.code, detail: line.detail))
            }
        }
        try await fetched?.read(requests, readingFetched(links))
    }

    /// How many URLs of a list are known at a time.
    private static let batch = 1000
    /// How long they are together, in bytes.
    private static let batchSize = 1 << 20

    /// Tells of a problem outside of the pipeline.
    func report(_ problem: Problem) throws {
        summary.problems += 1
        try report(.problem(problem))
    }

    /// Prints the summary.
    func finish() throws {
        console.hideProgress()
        // With the time that was spent on waiting for others.
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
            failures += found.wasUnreadable ? 1 : 0
            let changes = ToldChanges(by: found, reader)
            let line =
                switch form {
                case .lines: passLine(found, changes, reader, on: console.output)
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
        case .problem(let problem):
            problems += 1
            failures += problem.isTemporary ? 1 : 0
            if form == .json { try console.print(jsonLine(ProblemRecord(problem))) }
            console.problem(problemClause(problem))
        }
    }
}

extension Summary {
    /// Neither a pass nor a link to one.
    var foundNothing: Bool { candidates == 0 && links ?? 0 == 0 }
}
