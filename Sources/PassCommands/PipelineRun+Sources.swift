internal import Bytes
internal import Glibc
internal import Localization
internal import PassImport
internal import PassLinks
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import Platform

/// Reads local files, fetched files and lists of URLs.
extension PipelineRun {
    /// Reads the sources in order, then the links found in mail.
    func read(
        _ sources: [SourceArguments.NamedSource], _ fetched: FetchedSources?,
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

    /// Maximum number of URLs in memory.
    private static let batch = 1000
    /// Maximum total length of these URLs, in bytes.
    private static let batchSize = 1 << 20
}
