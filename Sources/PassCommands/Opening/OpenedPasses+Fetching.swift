internal import PassImport
internal import PassLinks
internal import PassPresentation
internal import PassSession
internal import PassStore

extension OpenedPasses {
    /// Fetches the URLs and reads the results.
    mutating func read(_ urls: [WebURL], _ fetched: FetchedSources) async throws {
        var opened = self
        let consumer = FetchedSources.Consumer(
            options: options,
            read: { file, _ in
                let before = opened.passes.count
                try await opened.read(NamedInput(input: .download(file), name: file.source))
                return FetchedContents(
                    passes: ["opened": opened.passes.count - before], isUnknown: true)
            },
            report: { problem in
                opened.refuse(.unreadable(problem.source, reason: problem.phrase))
            })
        try await fetched.read(urls.map { DownloadRequest(url: $0.text) }, consumer)
        self = opened
    }
}
