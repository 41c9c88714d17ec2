internal import Bytes
internal import Foundation
internal import Glibc
internal import Localization
internal import MailSource
internal import PassDetection
internal import PassImport
internal import PassLinks
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import Platform

/// The common part of `scan` and `import`: runs the pipeline, prints events as they come and a
/// summary at the end.
final class PipelineRun {
    /// Maximum number of URLs in memory.
    private static let batch = 1000
    /// Maximum total length of these URLs, in bytes.
    private static let batchSize = 1 << 20

    /// Maximum number of unreadable files that are listed; the others are counted.
    private static let listed = 20

    private(set) var summary = Summary()
    /// Number of problems that affect the exit code; `failures` counts those caused by the system.
    private var problems = 0
    private var failures = 0
    private let options: ImportOptions
    private let form: OutputFormat
    private let start = ContinuousClock.now
    private let tellsRefusals: Bool
    private let tellsLinks: Bool
    private let console: Console
    private let displayLocale: DisplayLocale
    private let lines: FoundLines
    /// Nil if the reasons are printed with each pass.
    private var reasons: SharedReasons?
    private let printsUnchanged: Bool
    /// Whether every unreadable file is listed.
    private let listsUnreadable: Bool
    /// The number of unreadable files, and the last one.
    private var unreadable = (count: 0, last: "")
    /// What happened to the passes of an import.
    private(set) var tally = ImportTally()
    /// Whether a pass, bundle or URL that the command line names was refused.
    private(set) var refusedNamedSource = false

    /// The output format.
    enum OutputFormat {
        case lines, json
        /// A few words for each pass, without a summary.
        case brief
    }

    /// - Parameters:
    ///   - printsFullLines: Whether lines are in full on a terminal as well.
    ///   - printsUnchanged: Whether passes that are already in the library get a line on a terminal
    ///     as well. The summary counts them.
    ///   - listsUnreadable: Whether to list unreadable files beyond the first twenty, and the reasons
    ///     for its verdict with each pass.
    ///   - tellsRefusals: Whether rejected passes are reported as problems, for callers that ignore
    ///     the results.
    init(
        _ options: ImportOptions, _ form: OutputFormat, printsFullLines: Bool = false,
        printsUnchanged: Bool = false, listsUnreadable: Bool = false, tellsRefusals: Bool = false,
        tellsLinks: Bool = true,
        in shell: Shell
    ) {
        console = shell.console
        displayLocale = DisplayLocale(shell.environment, language: nil)
        lines = FoundLines(isFull: printsFullLines, displayLocale, on: console.output)
        if form == .lines, console.output.isTerminal, !printsFullLines, !listsUnreadable {
            reasons = SharedReasons()
        }
        let isForPeople =
            form == .lines && console.output.isTerminal && console.errors.isTerminal
        self.printsUnchanged = printsUnchanged || !isForPeople
        self.listsUnreadable = listsUnreadable
        var options = options
        options.measures = console.errors.isTerminal
        options.tellsChanges = form != .brief
        options.arrival = .now
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

    /// Reads the sources in order, then the links found in mail.
    func read(
        _ sources: [SourceArguments.NamedSource], _ fetched: FetchedSources?,
        following links: FollowedLinks? = nil
    ) async throws {
        for source in sources {
            switch source {
            case .local(let inputs):
                let named = Set(inputs.compactMap(\.name))
                let folders = inputs.compactMap(\.folderNamedPass)
                var found: Set<String> = []
                try await read(inputs) { event in
                    if let source = event.refusedSource, named.contains(source) {
                        refusedNamedSource = true
                    }
                    if !folders.isEmpty, case .pass(let pass) = event { found.insert(pass.source) }
                    try links?.take(event, report: report)
                }
                for folder in folders
                where !found.contains(where: { "\($0)/".utf8.starts(with: "\(folder)/".utf8) }) {
                    refusedNamedSource = true
                    let reason = localized("the folder is not a pass")
                    console.problem("\(folder.escaped): \(reason)")
                }
            case .web(let urls):
                var consumer = readingFetched(links)
                consumer.refuse = { self.refusedNamedSource = true }
                try await fetched?.read(urls.map { DownloadRequest(url: $0.text) }, consumer)
            case .list(let head):
                try await read(URLList(FileDescriptor(STDIN_FILENO), behind: head), fetched, links)
            case .almostList(let line):
                let found = try await read([.standardInput]) {
                    try links?.take($0, report: report)
                }
                guard found.foundNothing else { continue }
                console.problem(
                    localized(
                        "standard input: not a list of URLs: line {number} is not a URL",
                        ["number": "\(line)"]))
            case .nothing(let problem):
                countSource()
                try report(problem)
            }
        }
        if let links { try await fetched?.goOn(with: links.finish(), readingFetched()) }
    }

    /// Reads fetched files with the options of this run.
    ///
    /// - Parameter links: Collects links found in the files.
    func readingFetched(_ links: FollowedLinks? = nil) -> FetchedSources.Consumer {
        FetchedSources.Consumer(
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
            count: countSource, report: report)
    }

    /// Reads the sources of a list in order, in batches.
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
                try report(ReportedProblem(source: "-", code: BadLine.code, line.phrase))
            }
        }
        try await fetched?.read(requests, readingFetched(links))
    }

    /// Counts a source that was not read here.
    func countSource() { summary.sources += 1 }

    /// Reports a problem from outside the pipeline.
    func report(_ problem: ReportedProblem) throws {
        summary.problems += 1
        try tell(problem)
    }

    /// Prints the summary.
    ///
    /// - Parameter next: The command to try next, on a terminal.
    func finish(next: (ImportTally) -> String? = { _ in nil }) throws {
        console.hideProgress()
        try flushReasons()
        for line in reasons?.rest(on: console.output) ?? [] { try console.print(line) }
        try reportUnlisted()
        // Includes the time spent waiting for servers.
        summary.seconds = (ContinuousClock.now - start) / .seconds(1)
        if form == .json { try console.print(jsonLine(SummaryRecord(summary), on: console.output)) }
        if console.errors.isTerminal {
            noteSummary(next)
        } else if summary.foundNothing, form == .lines {
            console.note(
                "passconduit: \(summaryLine(summary, followsLinks: options.followsLinks))")
        }
    }

    /// Prints the reasons for the last passes, before other lines.
    private func flushReasons() throws {
        for line in reasons?.flush(on: console.output) ?? [] { try console.print(line) }
    }

    private func noteSummary(_ next: (ImportTally) -> String?) {
        let terminal = console.errors
        var line = summaryLine(summary, followsLinks: options.followsLinks) { verdict in
            // Lines are not broken at the no-break space.
            terminal.hasSymbols ? mark(verdict, on: terminal).dropLast() + "\u{A0}" : ""
        }
        if form == .lines, let outcomes = tally.line(tellsHidden: !printsUnchanged) {
            line = "\(outcomes): \(line)"
        }
        for piece in wrapped(line, to: terminal.lineWidth) { console.note(piece) }
        if form == .lines, let command = next(tally) {
            // Not wrapped, so that it can be copied.
            console.note(localized("Next: {command}", ["command": command]))
        }
    }

    private func report(_ event: Event) throws {
        switch event {
        case .pass(let found):
            failures += found.fileError == nil ? 0 : 1
            tally.count(found)
            if !printsUnchanged, found.imported == .unchanged { return }
            let changes = ToldChanges(by: found, displayLocale)
            let line =
                switch form {
                case .lines: lines.text(found, changes, sharing: &reasons)
                case .json: try jsonLine(PassRecord(found, changes), on: console.output)
                case .brief: briefLine(found)
                }
            try console.print(line)
            if tellsRefusals, found.imported == .refused {
                var found = found
                if form == .brief { found.part = numberOfPart(found.part) }
                console.problem(refusalClause(found, withoutNames: form == .brief))
            }
        case .link(let found):
            guard tellsLinks else { return }
            try flushReasons()
            try console.print(
                form == .json
                    ? jsonLine(LinkRecord(found), on: console.output) : lines.text(found))
        case .problem(let problem):
            var isListed = true
            if problem.isOfFile {
                unreadable = (unreadable.count + 1, problem.source)
                isListed = listsUnreadable || unreadable.count <= PipelineRun.listed
            }
            try tell(ReportedProblem(problem), isListed: isListed)
        }
    }

    /// Reports the number of unreadable files that were not listed.
    private func reportUnlisted() throws {
        let count = unreadable.count - PipelineRun.listed
        guard !listsUnreadable, count > 0 else { return }
        var problem = ReportedProblem(
            source: unreadable.last, code: "more-unreadable",
            .counted(
                "{count} more file could not be read (--verbose lists them all)",
                "{count} more files could not be read (--verbose lists them all)", count))
        problem.count = count
        if form == .json { try console.print(jsonLine(ProblemRecord(problem), on: console.output)) }
        console.problem(problem.phrase.localized)
    }

    private func tell(_ problem: ReportedProblem, isListed: Bool = true) throws {
        problems += problem.isIncidental ? 0 : 1
        failures += problem.isTemporary ? 1 : 0
        guard isListed else { return }
        try flushReasons()
        if form == .json { try console.print(jsonLine(ProblemRecord(problem), on: console.output)) }
        // Other programs, such as those of the mail path, write this to logs.
        console.problem(problemClause(form == .brief ? problem.withoutNames : problem))
    }
}

extension Input {
    /// The source of passes in it, unless it is the standard input.
    fileprivate var name: String? {
        switch self {
        case .path(let path): path.description.withoutSlash
        case .download(let file): file.source
        default: nil
        }
    }

    /// The folder, if it is named like a pass.
    fileprivate var folderNamedPass: String? {
        guard case .path(let path) = self, let name, TypeMap.builtIn.isPassName(name),
            let status = path.status(followsLinks: true), status.st_mode & S_IFMT == S_IFDIR
        else { return nil }
        return name
    }
}

extension Event {
    /// The source of a refused pass; nil if it is in a message.
    var refusedSource: String? {
        guard case .pass(let found) = self, found.imported == .refused,
            found.message?.hasHeader != true
        else { return nil }
        return found.source.withoutSlash
    }
}

extension String {
    /// The path of a folder may end with slashes.
    fileprivate var withoutSlash: String {
        var end = utf8.endIndex
        while end > utf8.startIndex, utf8[utf8.index(before: end)] == UInt8(ascii: "/") {
            end = utf8.index(before: end)
        }
        return String(self[..<end])
    }
}

extension Summary {
    /// Whether neither passes nor links were found.
    var foundNothing: Bool { candidates == 0 && links ?? 0 == 0 }
}
